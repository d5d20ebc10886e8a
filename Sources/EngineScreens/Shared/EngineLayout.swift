package import DashboardCore
package import TerminalUI

/// Where the panes of an engine's screen are.
package protocol EngineLayout {
  associatedtype Pane: Hashable

  var frame: ScreenFrame { get }
  /// Panes that Tab cycles through.
  var panes: [Pane] { get }
  /// Where a pane is; empty when it is not shown.
  func rect(of pane: Pane) -> Rect
  var controls: EngineControls { get }
}

extension EngineLayout {
  package var step: LayoutStep { frame.step }
  package var hasBoxes: Bool { step.hasBoxes }

  /// The inside of a pane: of its box, or under its rule where it has one.
  func inner(of rect: Rect) -> Rect {
    guard !rect.isEmpty else { return rect }
    if hasBoxes { return rect.inset(left: 2, top: 1, right: 1) }
    return step == .stacked && rect.height > 1 ? rect.inset(top: 1) : rect
  }
}
