import MisterMetricsCore
import TelemetryCore

/// An event of interest to an app.
public enum SyncNotice: Hashable, Sendable {
  /// A run ended, whatever its trigger.
  case run(SyncRunSummary)
  /// These rows were written or removed; rows that were linked to one of them are not included.
  case rows(Set<EntityKey>)
  /// The server did not accept a change; a dead one is not retried.
  case failed(Mutation, SyncError, isDead: Bool)
  /// A local and a remote change disagreed, with the resolution.
  case conflict(SyncConflict, ConflictResolution)
  /// Everything is fetched again.
  case startsOver(StartOver)

  /// The reason for fetching everything again.
  public enum StartOver: String, Hashable, Sendable {
    /// The store is new, or was incomplete.
    case noCursor
    /// The server no longer knows the cursor.
    case cursorExpired
    /// The app requested it.
    case forced
    /// Everything was erased.
    case erased
  }
}

extension SyncEngine {
  /// Events from now on, in order; a slow reader loses the oldest beyond 1,024.
  ///
  /// The stream retains neither the engine nor its files: it ends when the engine is released or stopped.
  public func notices() -> AsyncStream<SyncNotice> {
    guard !isStopped else { return AsyncStream { $0.finish() } }
    let tasks = environment.tasks
    return noticeObservers.stream { [weak self] number in
      _ = tasks.start { [weak self] in await self?.removeNoticeObserver(number) }
    }
  }

  private func removeNoticeObserver(_ number: Int) { noticeObservers.remove(number) }

  func notify(_ notice: SyncNotice) {
    switch notice {
    case .rows(let keys):
      guard !keys.isEmpty else { return }
      rowsChanged(of: Set(keys.map(\.kind)))
    case .failed(let mutation, _, _): rowsChanged(of: [mutation.entity.kind])
    case .run, .conflict, .startsOver: break
    }
    noticeObservers.send(notice)
  }

  /// Records and reports side effects of a transaction.
  func tell(_ changes: EntityChanges) {
    for mutation in changes.removed { record(mutation, .cleared) }
    for resolved in changes.conflicts {
      journal?.add(SyncMetric.conflict, SyncConflictRecord(resolved, branch))
      notify(.conflict(resolved.conflict, resolved.resolution))
    }
    for mutation in changes.rewritten { recordRewritten(mutation) }
    notify(.rows(changes.rows))
  }

  /// The conflict judge for one transaction.
  var judge: ConflictJudge {
    ConflictJudge(resolver: environment.conflicts, newKey: { self.identifiers.random() })
  }
}
