package import DashboardCore
package import TerminalUI

/// A focusable pane of the Sync screen.
package enum SyncPane: EnginePane {
  case timeline, engine, queue, faults, branches, runs

  package static let order: [SyncPane] = [.timeline, .faults, .queue, .engine, .branches, .runs]

  package func isOffered(in layout: EngineLayout<SyncPane>) -> Bool {
    if layout.needs.maximised != nil { return true }
    return switch layout.step {
    case .narrow, .list: self == .timeline || self == .faults && layout.controls == .driven
    case .wide, .medium, .stacked, .tiny: layout.rect(of: self).height > 1
    }
  }

  package static func table(of needs: EngineNeeds<SyncPane>, in frame: ScreenFrame, room: Size) -> Areas {
    let step = frame.step
    if let pane = needs.maximised, step <= .stacked {
      return pane == .timeline && needs.isOpen ? .area(.detail) : .pane(pane)
    }
    switch step {
    case .wide:
      // The fault keys need rows of their own; without them the timeline makes better use of some.
      let middle = room.height >= 60 ? 19 : needs.controls == .driven || room.height >= 42 ? 9 : 6
      return boxes(of: needs, in: room, engine: 14, queue: middle)
    case .medium: return boxes(of: needs, in: room, engine: 12, queue: 6)
    case .stacked:
      let faultRows = needs.controls == .driven ? 6 : needs.controls == .recorded ? 4 : 0
      // A timeline needs a rule and at least two entries, for which breaker and queue yield rows.
      let branchRows = needs.hasBranches ? 1 : 0
      let middleRows = min(5, max(3, room.height - 8 - faultRows - branchRows))
      return stack(
        of: needs, engine: 5,
        [
          .columns([.area(.breaker), .pane(.queue)], .fixed(middleRows), spacing: 1),
          .pane(.faults, .fixed(faultRows)), .pane(.timeline), .pane(.branches, .fixed(branchRows)),
        ])
    case .narrow, .list:
      return stack(
        of: needs, engine: step == .narrow ? 4 : 3,
        [
          .area(.breaker, .fixed(1)), .pane(.queue, .fixed(1)),
          .pane(.faults, .fixed(needs.controls == .none ? 0 : 1)), .pane(.timeline),
        ])
    case .tiny: return needs.isOpen ? .area(.detail) : .pane(.engine)
    }
  }

  /// The details of an entry take the area below the engine: where space is short, the user asked for them.
  private static func stack(
    of needs: EngineNeeds<SyncPane>, engine: Int, _ others: [Areas]
  ) -> Areas {
    .rows([.pane(.engine, .fixed(engine))] + (needs.isOpen ? [.area(.detail)] : others))
  }

  private static func boxes(
    of needs: EngineNeeds<SyncPane>, in room: Size, engine: Int, queue: Int
  ) -> Areas {
    let wide = Constraint.share(63, of: 100)
    // Where space is short, the comparison takes precedence: the user asked for it.
    let right: [Areas] =
      needs.isOpen
      ? [.area(.detail)]
      : !needs.hasBranches
        ? [.pane(.runs)]
        : room.height - engine - queue < 20 ? [.pane(.branches)] : [.pane(.branches), .pane(.runs)]
    return .rows([
      .columns([.pane(.engine, wide), .area(.breaker)], .fixed(engine)),
      // Without faults, the queue takes their space.
      .columns([.pane(.queue)] + (needs.controls == .none ? [] : [.pane(.faults)]), .fixed(queue)),
      needs.isOpen && room.width < 160 ? .area(.detail) : .columns([.pane(.timeline, wide), .rows(right)]),
    ])
  }
}
