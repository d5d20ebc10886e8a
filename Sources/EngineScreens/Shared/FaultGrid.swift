import TerminalUI

/// The places of faults in a pane: column by column, scrolled so that the selected one is visible.
struct FaultGrid<Fault: EngineFault> {
  /// Minimum width of a fault with its key, name and amount.
  private static var width: Int { 25 }

  private let faults: [Fault]
  private let area: Rect
  /// Number of faults side by side.
  let columns: Int
  /// How many faults are scrolled away.
  private let offset: Int

  init(_ faults: [Fault], in area: Rect, selected: Fault?) {
    self.faults = faults
    self.area = area
    let wanted = area.height > 0 ? (faults.count + area.height - 1) / area.height : 1
    columns = max(1, min(wanted, area.width / Self.width))
    let place = selected.flatMap { faults.firstIndex(of: $0) } ?? 0
    let room = max(1, area.height) * columns
    offset = place / room * room
  }

  /// The visible faults, with their places.
  var places: [(fault: Fault, rect: Rect)] {
    guard area.height > 0 else { return [] }
    let width = area.width / columns
    return faults.dropFirst(offset).prefix(area.height * columns).enumerated().map { index, fault in
      let (column, row) = index.quotientAndRemainder(dividingBy: area.height)
      return (fault, Rect(x: area.x + column * width, y: area.y + row, width: width, height: 1))
    }
  }

  /// The fault at a position.
  func fault(at position: Position) -> Fault? {
    places.first { $0.rect.contains(position) }?.fault
  }
}
