import DashboardCore
import TerminalUI

/// The layout of the overview of payloads.
struct OverviewLayout: Hashable, Sendable {
  let area: Rect
  let step: LayoutStep
  /// The area of the facts about the sides, one row each; empty where it does not fit.
  private(set) var words = Rect(size: .zero)
  /// The list with its header.
  private(set) var table: Rect

  /// - Parameters:
  ///   - area: The area of the overview.
  ///   - step: The layout step of the whole screen.
  ///   - sides: Number of described sides.
  init(_ area: Rect, _ step: LayoutStep, sides: Int) {
    (self.area, self.step) = (area, step)
    let inner = step.hasBoxes ? area.inset(left: 1, top: 1, right: 1) : area
    table = inner
    guard step != .tiny else { return }
    // Side by side where rows are scarce.
    let rows = step <= .stacked ? sides : 1
    words = Rect(x: inner.x, y: inner.y, width: inner.width, height: min(rows, inner.height))
    table = inner.inset(top: rows)
  }

  /// Number of visible lines.
  var rows: Int { step == .tiny ? 1 : max(1, table.height - 1) }
}
