package import DashboardCore

/// State specific to the Sync screen.
package struct SyncOwnState: Sendable {
  /// The id of the selected change in the queue; `nil` for the first.
  var change: String?
  /// Scroll offset of the two futures from their first difference.
  var futureScroll = 0
}

package typealias SyncScreenState = EngineScreenState<EngineState, SyncSimulated, SyncPane, SyncOwnState>
