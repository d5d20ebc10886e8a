import TelemetryCore

extension SyncRule {
  private static let resting: Set<SyncState.Kind> = [.idle, .error, .rateLimited]
  private static let anyState = Set(SyncState.Kind.allCases)

  private static func ending(_ ending: SyncEnding) -> [SyncAction] {
    [.endIntervals, .recordRun(ending), .releaseRun]
  }

  /// The transition table: the first matching row applies.
  ///
  /// The numbers are those of docs/sync-engine.md. Rows that are implicit there (a failed batch, the pages of the feed)
  /// have the number of the row that they belong to.
  package static let table: [SyncRule] = asking + probing + pushing + limits + pulling + endings + commands

  private static let asking: [SyncRule] = [
    SyncRule("1", anyState, .syncRequested, [.runActive], to: .same, [.refuse, .rememberRequest]),
    SyncRule("2", resting, .syncRequested, [.breakerOpen], to: .state(.rateLimited), [.refuse]),
    SyncRule("2b", resting, .syncRequested, [.noRunActive, .limitHolds], to: .same, [.refuse]),
    SyncRule("2a", resting, .syncRequested, [.noRunActive, .floorHolds], to: .same, [.refuse]),
    SyncRule(
      "3", resting, .syncRequested, [.noRunActive, .breakerNotOpen], to: .same,
      [.claimRun, .cancelTimer, .begin(.fullSync), .begin(.healthCheck), .probe]),
  ]

  private static let skipping = ending(.skipped)

  private static let probing: [SyncRule] = [
    SyncRule(
      "4", [.idle, .error], .probeFailed, [.probing, .sessionKept], to: .same, [.waitForRetry] + skipping),
    SyncRule(
      "4a", [.rateLimited], .probeFailed, [.probing, .sessionKept], to: .state(.idle),
      [.waitForRetry] + skipping),
    SyncRule("4b", resting, .probeFailed, [.probing, .sessionLost], to: .state(.error), ending(.failed)),
    SyncRule(
      "5", resting, .probeSucceeded, [.probing], to: .state(.syncing),
      [.end(.healthCheck), .begin(.flushMutations), .push]),
  ]

  private static let pushing: [SyncRule] = [
    SyncRule(
      "6", [.syncing], .pushAcknowledged, [.pushing], to: .state(.syncing),
      [.countPushed, .clearRateLimits, .forgetGrowth, .forgetRetries]),
    SyncRule(
      "6a", [.syncing], .pushDuplicated, [.pushing], to: .state(.syncing),
      [.countPushed, .clearRateLimits, .forgetRetries]),
    SyncRule(
      "7", [.syncing], .pushFailed, [.pushing, .attemptsLeft], to: .same,
      [.countFailed, .clearRateLimits, .forgetRetries, .keepMutation, .emit(.retryAttempt)]),
    SyncRule(
      "7a", [.syncing], .batchFailed, [.pushing], to: .same,
      [.countFailed, .clearRateLimits, .forgetRetries]),
    SyncRule(
      "7b", [.syncing], .pushInterrupted, [.pushing], to: .state(.error),
      [.waitForRetry, .emit(.failure)] + ending(.limited)),
    SyncRule(
      "7c", [.syncing], .pushConflicted, [.pushing], to: .same,
      [.clearRateLimits, .forgetRetries, .resolveConflict]),
    SyncRule(
      "8", [.syncing], .pushFailed, [.pushing, .lastAttempt], to: .state(.syncing),
      [.countFailed, .countDone, .clearRateLimits, .forgetRetries, .buryMutation]),
  ]

  private static let tripping: [SyncAction] = [.emit(.rateLimitHit), .emit(.circuitBreakerTrip), .trip]
  private static let failing: [SyncAction] = [.emit(.failure)] + ending(.failed)

  private static let limits: [SyncRule] = [
    SyncRule(
      "9", [.syncing], .rateLimited, [.pushing, .belowThreshold], to: .same,
      [.countRateLimit, .forgetRetries, .emit(.rateLimitHit), .countFailed]),
    SyncRule(
      "9a", [.idle, .error], .rateLimited, [.probing, .belowThreshold], to: .same,
      [.countRateLimit, .emit(.rateLimitHit), .waitForRetry] + skipping),
    SyncRule(
      "9b", [.rateLimited], .rateLimited, [.probing, .belowThreshold], to: .state(.idle),
      [.countRateLimit, .emit(.rateLimitHit), .waitForRetry] + skipping),
    SyncRule(
      "9c", [.pulling], .rateLimited, [.runActive, .belowThreshold], to: .state(.error),
      [.countRateLimit, .emit(.rateLimitHit)] + failing),
    SyncRule(
      "10", [.syncing], .rateLimited, [.pushing, .atThreshold], to: .state(.rateLimited),
      [.countFailed] + tripping + [.emit(.failure)] + ending(.limited)),
    SyncRule(
      "10a", [.pulling], .rateLimited, [.runActive, .atThreshold], to: .state(.rateLimited),
      tripping + [.emit(.failure)] + ending(.limited)),
    SyncRule(
      "10b", resting, .rateLimited, [.probing, .atThreshold], to: .state(.rateLimited),
      tripping + ending(.limited)),
  ]

