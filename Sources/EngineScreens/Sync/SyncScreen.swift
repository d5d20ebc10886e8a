package import DashboardCore
package import Platform
import Sync
package import SyncSimulation
import TerminalUI

/// The Sync screen: one sync engine according to its record, with controls if this program plays it.
package struct SyncScreen: EngineScreen {
  package static let title = ScreenTitle(name: "sync", title: "Sync", shortTitle: "Sync")
  package var context = ScreenContext(SyncScreenState(fault: .latency, own: SyncOwnState()))

  package typealias Engine = EngineState
  package typealias Simulated = SyncSimulated
  package typealias Pane = SyncPane
  package typealias Own = SyncOwnState

  package init() {}
  package static let actions: [ScreenAction<SyncScreen>] =
    [.comparing] + ScreenAction.running + acts + ScreenAction.playing + ScreenAction.breaking
    + ScreenAction.branching + ScreenAction.travelling("trouble") + rows

  package var view: SyncView { SyncView(self) }

  // MARK: Messages

  package mutating func handle(_ message: ScreenMessage) -> [Effect] {
    switch message {
    case .worked(let result): if let effects = adoptTest(result) { return effects }
    // The newest decision is at the top, and the last row is the live end.
    case .moveCursor(.max) where isInTimeline:
      state.cursor.selection = nil
      return []
    // Filtered entries must be visible, whichever pane is focused.
    case .edited(.filter, _): state.pane = .timeline
    default: break
    }
    return handleShared(message)
  }

  // MARK: Properties

  package var page: Int { isInTimeline ? layout.timelineRows : 10 }
  package var copiedLines: [String]? {
    ([sentence.wordings.first ?? ""] + entryLines).filter { !$0.isEmpty }
  }

  // MARK: The simulation

  package static var noun: String { "engine" }
  package static var step: String { "decision" }
  package static var offline: SimulatedFault { .offline }
  package static let confirmed = (
    use: LetterUse(
      name: "clear", label: "clear the queue? This cannot be undone: ",
      hint: "y clears it, any other key does not"), act: SimulationAct.clearPending
  )
  package var sentence: EngineSentence {
    EngineSentence(of: state.engine, at: engineTime, zone: session.zone)
  }
  package func recordedTest(_ name: String, since: Timestamp?) -> [Effect] {
    writeRecordedTest(name, since: since)
  }
  package var canTestRecord: Bool { !state.log.isEmpty }
  package var hasSteps: Bool { !state.engine.transitions.isEmpty }
  package static var byHand: EngineActs<EngineState, SimulationAct> { SyncActs.all }
}
