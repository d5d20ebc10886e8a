package import DashboardCore
import Platform

/// The state of an engine's screen: the record, the shown branch, the timeline, and state specific to the engine.
package struct EngineScreenState<
  Engine: FoldedEngine, Simulated: SimulatedEngine, Pane: EnginePane, Own: Sendable
>: Sendable {
  /// The folded part of the record.
  var record = FoldedRecord<Engine>()
  /// Start of the folding under way off the loop; `nil` without any.
  var folding: RecordExtent?
  /// The engine folded from the record up to the shown moment.
  var shownEngine = Derived<EngineKey, Engine>(Engine())
  /// The shown branch; 0 is the main one.
  package internal(set) var branch = 0
  /// The fault that keys act on.
  package internal(set) var fault: Simulated.Fault
  /// Branches that the user dropped.
  var dropped: Set<Int> = []
  /// A branch with a larger number is shown as soon as it begins; `nil` if none is expected.
  var awaited: Int?
  /// The start mark of the test whose name is being typed; `nil` for the start of the session.
  var testMark: Character?

  /// The focused pane.
  package var pane = Pane.timeline
  /// True if it fills all the space.
  package var isMaximised = false
  /// The listed entries of the timeline, and the selected one.
  var cursor = TimelineCursor<Engine.Entry>()
  /// State specific to the screen of this engine.
  var own: Own

  init(fault: Simulated.Fault, own: Own) {
    (self.fault, self.own) = (fault, own)
  }

  /// The sequence number of the selected timeline entry; `nil` for the newest.
  package var selection: Int? { cursor.selection }
  /// True if the details of the selected entry are shown.
  package var isOpen: Bool { cursor.isOpen }
  /// The words that timeline entries must contain.
  package var filter: String { cursor.filter.text }
  /// The listed entries of the timeline, oldest first.
  package var entries: [EngineHappening<Engine.Entry>] { cursor.list.value }

  package var log: EngineLog<Engine> { record.log }
  /// The engine at the shown moment.
  package var engine: Engine { shownEngine.value }
  /// The moment of the shown engine; `nil` for the end of the record.
  var moment: Timestamp? { shownEngine.key?.moment }

  /// The branches that can be shown, the main one first.
  package var branches: [Int] { log.branches.filter { $0 == 0 || !dropped.contains($0) } }

  /// The branch that the shown one is compared with: the newest other one.
  package var other: Int? { branches.last { $0 != branch } }

  /// Shows the expected branch once it exists, or the main branch if the shown one is gone.
  mutating func followBranches() {
    if let awaited, let newest = log.branches.last, newest > awaited {
      (branch, self.awaited) = (newest, nil)
    }
    // Another session has begun, or the branch was evicted.
    if log.branch(branch) == nil { branch = 0 }
  }
}
