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
    case .worked(let result): if let effects = adoptTest(result) { return effects }
    // The newest decision stands at the top, and the last row is the live end.
    case .moveCursor(.max) where isInTimeline:
      state.cursor.selection = nil
      return []
    // Filtered entries must be visible, whichever pane the keys act in.
    case .edited(.filter, _): state.pane = .timeline
    default: break
    }
    return handleShared(message)
  }

  // MARK: Facts

  package var page: Int { isInTimeline ? layout.timelineRows : 10 }
  package var copiedLines: [String]? {
    ([sentence.wordings.first ?? ""] + entryLines).filter { !$0.isEmpty }
  }

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
  package static func acts(_ query: String) -> [(title: String, act: SimulationAct)] {
    SyncActs.choices(query)
  }
  package func changes(_ query: String) -> [(title: String, act: SimulationAct?)] {
    SyncActs.changes(of: state.engine, query)
  }
}
