package import DashboardCore
package import TerminalUI

/// A focusable pane of the Delivery screen.
package enum DeliveryPane: EnginePane {
  case timeline, faults, branches

  package static let order: [DeliveryPane] = [.timeline, .faults, .branches]

  package func isOffered(in layout: EngineLayout<DeliveryPane>) -> Bool {
    switch self {
    case .timeline: return true
    case .faults: if layout.controls == .none { return false }
    case .branches: if !layout.needs.hasBranches { return false }
    }
    return layout.needs.maximised != nil || !layout[self].isEmpty
  }

  package static func table(of needs: EngineNeeds<DeliveryPane>, in frame: ScreenFrame, room: Size) -> Areas {
    let (step, timeline) = (frame.step, timeline(needs, width: room.width))
    if let pane = needs.maximised, step <= .stacked { return pane == .timeline ? timeline : .pane(pane) }
    func lines(_ count: Int, faults: Int) -> Areas {
      .rows([
        .area(.lines, .fixed(count)), .pane(.faults, .fixed(faults)),
        .pane(.branches, .fixed(needs.hasBranches && step <= .narrow ? 1 : 0)), timeline,
      ])
    }
    switch step {
    case .wide, .medium:
      return boxes(of: needs, height: step == .wide ? 6 : 5, isTall: frame.size.height >= 60, timeline)
    case .stacked:
      let recorded = 2 + min(3, (needs.faults + 2) / 3)
      return lines(5, faults: needs.controls == .none ? 0 : needs.controls == .recorded ? recorded : 6)
    case .narrow: return lines(room.height >= 12 ? 4 : 3, faults: needs.controls == .none ? 0 : 1)
    case .list: return lines(2, faults: needs.controls == .driven ? 1 : 0)
    case .tiny: return timeline
    }
  }

  /// The details of an entry, next to the timeline or in its place.
  private static func timeline(
    _ needs: EngineNeeds<DeliveryPane>, width: Int
  ) -> Areas {
    guard needs.isOpen else { return .pane(.timeline) }
    return width >= 160 ? .columns([.pane(.timeline), .area(.detail)]) : .area(.detail)
  }

  /// Two rows of cards, then the controls, then the timeline.
  private static func boxes(
    of needs: EngineNeeds<DeliveryPane>, height: Int, isTall: Bool,
    _ timeline: Areas
  ) -> Areas {
    let hasFaults = needs.controls != .none
    // No more rows than the content needs.
    let rows =
      needs.hasBranches
      ? (isTall ? 13 : 7)
      : needs.controls == .driven ? (isTall ? 7 : 6) : hasFaults ? 2 + min(4, (needs.faults + 3) / 4) : 0
    return .rows([
      .columns((0..<3).map { .area(.card($0)) }, .fixed(height)),
      .columns((3..<6).map { .area(.card($0)) }, .fixed(height)),
      .columns(
        (hasFaults ? [.pane(.faults)] : []) + (needs.hasBranches ? [.pane(.branches)] : []), .fixed(rows)),
      timeline,
    ])
  }
}
