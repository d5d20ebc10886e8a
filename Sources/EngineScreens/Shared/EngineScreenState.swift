package import DashboardCore
import Platform

/// The state of a screen that shows an engine: its record, the shown branch, its timeline, and what is its own.
package struct EngineScreenState<
  Engine: FoldedEngine, Simulated: SimulatedEngine, Pane: EnginePane, Own: Sendable
>: Sendable {
  /// The record as far as it is folded.
  var record = FoldedRecord<Engine>()
  /// Where the folding began that is under way beside the loop; `nil` while there is none.
  var folding: RecordExtent?
  /// The engine folded from the record up to the shown moment.
  var shownEngine = Derived<EngineKey, Engine>(Engine())
  /// The branch that is shown; 0 is the main one.
  package internal(set) var branch = 0
  /// The fault that the keys act on.
  package internal(set) var fault: Simulated.Fault
  /// Branches that the person does not want to see any more.
  var dropped: Set<Int> = []
  /// A branch with a larger number is shown as soon as it begins; `nil` when none is waited for.
  var awaited: Int?
  /// The mark that the test begins at whose name is being typed; `nil` for the start of the session.
  var testMark: Character?

  /// The pane that the keys act in.
  package var pane = Pane.timeline
  /// True if it has all the room.
  package var isMaximised = false
  /// The listed entries of the timeline, and the selected one.
  var cursor = TimelineCursor<Engine.Entry>()
  /// State that only the screen of this engine has.
  var own: Own

  init(fault: Simulated.Fault, own: Own) {
    (self.fault, self.own) = (fault, own)
  }

  /// The number of the selected entry of the timeline; `nil` for the newest.
  package var selection: Int? { cursor.selection }
  /// True if all about the selected entry is shown.
  package var isOpen: Bool { cursor.isOpen }
  /// The words that the entries of the timeline must hold.
  package var filter: String { cursor.filter.text }
  /// The listed entries of the timeline, oldest first.
  package var entries: [EngineHappening<Engine.Entry>] { cursor.list.value }

  package var log: EngineLog<Engine> { record.log }
  /// The engine at the moment that is shown.
  package var engine: Engine { shownEngine.value }
  /// The moment that the engine is shown at; `nil` for the end of the record.
  var moment: Timestamp? { shownEngine.key?.moment }

  /// The branches that can be shown, the main one first.
  package var branches: [Int] { log.branches.filter { $0 == 0 || !dropped.contains($0) } }

  /// The branch that the shown one is compared with: the newest other one.
  package var other: Int? { branches.last { $0 != branch } }

  /// Shows the branch that was waited for, and the main one where the one that was shown is gone.
  mutating func followBranches() {
    if let awaited, let newest = log.branches.last, newest > awaited {
      (branch, self.awaited) = (newest, nil)
    }
    // Another session has begun, or the branch had to make room.
    if log.branch(branch) == nil { branch = 0 }
  }
}
