import Aggregation
import DashboardCore

// The engine screen's view of the record.
extension EngineScreen {
  private var entries: EngineEntries { session.feed.engines[Simulated.kind] }

  /// Number of entries in the feed that are not folded yet.
  var backlog: Int { state.record.backlog(of: entries) }

  /// Folds new entries of the feed, and updates the engine for the playhead's moment.
  ///
  /// Only while the screen is shown, which most dashboards never do. A large backlog is folded off the loop.
  mutating func refresh() -> [Effect] {
    let effects = foldNewEntries()
    showEngine()
    return effects
  }

  private mutating func foldNewEntries() -> [Effect] {
    let entries = entries
    guard state.record.isBehind(entries) else { return [] }
    guard backlog > Self.batchLimit else {
      state.record.fold(entries)
      return []
    }
    guard state.folding != state.record.extent else { return [] }
    state.folding = state.record.extent
    return [work("record") { [record = state.record] in FoldedBacklog(of: entries, after: record) }]
  }

  /// Adopts a backlog folded off the loop, if it still continues the known record.
  mutating func adopt(_ result: any Sendable) {
    guard let backlog = result as? FoldedBacklog<Engine> else { return }
    if state.folding == backlog.start { state.folding = nil }
    guard backlog.start == state.record.extent,
      backlog.record.extent.generation == entries.generation
    else { return }
    state.record = backlog.record
  }

  private mutating func showEngine() {
    state.followBranches()
    let (log, branch) = (state.log, state.branch)
    let moment = session.isFrozen ? session.present : nil
    let key = EngineKey(
      extent: state.record.extent, branch: branch, moment: moment)
    state.shownEngine.update(for: key) { _ in log.state(of: branch, at: moment) }
  }
}
