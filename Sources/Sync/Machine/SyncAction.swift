package import TelemetryCore

/// An action of a transition table row, in the row's order.
///
/// Some only change the machine's own counters and memory. The driver performs the others, with the machine's state
/// (cursor, breaker, waits) and the decision (summary, failure).
package enum SyncAction: Hashable, Sendable {
  /// Refuse the event: nothing else happens.
  case refuse
  /// Remember the request for a run made during a run.
  case rememberRequest
  /// Claim the run before any suspension.
  case claimRun
  /// Release the run; if another one was requested in the meantime and has something to do, it follows.
  case releaseRun
  /// Begin an interval.
  case begin(SyncSignposts.Interval)
  /// End an interval.
  case end(SyncSignposts.Interval)
  /// End all open intervals of the run.
  case endIntervals
  /// Record an event.
  case emit(SyncSignposts.Event)
  /// Run the health probe and report ``SyncEvent/probeSucceeded``, ``SyncEvent/probeFailed(_:)`` or 429.
  case probe
  /// Push pending changes, one request after the other, while the machine is in the push phase.
  case push
  /// Count mutations as pushed.
  case countPushed
  /// Count a mutation as handled.
  case countDone
  /// Count a push as failed or rate-limited.
  case countFailed
  /// Store the failed attempt and keep the mutation in the queue, left out until its next attempt is due.
  case keepMutation
  /// Lay pending changes over the server's state, let the app resolve conflicts, and send them again.
  case resolveConflict
  /// Make the mutation a dead letter and its row failed.
  case buryMutation
  /// End the series of 429 answers if the server answered at all.
  case clearRateLimits
  /// Reset the backoff multiplier to 1.
  case forgetGrowth
  /// Count one more consecutive 429.
  case countRateLimit
  /// Trip the breaker and start its timer.
  case trip
  /// Fetch everything, stage it and swap it in.
  case bootstrap
  /// Fetch and apply the page after the cursor.
  case pull
  /// Advance to the event's cursor if it is a later one.
  case advanceCursor
  /// Mark the requested resync as done.
  case clearResync
  /// Store the time of success.
  case storeSuccess
  /// Record the end of the run; a run that was not skipped gets a row in the history.
  case recordRun(SyncEnding)
  /// Report to the app that the bootstrap is complete; the run does not touch the store afterwards.
  case notifyBootstrapCompleted
  /// Request a run.
  case requestRun(SyncTrigger)
  /// After a call without an answer: wait before the engine's next run of its own, longer each time.
  case waitForRetry
  /// Reset these waits to the shortest.
  case forgetRetries
  /// Close the breaker and keep the multiplier.
  case resetBreaker
  /// Close the breaker and reset the multiplier to 1.
  case clearBreaker
  /// Stop the breaker's timer.
  case cancelTimer
  /// Wait for the active run up to ``SyncConfiguration/resyncWait``, then cancel it.
  case awaitRun
  /// Cancel the active run.
  case cancelRun
  /// Reset the cursor; the next run fetches everything.
  case requestResync
  /// Move the cursor to the server's latest.
  case skipCursor
  /// Drop the store's handle.
  case dropStore

  /// A description of the action.
  package var words: String {
    switch self {
    case .refuse: "refuse"
    case .rememberRequest: "remember the request"
    case .claimRun: "claim the run"
    case .releaseRun: "release the run"
    case .begin(let interval): "begin \(interval.name)"
    case .end(let interval): "end \(interval.name)"
    case .endIntervals: "end all intervals"
    case .emit(let signal): "\(signal.name)"
    case .probe: "send the probe"
    case .push: "push what waits"
    case .countPushed: "k + count"
    case .countDone: "k + 1"
    case .countFailed: "failed + 1"
    case .keepMutation: "attempts + 1, stays queued"
    case .resolveConflict: "conflict decided, sent again"
    case .buryMutation: "row failed, mutation to dead letters"
    case .clearRateLimits: "c429 = 0"
    case .forgetGrowth: "mult = 1"
    case .countRateLimit: "c429 + 1"
    case .trip: "until = now + b, mult doubled, timer set"
    case .bootstrap: "fetch everything"
    case .pull: "fetch the next page"
    case .advanceCursor: "take over the cursor"
    case .clearResync: "resync done"
    case .storeSuccess: "last sync time"
    case .recordRun(let ending): "run recorded: \(ending.rawValue)"
    case .notifyBootstrapCompleted: "notify: bootstrap completed"
    case .requestRun: "request a run"
    case .waitForRetry: "next try by the engine after the floor"
    case .forgetRetries: "floor = 1 s"
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
