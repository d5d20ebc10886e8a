public import Telemetry

/// A step that a row of the transition table takes.
public enum SyncEffect: Hashable, Sendable {
  /// Turn the event away: nothing happens but the refusal itself.
  case refuse
  /// Claim the run, before anything waits.
  case claimRun
  /// Give the run free.
  case releaseRun
  /// Begin an interval.
  case begin(SyncSignposts.Interval)
  /// End an interval.
  case end(SyncSignposts.Interval)
  /// End every interval that the run has begun.
  case endIntervals
  /// Record an event.
  case emit(SyncSignposts.Event)
  /// Send the health probe.
  case probe
  /// Remember which entities have a delete waiting.
  case capturePendingDeletes
  /// Push what waits.
  case push
  /// Count mutations as pushed.
  case countPushed
  /// Count a mutation as dealt with.
  case countDone
  /// Count a push as failed or limited.
  case countFailed
  /// Keep the mutation in the queue.
  case keepMutation
  /// Make the mutation a dead letter and its row failed.
  case buryMutation
  /// End the row of 429 answers, if the server answered at all.
  case clearRateLimits
  /// Multiplier 1.
  case forgetGrowth
  /// One 429 more in a row.
  case countRateLimit
  /// Trip the breaker and set its timer.
  case trip
  /// Fetch everything.
  case bootstrap
  /// Fetch the page after the cursor.
  case pull
  /// Store the cursor that the event brings, if it is a later one.
  case advanceCursor
  /// The resync that was asked for is done.
  case clearResync
  /// Store the moment of success.
  case storeSuccess
  /// Record how the run ended.
  case recordRun(SyncEnding)
  /// Tell the app that a bootstrap is complete.
  case notifyBootstrapCompleted
  /// Ask for a run.
  case requestRun
  /// Close the breaker, keep the multiplier.
  case resetBreaker
  /// Close the breaker, multiplier 1.
  case clearBreaker
  /// Stop the breaker's timer.
  case cancelTimer
  /// Wait for the active run, then cancel it.
  case awaitRun
  /// Cancel the active run by its token.
  case cancelRun
  /// Cursor 0, and a full fetch at the next run.
  case requestResync
  /// Cursor := the server's latest.
  case skipCursor
  /// Drop the store's handle.
  case dropStore

  /// The step in words.
  public var words: String {
    switch self {
    case .refuse: "refuse"
    case .claimRun: "claim the run"
    case .releaseRun: "release the run"
    case .begin(let interval): "begin \(interval.name)"
    case .end(let interval): "end \(interval.name)"
    case .endIntervals: "end all intervals"
    case .emit(let signal): "\(signal.name)"
    case .probe: "send the probe"
    case .capturePendingDeletes: "capture the pending deletes"
    case .push: "push what waits"
    case .countPushed: "k + count"
    case .countDone: "k + 1"
    case .countFailed: "failed + 1"
    case .keepMutation: "attempts + 1, stays queued"
    case .buryMutation: "row failed, mutation to dead letters"
    case .clearRateLimits: "c429 = 0"
    case .forgetGrowth: "mult = 1"
    case .countRateLimit: "c429 + 1"
    case .trip: "until = now + b, mult doubled, timer set"
    case .bootstrap: "fetch everything"
    case .pull: "fetch the next page"
    case .advanceCursor: "store the cursor"
    case .clearResync: "resync done"
    case .storeSuccess: "last sync time"
    case .recordRun(let ending): "run recorded: \(ending.rawValue)"
    case .notifyBootstrapCompleted: "notify: bootstrap completed"
    case .requestRun: "request a run"
    case .resetBreaker: "c429 = 0, until none, mult kept"
    case .clearBreaker: "c429 = 0, until none, mult = 1"
    case .cancelTimer: "stop the timer"
    case .awaitRun: "wait for the run, then cancel it"
    case .cancelRun: "cancel the run"
    case .requestResync: "cursor 0, resync requested"
    case .skipCursor: "cursor = the server's latest"
    case .dropStore: "drop the store's handle"
    }
  }
}

/// How a row ends a run; what that comes to depends on what was pushed.
public enum SyncEnding: String, Hashable, Sendable, CaseIterable {
  /// Success, or partial if any push failed or was limited.
  case completed
  /// Partial if something was pushed, else failed.
  case limited
  /// Failed.
  case failed
  /// The probe failed: no row in the history.
  case skipped
}
