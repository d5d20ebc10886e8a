import Platform

/// Two futures of one engine, aligned by time.
package struct EngineFutures<Entry: EngineEntry>: Sendable, Equatable {
  package typealias Happening = EngineHappening<Entry>

  /// The events of one moment.
  package struct Row: Sendable, Equatable {
    package let one: Happening?
    package let other: Happening?
    /// True if both have the same text.
    package let isSame: Bool
  }

  package let rows: [Row]
  /// The index of the first row in which the engine behaves differently.
  package let firstDifference: Int?

  /// - Parameters:
  ///   - one, other: The events of each, oldest first.
  ///   - words: The text of an event.
  ///   - isCause: True for an event that is part of the change, and not a consequence.
  init(
    _ one: [Happening], _ other: [Happening], words: (Happening) -> String, isCause: (Happening) -> Bool
  ) {
    var rows: [Row] = []
    var (left, right) = (one[...], other[...])
    while !left.isEmpty || !right.isEmpty {
      guard let a = left.first, let b = right.first else {
        rows.append(Row(one: left.popFirst(), other: right.popFirst(), isSame: false))
        continue
      }
      // Both use the seconds of one clock; the same due time may be computed with different rounding.
      let distance = a.time - b.time
      let isAtOnce = distance.magnitude < 1e-4
      rows.append(
        Row(
          one: isAtOnce || distance < 0 ? left.popFirst() : nil,
          other: isAtOnce || distance > 0 ? right.popFirst() : nil, isSame: isAtOnce && words(a) == words(b)))
    }
    self.rows = rows
    firstDifference = rows.firstIndex { row in
      !row.isSame && [row.one, row.other].contains { $0.map { !isCause($0) } ?? false }
    }
  }
}

extension EngineLog {
  /// Two branches side by side since their fork; `nil` if they have no common ancestor.
  func futures(
    of one: Int, and other: Int, until: Timestamp?, words: (EngineHappening<Engine.Entry>) -> String,
    isCause: (EngineHappening<Engine.Entry>) -> Bool
  ) -> EngineFutures<Engine.Entry>? {
    guard let parting = parting(of: one, and: other) else { return nil }
    func since(_ branch: Int) -> [EngineHappening<Engine.Entry>] {
      state(of: branch, at: until).timeline.list.filter { $0.time >= parting.moment }
    }
    return EngineFutures(since(one), since(other), words: words, isCause: isCause)
  }
}
