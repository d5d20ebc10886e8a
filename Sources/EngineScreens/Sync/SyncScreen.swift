package import DashboardCore
package import Platform
import Sync
package import SyncSimulation
import TerminalUI

/// The Sync screen: one sync engine as its record tells of it; where this program plays it, also its controls.
package struct SyncScreen: EngineScreen {
  package static let title = ScreenTitle(name: "sync", title: "Sync", shortTitle: "Sync")
  package var context = ScreenContext(SyncScreenState())

  package init() {}
  package static let actions: [ScreenAction<SyncScreen>] =
    comparing + ScreenAction.running + acts + ScreenAction.playing + ScreenAction.breaking
    + ScreenAction.branching + travel + rows

  package var view: SyncView { SyncView(self) }

  // MARK: Messages

  package mutating func handle(_ message: ScreenMessage) -> [Effect] {
    switch message {
    case .answered, .filesGrew, .wentToAlert, .appeared: break
    case .worked(let result):
      if let effects = adoptTest(result) { return effects }
      adopt(result)
    // A result that comes later is adopted all the same; without one the folding begins again.
    case .disappeared: state.room.folding = nil
    case .refresh: return refreshScreen()
    // The newest decision stands at the top, and the last row is the live end.
    case .moveCursor(.max) where isInTimeline:
      state.cursor.selection = nil
    case .moveCursor(let rows): moveCursor(by: rows)
    case .enter: return enter()
    case .zoom, .resetZoom, .sort: break
    case .nextPane(let direction):
      state.pane = paneAfter(state.pane, direction, in: layout.panes)
    case .toggleMaximised: state.isMaximised.toggle()
    case .movePlayhead(let steps): moveAlongTransitions(by: steps)
    case .movePlayheadFar(let direction): moveAlongTransitions(by: 10 * direction)
    case .wheel(let rows, _): return handle(.moveCursor(by: rows))
    case .press(let position): return press(position)
    case .drag, .release, .focusDetails: break
    case .focusPane(let position):
      if let pane = layout.panes.first(where: { layout.rect(of: $0).contains(position) }) {
        state.pane = pane
      }
    case .edited(let line, let text):
      guard line == .filter else { return [] }
      // Filtered entries must be visible, whichever pane the keys act in.
      state.pane = .decisions
      filter(by: text)
    case .cancelled(let line): if line == .filter { filter(by: "") }
    case .submitted(let line, let text): return submit(line, text)
    case .letter(let use, let letter): return handleLetter(letter, use)
    case .picked(let picker, let query, let place): return pick(picker, query: query, place: place)
    }
    return []
  }

  // MARK: Facts

  package var page: Int { isInTimeline ? layout.timelineRows : 10 }
  package var paneCount: Int { layout.panes.count }
  package var deadline: Timestamp? { engineDeadline }
  package var copiedLines: [String]? {
    ([sentence.wordings.first ?? ""] + entryLines).filter { !$0.isEmpty }
  }
  /// A simulation may be ahead of the clock, or behind it: what is meant is what is seen.
  package var mark: (time: Timestamp, text: String) { (engineTime, "") }

  // MARK: The simulation

  package static var noun: String { "engine" }
  package static var step: String { "decision" }
  package static var offline: SimulatedFault { .offline }
  package static var clearFaults: SimulationAct { .clearFaults }
  package var sentence: EngineSentence {
    EngineSentence(of: state.engine, at: engineTime, zone: session.zone)
  }
  package func recordedTest(_ name: String, since: Timestamp?) -> [Effect] {
    writeRecordedTest(name, since: since)
  }
  package var canTestRecord: Bool { !state.log.isEmpty }
  package var filter: RowFilter? { state.cursor.filter }
  package var kept: [String: String] {
    state.cursor.filter.isEmpty ? [:] : ["filter": state.filter]
  }
  package mutating func restore(_ kept: [String: String]) {
    state.cursor.filter = RowFilter(kept["filter"] ?? "", knowing: [])
  }
  package static func searched(_ happening: EngineHappening<SyncHappening>) -> String {
    SyncTimelineFormatter.searched(happening)
  }
  package static func lineQuery(of happening: EngineHappening<SyncHappening>) -> LineQuery {
    happening.lineQuery
  }
  package var hasSteps: Bool { !state.engine.transitions.isEmpty }
  package var isAmongFaults: Bool { state.pane == .faults }
  package mutating func goToFaults() {
    if layout.panes.contains(.faults) { state.pane = .faults }
  }
  package mutating func moveAlong(by steps: Int) {
    moveAlongTransitions(by: steps)
  }
  package mutating func selectNewest() {
    (state.cursor.selection, state.cursor.isOpen) = (nil, false)
  }
  package static func acts(_ query: String) -> [(title: String, act: SimulationAct)] {
    SyncActs.choices(query)
  }
  package func changes(_ query: String) -> [(title: String, act: SimulationAct?)] {
    SyncActs.changes(of: state.engine, query)
  }
}
