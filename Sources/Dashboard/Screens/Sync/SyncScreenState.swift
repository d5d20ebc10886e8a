import Platform
package import Sync

/// What belongs to the Sync screen alone.
package struct SyncScreenState: Sendable {
  /// What the shown engine is computed from.
  struct EngineKey: Hashable, Sendable {
    let extent: FoldedRecord.Extent
    let branch: Int
    /// `nil` for the end of the record.
    let moment: Timestamp?
  }

  /// The record as far as it is folded.
  var record = FoldedRecord()
  /// Where the folding began that is under way beside the loop; `nil` while there is none.
  var folding: FoldedRecord.Extent?
  /// What the record comes to at the moment that is shown.
  var shownEngine = Derived<EngineKey, EngineState>(EngineState())
  /// The number of the selected decision; `nil` for the newest.
  package internal(set) var selection: Int?
  /// The branch that is shown; 0 is the main one.
  package internal(set) var branch = 0
  /// The pane that the keys act in.
  package internal(set) var pane = SyncPane.decisions
  var isMaximised = false
  /// The fault that the keys act on.
  package internal(set) var fault = SimulatedFault.latency
  /// How many changes are scrolled away above the list of the queue.
  var queueOffset = 0
  /// Branches that the person does not want to see any more.
  var dropped: Set<Int> = []
  /// A branch with a larger number is shown as soon as it begins; `nil` when none is waited for.
  var awaited: Int?
  /// The mark that the test begins at whose name is being typed; `nil` for the start of the session.
  var testMark: Character?

  package var log: SyncLog { record.log }
  /// The engine at the moment that is shown.
  package var engine: EngineState { shownEngine.value }
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
