public import Resilience
public import Telemetry

/// What a sync engine decides: states, runs, breaker and cursor, without a clock, a network or a store.
///
/// Events come in as values, actions go out as values, and in between stands ``SyncRule/table``: the machine looks up
/// the first row that fits and takes its steps. An event that no row fits is rejected with the reason; nothing traps.
///
/// ```swift
/// var machine = SyncStateMachine()
/// var generator = SystemRandomNumberGenerator()
/// let decision = machine.handle(.syncRequested, at: .zero, pending: 3, using: &generator)
/// // decision.actions: begin FullSync, begin HealthCheck, probe
/// ```
public struct SyncStateMachine: Sendable {
  /// The constants in force.
  public internal(set) var configuration: SyncConfiguration
  /// The observable state.
  public internal(set) var state = SyncState.idle
  /// Who lets runs begin after 429 answers.
  public internal(set) var breaker: CircuitBreaker
  /// How far the change feed was applied; 0 before the first bootstrap.
  ///
  /// Only a resync takes it back.
  public internal(set) var cursor: Int64
  /// Whether the next run fetches everything anew.
  public internal(set) var wantsResync = false
  /// The run in progress.
  public internal(set) var run: ActiveRun?
  /// The number of the last run.
  public internal(set) var runs = 0
  /// The number of the last decision.
  public internal(set) var sequence = 0
  /// How often a run was asked for while the breaker was open.
  public internal(set) var refusedCalls = 0

  /// What belongs to a run in progress.
  public struct ActiveRun: Hashable, Sendable {
    /// What a run does.
    public enum Phase: String, Hashable, Sendable {
      case probing, pushing, pulling, bootstrapping
    }

    /// The number of the run.
    public let sequence: Int
    /// When it was claimed, on the engine's clock.
    public let startedAt: Duration
    /// Whether it is the first after a backoff: the half-open probe.
    public let followsBackoff: Bool
    /// What it does.
    public internal(set) var phase = Phase.probing
    /// Mutations dealt with.
    public internal(set) var synced = 0
    /// How many mutations there were when the push began.
    public internal(set) var total = 0
    /// Mutations that the server took.
    public internal(set) var pushed = 0
    /// Changes that were applied.
    public internal(set) var pulled = 0
    /// Pushes that failed or were limited.
    public internal(set) var failed = 0
    /// 429 answers that the run met.
    public internal(set) var rateLimits = 0
    /// Intervals that were begun and not yet ended, outermost first.
    public internal(set) var intervals: [SyncSignposts.Interval] = []
  }

  /// A machine at rest.
  ///
  /// - Parameters:
  ///   - configuration: The constants.
  ///   - cursor: The cursor that was stored; a negative one counts as 0.
  public init(configuration: SyncConfiguration = SyncConfiguration(), cursor: Int64 = 0) {
    self.configuration = configuration
    self.cursor = max(0, cursor)
    breaker = CircuitBreaker(configuration.breaker)
  }

  /// Takes note of what happened and says what to do.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - now: The engine's clock.
  ///   - pending: How many mutations wait.
  ///   - generator: The source of chance for jitter.
  public mutating func handle(
    _ event: SyncEvent, at now: Duration, pending: Int, using generator: inout some RandomNumberGenerator
  ) -> SyncDecision {
    sequence += 1
    let before = state
    guard let rule = rule(for: event, at: now) else {
      return SyncDecision(
        sequence: sequence, event: event, rule: nil, from: before, to: before,
        reason: reason(against: event, at: now), actions: [])
    }
    let reason = rule.isRefusal ? refusal(by: rule, at: now) : nil
    let moment = SyncMoment(event: event, rule: rule, now: now, pending: pending)
    var actions: [SyncAction] = []
    for effect in rule.effects {
      actions += apply(effect, at: moment, using: &generator)
    }
    if case .state(let kind) = rule.to { enter(kind, moment) }
    return SyncDecision(
      sequence: sequence, event: event, rule: rule, from: before, to: state, reason: reason ?? moment.failure,
      actions: actions)
  }

  private mutating func enter(_ kind: SyncState.Kind, _ moment: SyncMoment) {
    switch kind {
    case .idle: state = .idle
    case .syncing: state = .syncing(synced: run?.synced ?? 0, total: run?.total ?? 0)
    case .pulling: state = .pulling
    case .rateLimited:
      state = .rateLimited(retryAfter: breaker.remaining(at: moment.now), pending: moment.pending)
    case .error: state = .error(message: moment.failure ?? moment.event.kind.words)
    }
  }
}

/// What the machine made of an event.
public struct SyncDecision: Hashable, Sendable {
  /// The number of the decision, from 1.
  public let sequence: Int
  /// What happened.
  public let event: SyncEvent
  /// The row that decided, or `nil` when none fits.
  public let rule: SyncRule?
  /// The state before.
  public let from: SyncState
  /// The state after.
  public let to: SyncState
  /// Why the event was turned away, or what the failure was.
  public let reason: String?
  /// What is to be done, in this order.
  public let actions: [SyncAction]

  /// Whether the event was turned away.
  public var isRefused: Bool { rule?.isRefusal ?? true }
}

/// What the steps of one decision share.
struct SyncMoment {
  let event: SyncEvent
  let now: Duration
  let pending: Int
  /// The text of the failure that the event brings.
  let failure: String?

  init(event: SyncEvent, rule: SyncRule, now: Duration, pending: Int) {
    self.event = event
    self.now = now
    self.pending = pending
    failure =
      switch event {
      case .probeFailed(let error), .runFailed(let error): error.text
      case .rateLimited: SyncError(.rateLimited, status: 429).text
      case .runCancelled: SyncError(.cancelled).text
      case .pageApplied where rule.guards.contains(.cursorStuck): SyncError(.cursorStuck).text
      case .syncRequested, .probeSucceeded, .pushAcknowledged, .pushDuplicated, .pushFailed, .batchFailed,
        .pushFinished, .pageApplied, .bootstrapApplied, .backoffElapsed, .breakerReset, .pendingCleared,
        .resyncForced, .cursorSkipped, .storeReset:
        nil
      }
  }
}
