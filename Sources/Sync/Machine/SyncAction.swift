package import TelemetryCore

/// A step that a row of the transition table takes, in the order in which the row names it.
///
/// Some are the machine's own: it counts and remembers. The driver performs the others, with what it finds in the
/// machine (its cursor, its breaker, its waits) and in the decision (the summary, the failure).
package enum SyncAction: Hashable, Sendable {
  /// Turn the event away: nothing happens but the refusal itself.
  case refuse
  /// Remember that a run was asked for while one is active.
  case rememberRequest
  /// Claim the run, before anything waits.
  case claimRun
  /// Give the run free; if a run was asked for meanwhile and has something to do, it follows.
  case releaseRun
  /// Begin an interval.
  case begin(SyncSignposts.Interval)
  /// End an interval.
  case end(SyncSignposts.Interval)
  /// End every interval that the run has begun.
  case endIntervals
  /// Record an event.
  case emit(SyncSignposts.Event)
  /// Make the health probe and report ``SyncEvent/probeSucceeded``, ``SyncEvent/probeFailed(_:)`` or 429.
  case probe
  /// Push what waits, one request after the other, as long as the machine is in the push phase.
  case push
  /// Count mutations as pushed.
  case countPushed
  /// Count a mutation as dealt with.
  case countDone
  /// Count a push as failed or limited.
  case countFailed
  /// Store the failed attempt and keep the mutation in the queue; it is left out until its next attempt is due.
  case keepMutation
  /// Lay what waits over what the server has, have the app decide what is wanted twice, and send it again.
  case resolveConflict
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
  /// Fetch everything, stage it and swap.
  case bootstrap
  /// Fetch and apply the page after the cursor.
  case pull
  /// Take over the cursor that the event brings, if it is a later one.
  case advanceCursor
  /// The resync that was asked for is done.
  case clearResync
  /// Store the moment of success.
  case storeSuccess
  /// Record how the run ended; a run that was not skipped gets a row in the history.
  case recordRun(SyncEnding)
  /// Tell the app that a bootstrap is complete; nothing of the run touches the store after it.
  case notifyBootstrapCompleted
  /// Ask for a run.
  case requestRun(SyncTrigger)
  /// After a call without an answer: wait before the engine makes the next run by itself, longer each time.
  case waitForRetry
  /// The next such wait is the shortest again.
  case forgetRetries
  /// Close the breaker, keep the multiplier.
  case resetBreaker
  /// Close the breaker, multiplier 1.
  case clearBreaker
  /// Stop the breaker's timer.
  case cancelTimer
  /// Wait for the active run up to ``SyncConfiguration/resyncWait``, then cancel it.
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
