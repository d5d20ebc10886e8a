package import Codecs
package import DashboardCore
package import DeliverySimulation
import Platform
import TerminalUI

/// The Delivery screen: one delivery client as its record tells of it; where this program plays it, also its controls.
package struct DeliveryScreen: EngineScreen {
  package static let title = ScreenTitle(name: "delivery", title: "Delivery", shortTitle: "Deliv")
  package var context = ScreenContext(DeliveryScreenState())

  package init() {}
  package static let actions: [ScreenAction<DeliveryScreen>] =
    ScreenAction.running + acts + ScreenAction.playing + ScreenAction.breaking + ScreenAction.branching + rows

  package var view: DeliveryView { DeliveryView(self) }

  // MARK: Facts

  package var page: Int { layout.timelineRows }
  package var hasRows: Bool { !state.cursor.list.value.isEmpty }
  package var precision: ClockZone.Precision { .tenths }

  // MARK: The simulation

  package var sentence: EngineSentence {
    EngineSentence(of: state.engine, at: engineTime, zone: session.zone)
  }
  package mutating func goToFaults() {
    if layout.panes.contains(.faults) { state.pane = .faults }
  }
  package static var noun: String { "client" }
  package static var step: String { "entry" }
  package static var offline: EndpointFault { .offline }
  package static var clearFaults: DeliverySimulationAct { .clearFaults }
  package static func searched(_ happening: ClientState.Happening) -> String {
    TimelineFormatter.searched(happening)
  }
  package static func lineQuery(of happening: ClientState.Happening) -> LineQuery {
    happening.entry.lineQuery(at: happening.time)
  }
  package var hasSteps: Bool { !state.entries.isEmpty }
  package var isAmongFaults: Bool { state.pane == .faults }
  package static func acts(_ query: String) -> [(title: String, act: DeliverySimulationAct)] {
    DeliveryActs.choices(query)
  }
  package func changes(_ query: String) -> [(title: String, act: DeliverySimulationAct?)] {
    DeliveryActs.changes(of: state.engine, query)
  }
}

/// State that belongs to the Delivery screen alone.
package struct DeliveryScreenState: EngineScreenState {
  package var room = EngineRoom<ClientState, DeliverySimulated>(fault: .latency)
  package var cursor = TimelineCursor<DeliveryEntry>()
  /// The pane that the keys act in.
  package var pane = DeliveryPane.timeline
  package var isMaximised = false
}
