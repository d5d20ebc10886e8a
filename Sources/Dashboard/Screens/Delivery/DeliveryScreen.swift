package import Codecs
package import DeliverySimulation
package import Platform
import TerminalUI

/// The Delivery screen: one delivery client as its record tells of it; where this program plays it, also its controls.
package enum DeliveryScreen: EngineScreen {
  package static let title = ScreenTitle(name: "delivery", title: "Delivery", shortTitle: "Deliv")
  package static var initialState: DeliveryScreenState { DeliveryScreenState() }
  package static let actions: [ScreenAction<DeliveryScreen>] =
    ScreenAction.running + acts + ScreenAction.playing + ScreenAction.breaking + ScreenAction.branching + rows

  package static func view(of model: Context) -> DeliveryView { DeliveryView(model: model) }

  // MARK: Messages

  package static func reduce(_ model: inout Context, _ message: ScreenMessage) -> [Effect] {
    switch message {
    case .answered, .filesGrew, .wentToAlert, .appeared: break
    case .worked(let result): model.adopt(result)
    // A result that comes later is adopted all the same; without one the folding begins again.
    case .disappeared: model.state.room.folding = nil
    case .refresh: return model.refreshScreen()
    case .moveCursor(let rows): model.moveCursor(by: rows)
    case .enter: return model.enter()
    case .zoom, .resetZoom, .sort: break
    case .nextPane(let direction):
      model.state.pane = paneAfter(model.state.pane, direction, in: model.layout.panes)
    case .toggleMaximised: model.state.isMaximised.toggle()
    case .movePlayhead(let steps): model.moveAlong(by: steps)
    case .movePlayheadFar(let direction): model.moveAlong(by: 10 * direction)
    case .wheel(let rows, _): return reduce(&model, .moveCursor(by: rows))
    case .press(let position): return model.press(position)
    case .drag, .release: break
    case .focusPane(let position):
      if let pane = model.layout.panes.first(where: { model.layout.rect(of: $0).contains(position) }) {
        model.state.pane = pane
      }
    case .edited(let line, let text): if line == .filter { model.filter(by: text) }
    case .cancelled(let line): if line == .filter { model.filter(by: "") }
    case .submitted(let line, let text): return model.submit(line, text)
    case .letter(let use, let letter): return model.handleLetter(letter, use)
    case .picked(let picker, let query, let place): return model.pick(picker, query: query, place: place)
    }
    return []
  }

  // MARK: Facts

  package static func page(_ model: Context) -> Int { model.layout.timelineRows }
  package static func paneCount(_ model: Context) -> Int { model.layout.panes.count }
  package static func deadline(_ model: Context) -> Timestamp? { model.engineDeadline }
  package static func filter(_ model: Context) -> RowFilter? { model.state.cursor.filter }
  package static func hasRows(_ model: Context) -> Bool { !model.state.cursor.list.value.isEmpty }
  package static func kept(_ model: Context) -> [String: String] {
    model.state.cursor.filter.isEmpty ? [:] : ["filter": model.state.filter]
  }
  package static func restore(_ model: inout Context, _ kept: [String: String]) {
    model.state.cursor.filter = RowFilter(kept["filter"] ?? "", knowing: [])
  }
  package static func description(_ model: Context) -> String { model.description }
  package static func copiedLines(_ model: Context) -> [String]? { model.copiedLines }
  /// A simulation may be ahead of the clock, or behind it: what is meant is what is seen.
  package static func mark(_ model: Context) -> (time: Timestamp, text: String) { (model.engineTime, "") }
  package static func precision(_ model: Context) -> ClockZone.Precision { .tenths }
  package static func choices(
    _ model: Context, _ picker: Picker, query: String
  ) -> [PickerChoice<DeliveryScreen>] { model.choices(picker, query) }

  // MARK: The simulation

  package static var noun: String { "client" }
  package static var step: String { "entry" }
  package static var offline: EndpointFault { .offline }
  package static var clearFaults: DeliverySimulationAct { .clearFaults }
  package static func sentence(_ model: Context) -> EngineSentence {
    EngineSentence(of: model.state.engine, at: model.engineTime, zone: model.session.zone)
  }
  package static func searched(_ happening: ClientState.Happening) -> String {
    TimelineFormatter.searched(happening)
  }
  package static func lineQuery(of happening: ClientState.Happening) -> LineQuery {
    happening.entry.lineQuery(at: happening.time)
  }
  package static func hasSteps(_ model: Context) -> Bool { !model.state.entries.isEmpty }
  package static func isAmongFaults(_ model: Context) -> Bool { model.state.pane == .faults }
  package static func goToFaults(_ model: inout Context) {
    if model.layout.panes.contains(.faults) { model.state.pane = .faults }
  }
  package static func moveAlong(_ model: inout Context, by steps: Int) { model.moveAlong(by: steps) }
  package static func selectNewest(_ model: inout Context) {
    (model.state.cursor.selection, model.state.cursor.isOpen) = (nil, false)
  }
  package static func acts(_ query: String) -> [(title: String, act: DeliverySimulationAct)] {
    DeliveryActs.choices(query)
  }
  package static func changes(
    _ model: Context, _ query: String
  ) -> [(title: String, act: DeliverySimulationAct?)] {
    DeliveryActs.changes(of: model.state.engine, query)
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
