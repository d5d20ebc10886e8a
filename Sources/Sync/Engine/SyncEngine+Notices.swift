import MisterMetricsCore
import TelemetryCore

/// Something that an app may want to hear of, as it happens.
public enum SyncNotice: Hashable, Sendable {
  /// A run ended, whoever asked for it.
  case run(SyncRunSummary)
  /// These rows were written or removed; rows that were linked to one of them are not named.
  case rows(Set<EntityKey>)
  /// The server did not take a change; one that is dead is not tried again.
  case failed(Mutation, SyncError, isDead: Bool)
  /// A local change and a remote one wanted different things, and this is what became of it.
  case conflict(SyncConflict, ConflictResolution)
  /// Everything is fetched again.
  case startsOver(StartOver)

  /// Why everything is fetched again.
  public enum StartOver: String, Hashable, Sendable {
    /// The store is new, or what it held was not whole.
    case noCursor
    /// The server no longer knows the cursor.
    case cursorExpired
    /// The app asked for it.
    case forced
    /// Everything was erased.
    case erased
  }
}

extension SyncEngine {
  /// Events from now on, in order; a slow reader misses the oldest beyond 1,024.
  ///
  /// The stream holds neither the engine nor its files: it ends when the engine goes or is stopped.
  public func notices() -> AsyncStream<SyncNotice> {
    guard !isStopped else { return AsyncStream { $0.finish() } }
    let tasks = environment.tasks
    return noticeObservers.stream { [weak self] number in
      _ = tasks.start { [weak self] in await self?.removeNoticeObserver(number) }
    }
  }

  private func removeNoticeObserver(_ number: Int) { noticeObservers.remove(number) }

  func notify(_ notice: SyncNotice) {
    if case .rows(let keys) = notice, keys.isEmpty { return }
    noticeObservers.send(notice)
  }

  /// Records and tells what a transaction did besides what was asked of it.
  func tell(_ changes: EntityChanges) {
    for mutation in changes.removed { record(mutation, .cleared) }
    for resolved in changes.conflicts {
      journal?.add(SyncMetric.conflict, SyncConflictRecord(resolved, branch))
      notify(.conflict(resolved.conflict, resolved.resolution))
    }
    for mutation in changes.rewritten { recordRewritten(mutation) }
    notify(.rows(changes.rows))
  }

  /// The judge of conflicts, for the length of one transaction.
  var judge: ConflictJudge {
    ConflictJudge(resolver: environment.conflicts, newKey: { self.identifiers.random() })
  }
}
