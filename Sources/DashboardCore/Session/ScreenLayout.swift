package import TerminalUI

/// The places of the areas of a screen at a size, solved from its table.
package protocol ScreenLayout: Hashable, Sendable {
  associatedtype Area: ScreenArea
  var frame: ScreenFrame { get }
  /// The areas that are shown.
  var places: [Area: Rect] { get }
  /// The panes that Tab goes round, in its order.
  var panes: [Area.Pane] { get }
}

extension ScreenLayout {
  package var step: LayoutStep { frame.step }
  package var hasBoxes: Bool { step.hasBoxes }

  /// Empty for an area that is not shown.
  package subscript(area: Area) -> Rect { places[area] ?? Rect(size: .zero) }
  package subscript(pane: Area.Pane) -> Rect { self[.pane(pane)] }

  /// The inside of the box of a pane, where panes have boxes.
  package func inner(of rect: Rect) -> Rect {
    rect.isEmpty || !hasBoxes ? rect : rect.inset(left: 1, top: 1, right: 1)
  }
}
