/// The areas of a screen: the panes that keys can act in, and what stands beside them.
package protocol ScreenArea: Hashable, Sendable {
  associatedtype Pane: Hashable, Sendable
  /// The area of a pane; where there is nothing else, a case with that name.
  static func pane(_ pane: Pane) -> Self
}

/// Areas below and beside each other, each with the room that it wants: a table of data.
///
/// Fixed parts get their room first, in order, then the rest is shared. So the minimum of a part is its constraint, its
/// priority is its place, and a part without room vanishes.
///
///     .rows([.area(.sentence, .fixed(1)), .columns([.pane(.tree, .share(28, of: 100, atLeast: 30)), .pane(.table)])])
package struct AreaTable<Area: ScreenArea>: Hashable, Sendable {
  private indirect enum Content: Hashable, Sendable {
    case area(Area)
    case rows([AreaTable])
    case columns([AreaTable], spacing: Int)
  }

  private let content: Content
  private let room: Constraint

  package static func area(_ area: Area, _ room: Constraint = .fill(1)) -> Self {
    Self(content: .area(area), room: room)
  }

  package static func pane(_ pane: Area.Pane, _ room: Constraint = .fill(1)) -> Self {
    area(.pane(pane), room)
  }

  /// Parts from top to bottom; none for an area that stays empty.
  package static func rows(_ parts: [Self], _ room: Constraint = .fill(1)) -> Self {
    Self(content: .rows(parts), room: room)
  }

  /// Parts from left to right.
  package static func columns(_ parts: [Self], _ room: Constraint = .fill(1), spacing: Int = 0) -> Self {
    Self(content: .columns(parts, spacing: spacing), room: room)
  }

  /// The place of each area that is named.
  package func places(in whole: Rect) -> [Area: Rect] {
    var places: [Area: Rect] = [:]
    place(in: whole, &places)
    return places
  }

  private func place(in whole: Rect, _ places: inout [Area: Rect]) {
    switch content {
    case .area(let area): places[area] = whole
    // Closures: a key path of a generic type is made again at each call.
    case .rows(let parts):
      for (part, rect) in zip(parts, whole.rows(parts.map { $0.room })) { part.place(in: rect, &places) }
    case .columns(let parts, let spacing):
      for (part, rect) in zip(parts, whole.columns(parts.map { $0.room }, spacing: spacing)) {
        part.place(in: rect, &places)
      }
    }
  }
}
