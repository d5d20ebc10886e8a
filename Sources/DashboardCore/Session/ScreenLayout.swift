package import TerminalUI

/// The areas of a screen, laid out for a size.
package protocol ScreenLayout: Hashable, Sendable {
  associatedtype Area: ScreenArea
  var frame: ScreenFrame { get }
  /// The visible areas.
  var places: [Area: Rect] { get }
  /// The panes in Tab order.
  var panes: [Area.Pane] { get }
}

extension ScreenLayout {
  package var step: LayoutStep { frame.step }
  package var hasBoxes: Bool { step.hasBoxes }

  /// Empty for an area that is hidden.
  package subscript(area: Area) -> Rect { places[area] ?? Rect(size: .zero) }
  package subscript(pane: Area.Pane) -> Rect { self[.pane(pane)] }

  /// The inside of a pane's box, where panes have boxes.
  package func inner(of rect: Rect) -> Rect {
    rect.isEmpty || !hasBoxes ? rect : rect.inset(left: 1, top: 1, right: 1)
  }
}
