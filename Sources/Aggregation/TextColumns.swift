/// Occurrences of a series' most frequent texts in each column of a chart.
package struct TextColumns: Sendable, Equatable {
  /// Number of occurrences of one text; `nil` stands for all texts that are not distinguished.
  package struct Count: Sendable, Equatable {
    package var text: String?
    package var count: Int

    package init(text: String?, count: Int) {
      (self.text, self.count) = (text, count)
    }
  }

  /// One text with its counts.
  package struct Lane: Sendable, Equatable {
    /// `nil` for all texts that have no lane of their own.
    package var text: String?
    /// Number of occurrences in each column.
    package var counts: [Int]
    package var total: Int

    fileprivate mutating func merge(_ other: Lane) {
      for place in counts.indices { counts[place] &+= other.counts[place] }
      total &+= other.total
    }
  }

  /// Maximum number of texts with a lane of their own beside a shared lane.
  package static let limit = 4

  /// In descending order of count; texts without a lane of their own come last.
  package private(set) var lanes: [Lane] = []
  /// Number of texts known to share the last lane.
  package private(set) var others = 0
  /// Number of texts in each column.
  package private(set) var totals: [Int] = []

  package init() {}

  /// - Parameter columns: the text counts of each column.
  package init(_ columns: [[Count]]) {
    totals = columns.map { $0.reduce(0) { $0 &+ $1.count } }
    var sums: [String?: Int] = [:]
    for count in columns.joined() { sums[count.text, default: 0] &+= count.count }
    let known = sums.compactMap { text, count in text.map { (text: $0, count: count) } }
      .sorted { ($1.count, $0.text) < ($0.count, $1.text) }
    // A shared lane for a single text would take as much room as a lane of its own.
    let isWhole = known.count <= Self.limit + 1 && sums[nil] == nil
    let shown = known.prefix(isWhole ? Self.limit + 1 : Self.limit)
    others = known.count - shown.count
    let places = Dictionary(shown.enumerated().map { ($1.text, $0) }, uniquingKeysWith: { first, _ in first })
    let blank = Array(repeating: 0, count: columns.count)
    lanes = shown.map { Lane(text: $0.text, counts: blank, total: $0.count) }
    var rest = Lane(text: nil, counts: blank, total: 0)
    for (index, column) in columns.enumerated() {
      for count in column {
        if let place = count.text.flatMap({ places[$0] }) {
          lanes[place].counts[index] &+= count.count
        } else {
          rest.counts[index] &+= count.count
          rest.total &+= count.count
        }
      }
    }
    if rest.total > 0 { lanes.append(rest) }
  }

  package var isEmpty: Bool { lanes.isEmpty }

  /// A copy with at most `count` lanes, the last ones merged into one.
  package func limited(to count: Int) -> TextColumns {
    guard lanes.count > max(1, count) else { return self }
    var copy = self
    let rest = copy.lanes.suffix(from: max(1, count) - 1)
    var last = Lane(text: nil, counts: Array(repeating: 0, count: totals.count), total: 0)
    for lane in rest {
      last.merge(lane)
      if lane.text != nil { copy.others += 1 }
    }
    copy.lanes.removeLast(rest.count)
    copy.lanes.append(last)
    return copy
  }
}

extension SeriesStore {
  /// The texts of the window [from, to] in equal columns, like `columns` for numbers.
  ///
  /// A rollup slot that is longer than a column counts fully in each column it covers: shares are right, counts are not.
  package func textColumns(of id: SeriesID, from: Double, to: Double, count: Int) -> TextColumns {
    guard count > 0, pages.contains(id), to > from else { return TextColumns() }
    let shift = shift(of: id)
    let (from, to) = (from - shift, to - shift)
    let data = pages[id.index]
    var grid = TextGrid(from: from, to: to, count: count, texts: data.texts.count + 1)
    for slot in data.rollup.slots(from: from, to: to) { grid.spread(slot.digest) }
    for chunk in data.raw.chunks(from: from, to: to) { grid.add(chunk) }
    return TextColumns(
      (0..<count).map { column in
        grid.counts(of: column).map { number, count in
          TextColumns.Count(text: number == 0 ? nil : data.texts[number], count: count)
        }
      })
  }
}

/// Equal columns of a window with the counts of texts, by the number of the text.
private struct TextGrid {
  private let places: ColumnGrid
  private let texts: Int
  private var counts: [Int]

  init(from: Double, to: Double, count: Int, texts: Int) {
    places = ColumnGrid(from: from, to: to, count: count)
    self.texts = texts
    counts = Array(repeating: 0, count: count * texts)
  }

  func counts(of column: Int) -> [(number: Int, count: Int)] {
    (0..<texts).compactMap { number in
      let count = counts[column * texts + number]
      return count > 0 ? (number, count) : nil
    }
  }

  private mutating func add(_ number: Int, _ count: Int, at column: Int) {
    counts[column * texts + (number < texts ? number : 0)] += count
  }

  mutating func add(_ chunk: RawSamples.Chunk) {
    let (first, last) = (places.column(of: chunk.firstTime), places.column(of: chunk.lastTime))
    if first == last, let digest = chunk.digest, places.holds(chunk) {
      for text in digest.texts { add(text.number, text.count, at: first) }
      return
    }
    for sample in chunk.samples(from: places.from, to: places.to) {
      if case .text(let number) = sample.content { add(number, 1, at: places.column(of: sample.time)) }
    }
  }

  mutating func spread(_ digest: Digest) {
    let first = places.column(of: max(places.from, digest.firstTime))
    let last = places.column(of: min(places.to, digest.lastTime))
    for column in first...max(first, last) {
      for text in digest.texts { add(text.number, text.count, at: column) }
    }
  }
}
