package import Platform
import Sync
package import SyncSimulation
import TerminalUI

/// The Sync screen: one sync engine as its record tells of it; where this program plays it, also its controls.
package enum SyncScreen: EngineScreen {
  package static let title = ScreenTitle(name: "sync", title: "Sync", shortTitle: "Sync")
  package static var initialState: SyncScreenState { SyncScreenState() }
  package static let actions: [ScreenAction<SyncScreen>] =
    comparing + ScreenAction.running + acts + ScreenAction.playing + ScreenAction.breaking
    + ScreenAction.branching + travel + rows

  package static func view(of model: Context) -> SyncView { SyncView(model: model) }

  // MARK: Messages

  package static func reduce(_ model: inout Context, _ message: ScreenMessage) -> [Effect] {
    switch message {
    case .answered, .filesGrew, .wentToAlert, .appeared: break
    case .worked(let result):
      if let effects = model.adoptTest(result) { return effects }
      model.adopt(result)
    // A result that comes later is adopted all the same; without one the folding begins again.
    case .disappeared: model.state.room.folding = nil
    case .refresh: return model.refreshScreen()
    // The newest decision stands at the top, and the last row is the live end.
    case .moveCursor(.max) where model.isInTimeline:
      model.state.cursor.selection = nil
    case .moveCursor(let rows): model.moveCursor(by: rows)
    case .enter: return model.enter()
    case .zoom, .resetZoom, .sort: break
    case .nextPane(let direction):
      model.state.pane = paneAfter(model.state.pane, direction, in: model.layout.panes)
    case .toggleMaximised: model.state.isMaximised.toggle()
    case .movePlayhead(let steps): model.moveAlongTransitions(by: steps)
    case .movePlayheadFar(let direction): model.moveAlongTransitions(by: 10 * direction)
    case .wheel(let rows, _): return reduce(&model, .moveCursor(by: rows))
    case .press(let position): return model.press(position)
    case .drag, .release: break
    case .focusPane(let position):
      if let pane = model.layout.panes.first(where: { model.layout.rect(of: $0).contains(position) }) {
        model.state.pane = pane
      }
    case .edited(let line, let text):
      guard line == .filter else { return [] }
      // Filtered entries must be visible, whichever pane the keys act in.
      model.state.pane = .decisions
      model.filter(by: text)
    case .cancelled(let line): if line == .filter { model.filter(by: "") }
    case .submitted(let line, let text): return model.submit(line, text)
    case .letter(let use, let letter): return model.handleLetter(letter, use)
    case .picked(let picker, let query, let place): return model.pick(picker, query: query, place: place)
    }
    return []
  }

  // MARK: Facts

  package static func page(_ model: Context) -> Int { model.isInTimeline ? model.layout.timelineRows : 10 }
  package static func paneCount(_ model: Context) -> Int { model.layout.panes.count }
  package static func deadline(_ model: Context) -> Timestamp? { model.engineDeadline }
  package static func description(_ model: Context) -> String { model.description }
  package static func copiedLines(_ model: Context) -> [String]? {
    ([sentence(model).wordings.first ?? ""] + model.entryLines).filter { !$0.isEmpty }
  }
  /// A simulation may be ahead of the clock, or behind it: what is meant is what is seen.
  package static func mark(_ model: Context) -> (time: Timestamp, text: String) { (model.engineTime, "") }
  package static func choices(_ model: Context, _ picker: Picker, query: String) -> [PickerChoice<SyncScreen>]
  {
    model.choices(picker, query)
  }

  // MARK: The simulation

  package static var noun: String { "engine" }
  package static var step: String { "decision" }
  package static var offline: SimulatedFault { .offline }
  package static var clearFaults: SimulationAct { .clearFaults }
  package static func sentence(_ model: Context) -> EngineSentence {
    EngineSentence(of: model.state.engine, at: model.engineTime, zone: model.session.zone)
  }
  package static func recordedTest(_ model: Context, _ name: String, since: Timestamp?) -> [Effect] {
    model.writeRecordedTest(name, since: since)
  }
  package static func canTestRecord(_ model: Context) -> Bool { !model.state.log.isEmpty }
  package static func filter(_ model: Context) -> RowFilter? { model.state.cursor.filter }
  package static func kept(_ model: Context) -> [String: String] {
    model.state.cursor.filter.isEmpty ? [:] : ["filter": model.state.filter]
  }
  package static func restore(_ model: inout Context, _ kept: [String: String]) {
    model.state.cursor.filter = RowFilter(kept["filter"] ?? "", knowing: [])
  }
  package static func searched(_ happening: EngineHappening<SyncHappening>) -> String {
    SyncTimelineFormatter.searched(happening)
  }
  package static func lineQuery(of happening: EngineHappening<SyncHappening>) -> LineQuery {
    happening.lineQuery
  }
  package static func hasSteps(_ model: Context) -> Bool { !model.state.engine.transitions.isEmpty }
  package static func isAmongFaults(_ model: Context) -> Bool { model.state.pane == .faults }
  package static func goToFaults(_ model: inout Context) {
    if model.layout.panes.contains(.faults) { model.state.pane = .faults }
  }
  package static func moveAlong(_ model: inout Context, by steps: Int) {
    model.moveAlongTransitions(by: steps)
  }
  package static func selectNewest(_ model: inout Context) {
    (model.state.cursor.selection, model.state.cursor.isOpen) = (nil, false)
  }
  package static func acts(_ query: String) -> [(title: String, act: SimulationAct)] {
    SyncActs.choices(query)
  }
  package static func changes(_ model: Context, _ query: String) -> [(title: String, act: SimulationAct?)] {
    SyncActs.changes(of: model.state.engine, query)
  }
}