  private static let succeeding: [SyncAction] =
    [.forgetRetries, .storeSuccess, .emit(.success)] + ending(.completed)

  private static let pulling: [SyncRule] = [
    SyncRule(
      "11", [.syncing], .pushFinished, [.pushing, .needsBootstrap], to: .state(.pulling),
      [.end(.flushMutations), .begin(.bootstrapFetch), .bootstrap]),
    SyncRule(
      "12", [.syncing], .pushFinished, [.pushing, .hasCursor], to: .state(.pulling),
      [.end(.flushMutations), .begin(.pullChanges), .pull]),
    SyncRule(
      "12a", [.pulling], .pageApplied, [.pullingChanges, .hasMorePages, .cursorAdvances], to: .same,
      [.advanceCursor, .forgetRetries, .pull]),
    SyncRule(
      "12b", [.pulling], .pageApplied, [.pullingChanges, .cursorStuck], to: .state(.error), failing),
    SyncRule(
      "13", [.pulling], .pageApplied, [.pullingChanges, .lastPage, .notProvenHealthy], to: .state(.idle),
      [.advanceCursor] + succeeding),
    SyncRule(
      "13a", [.pulling], .pageApplied, [.pullingChanges, .lastPage, .provenHealthy], to: .state(.idle),
      [.advanceCursor, .clearRateLimits, .forgetGrowth] + succeeding),
    SyncRule(
      "13b", [.pulling], .bootstrapApplied, [.bootstrapping, .notProvenHealthy], to: .state(.idle),
      [.advanceCursor, .clearResync] + succeeding + [.notifyBootstrapCompleted]),
    SyncRule(
      "13c", [.pulling], .bootstrapApplied, [.bootstrapping, .provenHealthy], to: .state(.idle),
      [.advanceCursor, .clearResync, .clearRateLimits, .forgetGrowth] + succeeding + [
        .notifyBootstrapCompleted
      ]),
  ]

  private static let endings: [SyncRule] = [
    SyncRule(
      "14a", [.pulling], .runFailed, [.pullingChanges, .cursorExpired], to: .same,
      [.requestResync, .end(.pullChanges), .begin(.bootstrapFetch), .bootstrap]),
    SyncRule(
      "14", [.syncing, .pulling], .runFailed, [.runActive], to: .state(.error), [.waitForRetry] + failing),
    SyncRule("15", [.rateLimited], .backoffElapsed, [.noRunActive], to: .same, [.requestRun(.backoff)]),
    SyncRule("22", resting, .retryElapsed, [.noRunActive], to: .same, [.requestRun(.retry)]),
    SyncRule("23", anyState, .networkReturned, [.runActive], to: .same, [.forgetRetries, .rememberRequest]),
    SyncRule(
      "23a", resting, .networkReturned, [.noRunActive], to: .same,
      [.forgetRetries, .requestRun(.reachability)]),
    SyncRule("21", [.syncing, .pulling], .runCancelled, [.runActive], to: .state(.idle), failing),
  ]

  private static let commands: [SyncRule] = [
    SyncRule(
      "16", anyState, .breakerReset, [.noRunActive], to: .state(.idle),
      [.resetBreaker, .forgetRetries, .cancelTimer]),
    SyncRule("16a", anyState, .breakerReset, [.runActive], to: .same, [.refuse]),
    SyncRule(
      "17", anyState, .pendingCleared, [.noRunActive], to: .state(.idle),
      [.clearBreaker, .forgetRetries, .cancelTimer]),
    SyncRule("17a", anyState, .pendingCleared, [.runActive], to: .same, [.clearBreaker]),
    SyncRule("18", anyState, .resyncForced, [.noRunActive], to: .same, [.requestResync, .requestRun(.app)]),
    SyncRule("18a", anyState, .resyncForced, [.runActive], to: .same, [.awaitRun]),
    SyncRule("19", anyState, .cursorSkipped, to: .same, [.skipCursor]),
    SyncRule("20", anyState, .storeReset, [.runActive], to: .same, [.dropStore, .cancelRun]),
    SyncRule("20a", anyState, .storeReset, [.noRunActive], to: .same, [.dropStore]),
  ]
}
