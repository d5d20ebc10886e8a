import Platform
import Sync
import SyncSimulation

/// What belongs to the Sync screen alone.
package struct SyncScreenState: EngineScreenState {
  package var room = EngineRoom<EngineState, SyncSimulated>(fault: .latency)
  /// The number of the selected decision; `nil` for the newest.
  package internal(set) var selection: Int?
  /// The pane that the keys act in.
  package internal(set) var pane = SyncPane.decisions
  var isMaximised = false
  /// How many changes are scrolled away above the list of the queue.
  var queueOffset = 0
}
