extension Table {
  /// The position of a visible column.
  struct Place: Hashable, Sendable {
    var column: Int
    var x: Int
    var width: Int
  }

  /// The columns that fit, from left to right, after dropping others in their fixed order.
  func places(width: Int) -> [Place] {
    var shown = Array(columns.indices)
    while needed(shown) > width, let index = nextToDrop(shown) { shown.remove(at: index) }
    let flexible = shown.filter { columns[$0].isFlexible }.count
    var spare = max(0, width - needed(shown))
    var left = flexible
    var x = 0
    var places: [Place] = []
    for column in shown {
      var length = columns[column].width
      if columns[column].isFlexible {
        let share = spare / max(1, left)
        length += share
        spare -= share
        left -= 1
      }
      length = min(length, max(0, width - x))
      guard length > 0 else { continue }
      places.append(Place(column: column, x: x, width: length))
      x += length + spacing
    }
    return places
  }

  /// The indices of the columns visible at a width.
  package func shownColumns(width: Int) -> [Int] { places(width: width - 1).map(\.column) }

  private func needed(_ shown: [Int]) -> Int {
    shown.reduce(0) { $0 + columns[$1].width } + spacing * max(0, shown.count - 1)
  }

  private func nextToDrop(_ shown: [Int]) -> Int? {
    let candidates = shown.indices.filter { columns[shown[$0]].dropOrder > 0 }
    return candidates.max { columns[shown[$0]].dropOrder < columns[shown[$1]].dropOrder }
  }
}
