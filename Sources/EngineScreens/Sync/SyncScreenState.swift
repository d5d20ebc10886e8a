package import DashboardCore

/// State that belongs to the Sync screen alone.
package struct SyncOwnState: Sendable {
  /// The id of the selected change of the queue; `nil` for the first.
  var change: String?
  /// How far two futures are scrolled from their first difference.
  var futureScroll = 0
}

package typealias SyncScreenState = EngineScreenState<EngineState, SyncSimulated, SyncPane, SyncOwnState>
