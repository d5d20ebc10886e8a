import Telemetry

extension SyncRule {
  private static let resting: Set<SyncState.Kind> = [.idle, .error, .rateLimited]
  private static let anyState = Set(SyncState.Kind.allCases)

  private static func ending(_ ending: SyncEnding) -> [SyncEffect] {
    [.endIntervals, .recordRun(ending), .releaseRun]
  }

  /// The transition table: of the rows that fit, the first one counts.
  ///
  /// The numbers are those of docs/sync-engine.md. Rows that are implicit there (a failed batch, the pages of the feed)
  /// carry the number of the row that they are part of.
  public static let table: [SyncRule] = asking + probing + pushing + limits + pulling + endings + commands

  private static let asking: [SyncRule] = [
    SyncRule("1", anyState, .syncRequested, [.runActive], to: .same, [.refuse]),
    SyncRule("2", resting, .syncRequested, [.breakerOpen], to: .state(.rateLimited), [.refuse]),
    SyncRule(
      "3", resting, .syncRequested, [.noRunActive, .breakerNotOpen], to: .same,
      [.claimRun, .cancelTimer, .begin(.fullSync), .begin(.healthCheck), .probe]),
  ]

  private static let skipping = ending(.skipped)

  private static let probing: [SyncRule] = [
    SyncRule("4", [.idle, .error], .probeFailed, [.probing], to: .same, skipping),
    SyncRule("4a", [.rateLimited], .probeFailed, [.probing], to: .state(.idle), skipping),
    SyncRule(
      "5", resting, .probeSucceeded, [.probing], to: .state(.syncing),
      [.end(.healthCheck), .capturePendingDeletes, .begin(.flushMutations), .push]),
  ]

  private static let pushing: [SyncRule] = [
    SyncRule(
      "6", [.syncing], .pushAcknowledged, [.pushing], to: .state(.syncing),
      [.countPushed, .clearRateLimits, .forgetGrowth]),
    SyncRule(
      "6a", [.syncing], .pushDuplicated, [.pushing], to: .state(.syncing), [.countPushed, .clearRateLimits]),
    SyncRule(
      "7", [.syncing], .pushFailed, [.pushing, .attemptsLeft], to: .same,
      [.countFailed, .clearRateLimits, .keepMutation, .emit(.retryAttempt)]),
    SyncRule("7a", [.syncing], .batchFailed, [.pushing], to: .same, [.countFailed, .clearRateLimits]),
    SyncRule(
      "8", [.syncing], .pushFailed, [.pushing, .lastAttempt], to: .state(.syncing),
      [.countFailed, .countDone, .clearRateLimits, .buryMutation]),
  ]

  private static let tripping: [SyncEffect] = [.emit(.rateLimitHit), .emit(.circuitBreakerTrip), .trip]
  private static let failing: [SyncEffect] = [.emit(.failure)] + ending(.failed)

  private static let limits: [SyncRule] = [
    SyncRule(
      "9", [.syncing], .rateLimited, [.pushing, .belowThreshold], to: .same,
      [.countRateLimit, .emit(.rateLimitHit), .countFailed]),
    SyncRule(
      "9a", [.idle, .error], .rateLimited, [.probing, .belowThreshold], to: .same,
      [.countRateLimit, .emit(.rateLimitHit)] + skipping),
    SyncRule(
      "9b", [.rateLimited], .rateLimited, [.probing, .belowThreshold], to: .state(.idle),
      [.countRateLimit, .emit(.rateLimitHit)] + skipping),
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

  private static let succeeding: [SyncEffect] = [.storeSuccess, .emit(.success)] + ending(.completed)

  private static let pulling: [SyncRule] = [
    SyncRule(
      "11", [.syncing], .pushFinished, [.pushing, .needsBootstrap], to: .state(.pulling),
      [.end(.flushMutations), .begin(.bootstrapFetch), .bootstrap]),
    SyncRule(
      "12", [.syncing], .pushFinished, [.pushing, .hasCursor], to: .state(.pulling),
      [.end(.flushMutations), .begin(.pullChanges), .pull]),
    SyncRule(
      "12a", [.pulling], .pageApplied, [.pullingChanges, .hasMorePages, .cursorAdvances], to: .same,
      [.advanceCursor, .pull]),
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
    SyncRule("14", [.syncing, .pulling], .runFailed, [.runActive], to: .state(.error), failing),
    SyncRule("15", [.rateLimited], .backoffElapsed, [.noRunActive], to: .same, [.requestRun]),
    SyncRule("21", [.syncing, .pulling], .runCancelled, [.runActive], to: .state(.idle), failing),
  ]

  private static let commands: [SyncRule] = [
    SyncRule(
      "16", anyState, .breakerReset, [.noRunActive], to: .state(.idle), [.resetBreaker, .cancelTimer]),
    SyncRule("16a", anyState, .breakerReset, [.runActive], to: .same, [.refuse]),
    SyncRule(
      "17", anyState, .pendingCleared, [.noRunActive], to: .state(.idle), [.clearBreaker, .cancelTimer]),
    SyncRule("17a", anyState, .pendingCleared, [.runActive], to: .same, [.clearBreaker]),
    SyncRule("18", anyState, .resyncForced, [.noRunActive], to: .same, [.requestResync, .requestRun]),
    SyncRule("18a", anyState, .resyncForced, [.runActive], to: .same, [.awaitRun]),
    SyncRule("19", anyState, .cursorSkipped, to: .same, [.skipCursor]),
    SyncRule("20", anyState, .storeReset, [.runActive], to: .same, [.dropStore, .cancelRun]),
    SyncRule("20a", anyState, .storeReset, [.noRunActive], to: .same, [.dropStore]),
  ]
}
