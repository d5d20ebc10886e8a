import Aggregation
import Sync

// What the Sync screen knows of the record.
extension SyncScreen {
  /// Maximum number of entries that are folded between two frames: a long record must not keep a key waiting.
  static let batchLimit = 4_000
}

extension ScreenModel where Owner == SyncScreen {
  /// How many entries of the feed are still to be folded.
  var backlog: Int { state.record.backlog(of: session.feed.engines.sync) }

  /// Folds what the feed has read since, and shows the engine of the playhead's moment.
  ///
  /// Only while the screen is shown: most dashboards never show it. A large backlog is folded beside the loop.
  mutating func refresh() -> [Effect] {
    let effects = foldNewEntries()
    showEngine()
    return effects
  }

  private mutating func foldNewEntries() -> [Effect] {
    let entries = session.feed.engines.sync
    guard state.record.isBehind(entries) else { return [] }
    guard backlog > SyncScreen.batchLimit else {
      state.record.fold(entries)
      return []
    }
    guard state.folding != state.record.extent else { return [] }
    state.folding = state.record.extent
    return [work("record") { [record = state.record] in FoldedBacklog(of: entries, after: record) }]
  }

  /// Adopts a backlog that was folded beside the loop, if it still goes on from what is known.
  mutating func adopt(_ result: any Sendable) {
    guard let backlog = result as? FoldedBacklog else { return }
    if state.folding == backlog.start { state.folding = nil }
    guard backlog.start == state.record.extent,
      backlog.record.extent.generation == session.feed.engines.sync.generation
    else { return }
    state.record = backlog.record
  }

  private mutating func showEngine() {
    state.followBranches()
    let (log, branch) = (state.log, state.branch)
    let moment = session.isFrozen ? session.edge : nil
    let key = SyncScreenState.EngineKey(extent: state.record.extent, branch: branch, moment: moment)
    state.shownEngine.update(for: key) { _ in log.state(of: branch, at: moment) }
  }
}
