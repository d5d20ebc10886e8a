package import Essentials
public import MisterMetricsCore
import Resilience
package import TelemetryCore

/// Pushes local changes to a server and pulls remote ones: the driver around ``SyncStateMachine``.
///
/// The machine decides; the engine performs: it probes, pushes, pulls, stores and records. One run is active at a time,
/// claimed before any suspension; a request made during a run is refused and remembered. All activity is recorded in
/// the bucket `sync` and in the signpost category `SyncEngine`.
///
/// ```swift
/// let engine = SyncEngine(
///   SyncEnvironment(
///     domain: domain, backend: backend, stores: FileSyncStoreFactory(file: url, domain: domain),
///     preferences: preferences, metrics: MetricManager.global))
/// try await engine.queueMutation(.create, of: EntityKey(kind: "event", id: id), members: ["name": "walk"])
/// let outcome = await engine.requestSync()
/// ```
public actor SyncEngine {
  let environment: SyncEnvironment
  /// The machine that decides.
  var machine: SyncStateMachine
  /// The journal of the engine's activity.
  var journal: MetricJournal? { isAbandoned ? nil : ownJournal }
  private let ownJournal: MetricJournal?
  /// The branch of the session that this engine belongs to; 0 is the main branch.
  let branch: Int

  /// The single store handle; opened on demand, kept until dropped.
  var store: (any SyncStore)?
  /// The number of pending mutations, as last read from the store.
  var pending = 0
  /// Entities with a change in flight, each with the number of its request.
  var sending: [EntityKey: Int] = [:]
  /// The number of the last push.
  var requests = 0
  /// Due times of mutations that the active run left out, by mutation id, on the engine's clock.
  var held: [String: Duration] = [:]
  /// Entities whose creates must succeed before mutations that the active run left out.
  var blocking: Set<EntityKey> = []
  /// Mutations already recorded as waiting for a create.
  var toldWaiting: Set<String> = []
  /// Conflicts of each mutation in the active run, by mutation id.
  var conflictTries: [String: Int] = [:]
  /// Conflicts after which the mutation is sent again.
  var conflictCount = 0
  /// Waiters for the next disk sync.
  var durabilityWaiters: [(Result<Void, any Error>) -> Void] = []
  /// Waiters for the sync in progress.
  var syncingWaiters: [(Result<Void, any Error>) -> Void] = []
  /// Changes for the transaction after the sync in progress.
  var joining: [JoiningChange] = []
  var isSyncingDisk = false
  /// True if the store is to be dropped after the disk sync in progress.
  var dropsStore = false
  /// The number of erases so far: the generation of the account.
  var erasures = 0
  /// True during an erase: nothing is queued and no run begins.
  var isErasing = false
  /// Stops the engine; further callers of `stop()` wait for the same task.
  var ending: Task<Void, Never>?
  var isStopped = false
  /// The position of the last mutation handled by the active run.
  var pushPosition: QueuePosition?
  /// Generator of ids and randomness.
  var identifiers: SyncIdentifiers
  /// Randomness of waits, if separate from that of ids.
  private var waitChance: (any RandomNumberGenerator & Sendable)?
  var runTask: Task<Void, Never>?
  /// Waiters for the end of a run, by waiter number.
  var waiters: [Int: (run: Int, continuation: CheckedContinuation<Outcome, Never>)] = [:]
  var waiterCount = 0
  /// The timer for the end of the breaker's backoff.
  var timer: Task<Void, Never>?
  /// The timer for the engine's next run of its own.
  var wakeTimer: Task<Void, Never>?
  /// The timer for the run after a queued change.
  var queueTimer: Task<Void, Never>?
  /// The time at which ``queueTimer`` fires, on the engine's clock.
  var queueDeadline: Duration?
  /// The timer for the active run's deadline.
  var runTimer: Task<Void, Never>?
  /// Observes the network.
  var networkWatch: Task<Void, Never>?
  /// True if there is a network, as far as known.
  var isOnline = true
  /// The server's latest refusal in the active run.
  var runFailure: SyncError?
  /// The reason for the next full fetch, until a run performs it.
  var startOver: SyncNotice.StartOver?
  /// True if the process of this engine counts as killed in a simulation.
  var isAbandoned = false
  /// True if the active run has exceeded its deadline.
  var isRunExpired = false
  /// The last probe.
  package internal(set) var lastProbe: SyncProbe?
  /// The failure of the last run, even if partial; `nil` if it succeeded.
  package internal(set) var lastFailure: SyncError?
  /// Open intervals.
  var intervals: [SyncSignposts.Interval: SignpostIntervalState] = [:]
  /// Open intervals in order of their beginnings.
  var intervalOrder: [SyncSignposts.Interval] = []
  /// Writes the journal to the metric store.
  var recordWriter: Task<Void, Never>?
  /// Signposts for intervals and events.
  let metrics: SyncSignposts
  /// The breaker as last recorded.
  var recordedBreaker: RecordedBreaker?
  /// Changes of kinds unknown to this app, counted by kind.
  public internal(set) var unknownKinds: [String: Int] = [:]
  /// Failed attempts to store the history.
  package internal(set) var unwrittenHistory = 0
  /// True while a person acts by hand in a simulation.
  package var isByHand = false
  /// The most recent runs, newest first.
  public internal(set) var history: [SyncHistoryRow]
  /// The wall-clock time of the last successful run.
  package internal(set) var lastSuccess: Date?
  var observers = SyncBroadcast<SyncSnapshot>(keeping: 1)
  var noticeObservers = SyncBroadcast<SyncNotice>(keeping: 1024)
  /// The readers of the rows of each kind.
  var rowObservers: [String: SyncBroadcast<Void>] = [:]
  var lastPublished: SyncSnapshot?

  /// Creates an idle engine.
  ///
  /// - Parameters:
  ///   - environment: The environment of the engine.
  ///   - configuration: The constants.
  public init(_ environment: SyncEnvironment, configuration: SyncConfiguration = SyncConfiguration()) {
    let clock = environment.clock
    let journal = environment.metrics.map { _ in MetricJournal(limit: 65_536, stamp: { clock.wallTime }) }
    journal?.add(SyncMetric.configuration, configuration)
    self.init(environment, configuration: configuration, journal: journal)
  }

  /// Creates an engine that records to `journal`, for simulations.
  package init(
    _ environment: SyncEnvironment, configuration: SyncConfiguration, journal: MetricJournal?, branch: Int = 0
  ) {
    self.environment = environment
    ownJournal = journal
    self.branch = branch
    metrics = journal.map { SyncSignposts(journal: $0, clock: environment.clock) } ?? SyncSignposts(.disabled)
    let stored = SyncPreferenceValues(environment.preferences)
    machine = SyncStateMachine(configuration: configuration)
    identifiers = SyncIdentifiers(environment.generator)
    waitChance = environment.waitChance
    history = stored.history
    lastSuccess = stored.lastSuccess
  }

  deinit {
    for timer in [timer, wakeTimer, queueTimer, runTimer, networkWatch] { timer?.cancel() }
    observers.finish()
    noticeObservers.finish()
    for observer in rowObservers.values { observer.finish() }
  }

  /// Draws the length of a wait.
  func draw<Value>(_ body: (inout any RandomNumberGenerator & Sendable) -> Value) -> Value {
    guard var chance = waitChance else { return body(&identifiers.generator) }
    defer { waitChance = chance }
    return body(&chance)
  }

  /// The observable state.
  package var state: SyncState { machine.state }

  /// The position up to which the change feed was applied.
  ///
  /// - Throws: ``SyncError`` if the store cannot be opened, since the cursor is stored there.
  package func cursor() throws -> SyncCursor {
    _ = try withStore { try $0.pendingCount() }
    return machine.cursor
  }

  /// The time until the breaker closes; 0 unless it is open.
  public var backoffRemaining: Duration { machine.breaker.remaining(at: environment.clock.now) }

  /// True if the breaker is open.
  package var isBreakerOpen: Bool { machine.breaker.state(at: environment.clock.now) == .open }

  /// Record entries that no metric store accepted.
  public var lostRecords: Int { journal?.lost ?? 0 }
}

