import DashboardCore
import TerminalUI

/// Where everything stands in the overview of payloads.
struct OverviewLayout: Hashable, Sendable {
  let area: Rect
  let step: LayoutStep
  /// The area of the known facts about the sides, a row each; empty where there is no room.
  private(set) var words = Rect(size: .zero)
  /// The list with its titles.
  private(set) var table: Rect

  /// - Parameters:
  ///   - area: Where it may draw.
  ///   - step: How much room the whole screen has.
  ///   - sides: How many sides there are to tell of.
  init(_ area: Rect, _ step: LayoutStep, sides: Int) {
    (self.area, self.step) = (area, step)
    let inner = step.hasBoxes ? area.inset(left: 1, top: 1, right: 1) : area
    table = inner
    guard step != .tiny else { return }
    // Beside each other where rows are dear.
    let rows = step <= .stacked ? sides : 1
    words = Rect(x: inner.x, y: inner.y, width: inner.width, height: min(rows, inner.height))
    table = inner.inset(top: rows)
  }

  /// Lines that are seen at once.
  var rows: Int { step == .tiny ? 1 : max(1, table.height - 1) }
}
