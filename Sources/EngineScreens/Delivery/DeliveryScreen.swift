package import Codecs
package import DashboardCore
package import DeliverySimulation
package import Platform
import TerminalUI

/// The Delivery screen: one delivery client as its record tells of it; where this program plays it, also its controls.
package struct DeliveryScreen: EngineScreen {
  package static let title = ScreenTitle(name: "delivery", title: "Delivery", shortTitle: "Deliv")
  package var context = ScreenContext(DeliveryScreenState())

  package init() {}
  package static let actions: [ScreenAction<DeliveryScreen>] =
    ScreenAction.running + acts + ScreenAction.playing + ScreenAction.breaking + ScreenAction.branching + rows

  package var view: DeliveryView { DeliveryView(self) }

  // MARK: Messages

  package mutating func handle(_ message: ScreenMessage) -> [Effect] {
    switch message {
    case .answered, .filesGrew, .wentToAlert, .appeared: break
    case .worked(let result): adopt(result)
    // A result that comes later is adopted all the same; without one the folding begins again.
    case .disappeared: state.room.folding = nil
    case .refresh: return refreshScreen()
    case .moveCursor(let rows): moveCursor(by: rows)
    case .enter: return enter()
    case .zoom, .resetZoom, .sort: break
    case .nextPane(let direction):
      state.pane = paneAfter(state.pane, direction, in: layout.panes)
    case .toggleMaximised: state.isMaximised.toggle()
    case .movePlayhead(let steps): moveAlong(by: steps)
    case .movePlayheadFar(let direction): moveAlong(by: 10 * direction)
    case .wheel(let rows, _): return handle(.moveCursor(by: rows))
    case .press(let position): return press(position)
    case .drag, .release, .focusDetails: break
    case .focusPane(let position):
      if let pane = layout.panes.first(where: { layout.rect(of: $0).contains(position) }) {
        state.pane = pane
      }
    case .edited(let line, let text): if line == .filter { filter(by: text) }
    case .cancelled(let line): if line == .filter { filter(by: "") }
    case .submitted(let line, let text): return submit(line, text)
    case .letter(let use, let letter): return handleLetter(letter, use)
    case .picked(let picker, let query, let place): return pick(picker, query: query, place: place)
    }
    return []
  }

  // MARK: Facts

  package var page: Int { layout.timelineRows }
  package var paneCount: Int { layout.panes.count }
  package var deadline: Timestamp? { engineDeadline }
  package var filter: RowFilter? { state.cursor.filter }
  package var hasRows: Bool { !state.cursor.list.value.isEmpty }
  package var kept: [String: String] {
    state.cursor.filter.isEmpty ? [:] : ["filter": state.filter]
  }
  package mutating func restore(_ kept: [String: String]) {
    state.cursor.filter = RowFilter(kept["filter"] ?? "", knowing: [])
  }
  /// A simulation may be ahead of the clock, or behind it: what is meant is what is seen.
  package var mark: (time: Timestamp, text: String) { (engineTime, "") }
  package var precision: ClockZone.Precision { .tenths }

  // MARK: The simulation

  package static var noun: String { "client" }
  package static var step: String { "entry" }
  package static var offline: EndpointFault { .offline }
  package static var clearFaults: DeliverySimulationAct { .clearFaults }
  package var sentence: EngineSentence {
    EngineSentence(of: state.engine, at: engineTime, zone: session.zone)
  }
  package static func searched(_ happening: ClientState.Happening) -> String {
    TimelineFormatter.searched(happening)
  }
  package static func lineQuery(of happening: ClientState.Happening) -> LineQuery {
    happening.entry.lineQuery(at: happening.time)
  }
  package var hasSteps: Bool { !state.entries.isEmpty }
  package var isAmongFaults: Bool { state.pane == .faults }
  package mutating func goToFaults() {
    if layout.panes.contains(.faults) { state.pane = .faults }
  }
  package mutating func selectNewest() {
    (state.cursor.selection, state.cursor.isOpen) = (nil, false)
  }
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
  package internal(set) var pane = DeliveryPane.timeline
  package var isMaximised = false
}