/// The environment of an engine: everything apart from its decisions.
public struct SyncEnvironment: Sendable {
  /// The kinds of entities.
  package var domain: SyncDomain
  /// The server.
  package var backend: any SyncBackend
  /// Opens the local database in the engine's isolation.
  package var stores: any SyncStoreFactory
  /// Small values that outlive the process.
  package var preferences: any SyncPreferences
  /// The clock.
  public var clock: any SyncClock = SystemSyncClock()
  /// The source of randomness: ids, idempotency keys and jitter; it must not repeat, not even after a restart.
  public var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  /// The source of randomness for waits alone; `nil` for ``generator``.
  package var waitChance: (any RandomNumberGenerator & Sendable)?
  /// Decides conflicts between local changes and remote ones.
  public var conflicts: any ConflictResolver = LocalMembersWin()
  /// The format of the payloads in the queue.
  public var payloads = SyncPayloadFormat()
  /// The metric store for records; `nil` records nothing.
  package var metrics: AnyMetricStore?
  /// True if there is a network, now and after each change; `nil` if unknown.
  ///
  /// A stream serves one engine.
  public var reachability: AsyncStream<Bool>?
  /// The executor of work that outlives a call.
  package var tasks = SyncTasks.ordinary
  /// Called as the last step of a bootstrap.
  public var onBootstrapCompleted: (@Sendable () -> Void)?

  /// Creates an environment with the system's clock and randomness.
  ///
  /// - Parameters:
  ///   - domain: The kinds of entities.
  ///   - backend: The server.
  ///   - stores: Opens the local database in the engine's isolation.
  ///   - preferences: Small values that outlive the process.
  ///   - metrics: The metric store for records; `nil` records nothing.
  public init(
    domain: SyncDomain, backend: any SyncBackend, stores: any SyncStoreFactory,
    preferences: any SyncPreferences, metrics: (any MetricStore)? = nil
  ) {
    self.domain = domain
    self.backend = backend
    self.stores = stores
    self.preferences = preferences
    self.metrics = metrics.map { AnyMetricStore($0) }
  }
}
