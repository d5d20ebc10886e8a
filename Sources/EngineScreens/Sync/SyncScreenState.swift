package import DashboardCore
import Platform
import Sync
import SyncSimulation

/// State that belongs to the Sync screen alone.
package struct SyncScreenState: EngineScreenState {
  package var room = EngineRoom<EngineState, SyncSimulated>(fault: .latency)
  package var cursor = TimelineCursor<SyncHappening>()
  /// The pane that the keys act in.
  package var pane = SyncPane.timeline
  package var isMaximised = false
  /// The id of the selected change of the queue; `nil` for the first.
  package internal(set) var change: String?
  /// How far two futures are scrolled from their first difference.
  var futureScroll = 0
}
