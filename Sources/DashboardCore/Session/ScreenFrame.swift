package import TerminalUI

/// The steps of the responsive layout; each shows less than the one before.
package enum LayoutStep: Int, Comparable, Sendable {
  /// All panes, in two columns.
  case wide
  /// Two columns, fewer panes.
  case medium
  /// One pane above the other.
  case stacked
  /// Fewer columns, a chart of four rows.
  case narrow
  /// A list and one line of text.
  case list
  /// One metric.
  case tiny

  package static func < (left: LayoutStep, right: LayoutStep) -> Bool { left.rawValue < right.rawValue }

  package init(_ size: Size) {
    self = max(LayoutStep(width: size.width), LayoutStep(height: size.height))
  }

  private init(width: Int) {
    switch width {
    case 120...: self = .wide
    case 100...: self = .medium
    case 80...: self = .stacked
    case 60...: self = .narrow
    case 40...: self = .list
    default: self = .tiny
    }
  }

  private init(height: Int) {
    switch height {
    case 36...: self = .wide
    case 30...: self = .medium
    case 24...: self = .stacked
    case 16...: self = .narrow
    case 12...: self = .list
    default: self = .tiny
    }
  }

  /// True if panes are side by side with borders between them; otherwise they have a rule above them or no frame at
  /// all.
  package var hasBoxes: Bool { self <= .medium }

  /// The frame of a pane.
  package var paneLook: Panel.Look { hasBoxes ? .pane : .rule }
}

/// The parts that all screens place alike: header, rail, footer, and the body between them.
package struct ScreenFrame: Hashable, Sendable {
  package let step: LayoutStep
  package let size: Size
  package private(set) var header = Rect(size: .zero)
  /// The area between header and rail; the whole screen at the smallest step.
  package private(set) var body: Rect
  /// The line between panes and rail, where panes share borders.
  package private(set) var rule = Rect(size: .zero)
  package private(set) var rail = Rect(size: .zero)
  package private(set) var footer = Rect(size: .zero)

  package init(size: Size) {
    step = LayoutStep(size)
    self.size = size
    let all = Rect(size: size)
    body = all
    guard step != .tiny else { return }
    header = all.row(0)
    rail = all.row(size.height - 2)
    footer = all.row(size.height - 1)
    if step.hasBoxes { rule = all.row(size.height - 3) }
    body = all.inset(top: 1, bottom: 2 + rule.height)
  }

  /// The strip of the rail, between the labels at its ends.
  package func railStrip(startWidth: Int, endWidth: Int) -> Rect {
    rail.inset(left: startWidth + 1, right: endWidth + 1)
  }
}
