package import Codecs
package import DashboardCore
package import DeliverySimulation
import Platform
import TerminalUI

/// The Delivery screen: one delivery client according to its record, with controls if this program plays it.
package struct DeliveryScreen: EngineScreen {
  package static let title = ScreenTitle(name: "delivery", title: "Delivery", shortTitle: "Deliv")
  package var context = ScreenContext(DeliveryScreenState(fault: .latency, own: LossNotice()))

  package typealias Engine = ClientState
  package typealias Simulated = DeliverySimulated
  package typealias Pane = DeliveryPane
  package typealias Own = LossNotice

  package init() {}
  package static let actions: [ScreenAction<DeliveryScreen>] =
    ScreenAction.running + acts + ScreenAction.playing + ScreenAction.breaking + ScreenAction.branching + rows
    + ScreenAction.travelling("failure") + [.comparing]

  package var view: DeliveryView { DeliveryView(self) }

  package mutating func handle(_ message: ScreenMessage) -> [Effect] {
    let effects = handleShared(message)
    if case .refresh = message {
      state.own.update(state.engine.lastLoss, lastInput: session.lastInput, now: session.now)
    }
    return effects
  }

  // MARK: Properties

  package var page: Int { layout.timelineRows }
  package var hasRows: Bool { !state.cursor.list.value.isEmpty }
  package var precision: ClockZone.Precision { .tenths }

  // MARK: The simulation

  package var sentence: EngineSentence {
    EngineSentence(of: state.engine, at: engineTime, zone: session.zone, seen: state.own.seen)
  }
  package static var noun: String { "client" }
  package static var step: String { "entry" }
  package static var offline: EndpointFault { .offline }
  package static let confirmed = (
    use: LetterUse(
      name: "reset", label: "reset and drop the queue? ", hint: "y resets, any other key does not"),
    act: DeliverySimulationAct.reset
  )
  package var hasSteps: Bool { !state.entries.isEmpty }
  package static var byHand: EngineActs<ClientState, DeliverySimulationAct> { DeliveryActs.all }
}

package typealias DeliveryScreenState = EngineScreenState<
  ClientState, DeliverySimulated, DeliveryPane, LossNotice
>
