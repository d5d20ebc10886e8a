package import Resilience
package import TelemetryCore

/// The decisions of a sync engine: states, runs, breaker, waits and cursor, without a clock, a network or a store.
///
/// Events come in as values, actions go out as values, and in between stands ``SyncRule/table``: the machine looks up
/// the first row that fits and takes its steps. An event that no row fits is rejected with the reason; nothing traps.
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
  /// The breaker that lets runs begin after 429 answers.
  package internal(set) var breaker: CircuitBreaker
  /// How far the change feed was applied; the start before the first bootstrap.
  ///
  /// Only a resync takes it back.
  package internal(set) var cursor: SyncCursor
  /// True if the next run fetches everything again.
  package internal(set) var wantsResync = false
  /// The kinds that were never fetched, because they are new to this app since the last bootstrap.
  package internal(set) var missingKinds: Set<String> = []
  /// The run in progress.
  package internal(set) var run: ActiveRun?
  /// The number of the last run.
  package internal(set) var runs = 0
  /// The number of the last decision.
  package internal(set) var sequence = 0
  /// How often a run was asked for while the breaker was open.
  package internal(set) var refusedCalls = 0
  /// How many runs in a row ended because a call got no answer.
  package internal(set) var retries = 0
  /// When the engine may make the next run by itself after such a run, on its clock.
  package internal(set) var retryUntil: Duration?
  /// When the attempt of a mutation is due that a run has left out, on the engine's clock.
  package internal(set) var heldUntil: Duration?

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
    /// When it was claimed, on the engine's clock.
    package let startedAt: Duration
    /// True if it is the first after a backoff: the half-open probe.
    package let followsBackoff: Bool
    /// The current phase.
    package internal(set) var phase = Phase.probing
    /// Mutations dealt with.
    package internal(set) var synced = 0
    /// How many mutations there were when the push began.
    package internal(set) var total = 0
    /// Mutations that the server took.
    package internal(set) var pushed = 0
    /// Changes that were applied.
    package internal(set) var pulled = 0
    /// Pushes that failed or were limited.
    package internal(set) var failed = 0
    /// 429 answers that the run met.
    package internal(set) var rateLimits = 0
    /// Intervals that were begun and not yet ended, outermost first.
    package internal(set) var intervals: [SyncSignposts.Interval] = []
    /// True if another run was asked for meanwhile.
    package internal(set) var isRequested = false
    /// True if that was after the push phase.
    package internal(set) var isRequestedLate = false
    /// True if something was queued since the push phase began.
    package internal(set) var isQueuedLate = false
  }

  /// A machine at rest.
  ///
  /// - Parameters:
  ///   - configuration: The constants.
  ///   - cursor: The cursor that was stored.
  package init(configuration: SyncConfiguration = SyncConfiguration(), cursor: SyncCursor = .start) {
    self.configuration = configuration
    self.cursor = cursor
    breaker = CircuitBreaker(configuration.breaker)
  }

  /// When the engine has something to try by itself; `nil` for never.
  package var wakeUp: Duration? { [retryUntil, heldUntil].compactMap(\.self).min() }

  /// Takes over how far the store that was opened is: its cursor, and what it lacks.
  mutating func adopt(_ cursor: SyncCursor, missingKinds: Set<String>) {
    (self.cursor, self.missingKinds) = (cursor, missingKinds)
  }

  /// Forgets how far it was, as when everything was erased: nothing was ever fetched.
  mutating func forget(_ kinds: Set<String>) {
    (cursor, missingKinds, wantsResync, heldUntil, retryUntil) = (.start, kinds, false, nil, nil)
  }

  /// Takes note that a change was queued.
  package mutating func noteQueued() {
    if run?.phase != .probing { run?.isQueuedLate = true }
  }

  /// Takes note that a mutation is left out until a moment of the engine's clock.
  package mutating func noteHeld(until moment: Duration) {
    heldUntil = min(heldUntil ?? moment, moment)
  }

  /// Takes note that the server has put off what it was asked: the next run comes after the wait that it asks for, and
  /// after a longer one with every refusal in a row.
  mutating func noteHeld(
    by failure: SyncError, at now: Duration, using generator: inout some RandomNumberGenerator
  ) {
    let refusals = max(1, breaker.consecutiveFailures)
    let wait = configuration.retry.wait(
      multiplier: configuration.retry.multiplier(ofWait: refusals), using: &generator)
    noteHeld(until: now + max(wait, min(failure.retryAfter ?? .zero, SyncConfiguration.longestRetryAfter)))
  }

  /// Takes note of what happened and says what to do.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - now: The engine's clock.
  ///   - pending: How many mutations wait.
  ///   - generator: The source of chance for jitter.
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
  /// The event that happened.
  package let event: SyncEvent
  /// The row that decided, or `nil` when none fits.
  package let rule: SyncRule?
  /// The state before.
  package let from: SyncState
  /// The state after.
  package let to: SyncState
  /// Why the event was turned away, or what the failure was.
  package let reason: String?
  /// The failure that the event brought.
  package let failure: SyncError?
  /// The actions to take, in this order.
  package let actions: [SyncAction]
  /// The summary of the run that ended here.
  package let summary: SyncRunSummary?

  /// True if the event was turned away.
  package var isRefused: Bool { rule?.isRefusal ?? true }
}

/// Context shared by the steps of one decision.
struct SyncMoment {
  let event: SyncEvent
  let now: Duration
  let pending: Int
  /// The failure that the event brings.
  let failure: SyncError?

  init(event: SyncEvent, rule: SyncRule, now: Duration, pending: Int) {
    self.event = event
    self.now = now
    self.pending = pending
    failure = rule.guards.contains(.cursorStuck) ? SyncError(.cursorStuck) : event.failure
  }
}
