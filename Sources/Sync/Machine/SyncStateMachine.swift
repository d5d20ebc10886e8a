package import Resilience
package import TelemetryCore

/// Decisions of a sync engine: states, runs, breaker, waits and cursor, without clock, network or store.
///
/// Events and actions are values, with ``SyncRule/table`` between them: the machine finds the first matching row and
/// applies its actions. An event without a matching row is rejected with a reason; nothing traps.
///
/// ```swift
/// var machine = SyncStateMachine()
/// var generator = SystemRandomNumberGenerator()
/// let decision = machine.handle(.syncRequested(.app), at: .zero, pending: 3, using: &generator)
/// // decision.actions: claim the run, begin FullSync, begin HealthCheck, probe
/// ```
package struct SyncStateMachine: Sendable {
  /// The constants in force.
  package internal(set) var configuration: SyncConfiguration
  /// The observable state.
  package internal(set) var state = SyncState.idle
  /// The breaker that limits runs after 429 answers.
  package internal(set) var breaker: CircuitBreaker
  /// The position up to which the change feed was applied; the start before the first bootstrap.
  ///
  /// Only a resync moves it back.
  package internal(set) var cursor: SyncCursor
  /// True if the next run fetches everything again.
  package internal(set) var wantsResync = false
  /// Kinds never fetched, because they were added to this app after the last bootstrap.
  package internal(set) var missingKinds: Set<String> = []
  /// The run in progress.
  package internal(set) var run: ActiveRun?
  /// The number of the last run.
  package internal(set) var runs = 0
  /// The number of the last decision.
  package internal(set) var sequence = 0
  /// Requests refused because the breaker was open.
  package internal(set) var refusedCalls = 0
  /// Consecutive runs that ended because a call got no answer.
  package internal(set) var retries = 0
  /// The earliest time of the engine's next run of its own after such a run, on the engine's clock.
  package internal(set) var retryUntil: Duration?
  /// True if the server's Retry-After is the reason for that time.
  package internal(set) var isRetryAsked = false
  /// The time when the next left-out mutation is due, on the engine's clock.
  package internal(set) var heldUntil: Duration?
  /// The end of the latest Retry-After of a 429, on the engine's clock: until then every run is refused.
  package internal(set) var limitedUntil: Duration?

  /// The state of a run in progress.
  package struct ActiveRun: Hashable, Sendable {
    /// The phase of a run.
    package enum Phase: String, Hashable, Sendable {
      case probing, pushing, pulling, bootstrapping
    }

    /// The number of the run.
    package let sequence: Int
    /// The trigger of the run.
    package let trigger: SyncTrigger
    /// The time of the claim, on the engine's clock.
    package let startedAt: Duration
    /// True for the first run after a backoff: the half-open probe.
    package let followsBackoff: Bool
    /// The current phase.
    package internal(set) var phase = Phase.probing
    /// Mutations handled.
    package internal(set) var synced = 0
    /// Pending mutations at the start of the push.
    package internal(set) var total = 0
    /// Mutations that the server accepted.
    package internal(set) var pushed = 0
    /// Changes applied.
    package internal(set) var pulled = 0
    /// Pushes that failed or were rate-limited.
    package internal(set) var failed = 0
    /// 429 answers during the run.
    package internal(set) var rateLimits = 0
    /// Open intervals, outermost first.
    package internal(set) var intervals: [SyncSignposts.Interval] = []
    /// True if another run was requested during this one.
    package internal(set) var isRequested = false
    /// True if that was after the push phase.
    package internal(set) var isRequestedLate = false
    /// True if something was queued since the push phase began.
    package internal(set) var isQueuedLate = false
    /// Opaque cursors that the feed has left behind.
    var cursors: Set<SyncCursor> = []
  }

  /// Creates an idle machine.
  ///
  /// - Parameters:
  ///   - configuration: The constants.
  ///   - cursor: The stored cursor.
  package init(configuration: SyncConfiguration = SyncConfiguration(), cursor: SyncCursor = .start) {
    self.configuration = configuration
    self.cursor = cursor
    breaker = CircuitBreaker(configuration.breaker)
  }

  /// The time of the engine's next run of its own; `nil` for never.
  package var wakeUp: Duration? {
    [retryUntil, heldUntil].compactMap(\.self).min().map { max($0, limitedUntil ?? $0) }
  }

  /// The end of the breaker's backoff or of the server's Retry-After, whichever is later; `nil` without a backoff.
  package var backoffEnd: Duration? { breaker.until.map { max($0, limitedUntil ?? $0) } }

  /// True if the feed moves on to a cursor that this run has not left behind.
  package func movesOn(to new: SyncCursor) -> Bool {
    new.isBeyond(cursor) && run?.cursors.contains(new) != true
  }

  /// Adopts the progress of an opened store: its cursor and missing kinds.
  mutating func adopt(_ cursor: SyncCursor, missingKinds: Set<String>) {
    (self.cursor, self.missingKinds) = (cursor, missingKinds)
  }

  /// Resets the progress after an erase: all kinds are to be fetched.
  mutating func forget(_ kinds: Set<String>) {
    (cursor, missingKinds, wantsResync, heldUntil, retryUntil) = (.start, kinds, false, nil, nil)
  }

  /// Notes that a change was queued.
  package mutating func noteQueued() {
    if run?.phase != .probing { run?.isQueuedLate = true }
  }

  /// Notes that a mutation is left out until a time of the engine's clock.
  package mutating func noteHeld(until moment: Duration) {
    heldUntil = min(heldUntil ?? moment, moment)
  }

  /// Notes that the server postponed a request: the next run waits as long as the server requests, and longer with
  /// every consecutive refusal.
  mutating func noteHeld(
    by failure: SyncError, at now: Duration, using generator: inout some RandomNumberGenerator
  ) {
    let refusals = max(1, breaker.consecutiveFailures)
    let wait = configuration.retry.wait(
      multiplier: configuration.retry.multiplier(ofWait: refusals), using: &generator)
    noteHeld(until: now + max(wait, min(failure.retryAfter ?? .zero, SyncConfiguration.longestRetryAfter)))
  }

  /// True while the server's Retry-After holds every run back.
  package func isLimited(at now: Duration) -> Bool { limitedUntil.map { $0 > now } ?? false }

  /// Handles an event and returns the actions to take.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - now: The engine's clock.
  ///   - pending: The number of pending mutations.
  ///   - generator: The source of randomness for jitter.
  package mutating func handle(
    _ event: SyncEvent, at now: Duration, pending: Int, using generator: inout some RandomNumberGenerator
  ) -> SyncDecision {
    sequence += 1
    let before = state
    guard let rule = rule(for: event, at: now) else {
      return SyncDecision(
        sequence: sequence, event: event, rule: nil, from: before, to: before,
        reason: reason(against: event, at: now), failure: nil, actions: [], summary: nil)
    }
    let reason = rule.isRefusal ? refusal(by: rule, at: now) : nil
    let moment = SyncMoment(event: event, rule: rule, now: now, pending: pending)
    var actions = rule.actions
    var summary: SyncRunSummary?
    for action in rule.actions {
      switch action {
      case .recordRun(let ending): summary = self.summary(ending, moment)
      case .releaseRun: if release(pending: pending, at: now) { actions.append(.requestRun(.followUp)) }
      default: apply(action, at: moment, using: &generator)
      }
    }
    if case .state(let kind) = rule.to { enter(kind, moment) }
    return SyncDecision(
      sequence: sequence, event: event, rule: rule, from: before, to: state,
      reason: reason ?? moment.failure?.keptText, failure: moment.failure, actions: actions, summary: summary)
  }

  private mutating func enter(_ kind: SyncState.Kind, _ moment: SyncMoment) {
    switch kind {
    case .idle: state = .idle
    case .syncing: state = .syncing(synced: run?.synced ?? 0, total: run?.total ?? 0)
    case .pulling: state = .pulling
    case .rateLimited:
      state = .rateLimited(retryAfter: breaker.remaining(at: moment.now), pending: moment.pending)
    case .error: state = .error(message: moment.failure?.keptText ?? moment.event.kind.words)
    }
  }
}

/// The machine's decision on an event.
package struct SyncDecision: Hashable, Sendable {
  /// The number of the decision, from 1.
  package let sequence: Int
  package let event: SyncEvent
  /// The row that decided, or `nil` if none matches.
  package let rule: SyncRule?
  /// The state before.
  package let from: SyncState
  /// The state after.
  package let to: SyncState
  /// The reason for a refusal, or the failure.
  package let reason: String?
  /// The failure of the event.
  package let failure: SyncError?
  /// The actions to take, in order.
  package let actions: [SyncAction]
  /// The summary of the run that ended here.
  package let summary: SyncRunSummary?

  /// True if the event was refused.
  package var isRefused: Bool { rule?.isRefusal ?? true }
}

/// Context shared by the steps of one decision.
struct SyncMoment {
  let event: SyncEvent
  let now: Duration
  let pending: Int
  /// The failure of the event.
  let failure: SyncError?

  init(event: SyncEvent, rule: SyncRule, now: Duration, pending: Int) {
    self.event = event
    self.now = now
    self.pending = pending
    failure = rule.guards.contains(.cursorStuck) ? SyncError(.cursorStuck) : event.failure
  }
}
