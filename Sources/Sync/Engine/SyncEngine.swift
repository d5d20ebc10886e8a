package import Essentials
public import MisterMetricsCore
import Resilience
package import TelemetryCore

/// Carries local changes to a server and remote ones back: the driver around ``SyncStateMachine``.
///
/// The machine decides, the engine performs: probes, pushes, pulls, stores and records. One run is active at a time; it
/// is claimed before anything waits; a request that comes meanwhile is refused, and remembered. Everything it does is
/// recorded in the bucket `sync` and in the category `SyncEngine` of signposts.
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
  /// The environment of the engine.
  let environment: SyncEnvironment
  /// The machine it decides by.
  var machine: SyncStateMachine
  /// Where what it does is noted down.
  var journal: MetricJournal? { isAbandoned ? nil : ownJournal }
  private let ownJournal: MetricJournal?
  /// The branch that this engine plays; 0 is the main branch.
  let branch: Int

  /// The one store handle; made when it is needed, kept until it is dropped.
  var store: (any SyncStore)?
  /// How many mutations wait, as the store said last.
  var pending = 0
  /// The entities of which a change is on its way to the server.
  var sending: Set<EntityKey> = []
  /// When the mutations are due that the active run has left out.
  var held: [String: Duration] = [:]
  /// The entities for whose creates something waits that the active run has left out.
  var blocking: Set<EntityKey> = []
  /// The mutations of which the record says for what they wait.
  var toldWaiting: Set<String> = []
  /// How often the active run has met another version with a mutation.
  var conflictTries: [String: Int] = [:]
  /// How many changes are sent again with what became known of the server.
  var conflictCount = 0
  /// Those who wait for the disk.
  var durabilityWaiters: [CheckedContinuation<Void, any Error>] = []
  var isSyncingDisk = false
  /// True if the store is to be dropped once the disk is not busy with it any more.
  var dropsStore = false
  /// How often everything was erased.
  var erasures = 0
  /// Ends the engine; whoever asks for that again waits for the same end.
  var ending: Task<Void, Never>?
  /// True if the engine has ended.
  var isStopped = false
  /// The last mutation that the active run has dealt with.
  var pushPosition: QueuePosition?
  /// Ids and chance.
  var identifiers: SyncIdentifiers
  /// The chance of waits, where it is not that of the ids.
  private var waitChance: (any RandomNumberGenerator & Sendable)?
  /// The active run.
  var runTask: Task<Void, Never>?
  /// Those who wait for the end of a run, by a number of their own.
  var waiters: [Int: (run: Int, continuation: CheckedContinuation<Outcome, Never>)] = [:]
  var waiterCount = 0
  /// The timer of the breaker.
  var timer: Task<Void, Never>?
  /// The timer of what the engine tries by itself.
  var wakeTimer: Task<Void, Never>?
  /// The timer of the run that follows what was queued.
  var queueTimer: Task<Void, Never>?
  /// When that is over.
  var queueDeadline: Duration?
  /// The timer of the active run's deadline.
  var runTimer: Task<Void, Never>?
  /// Follows whether there is a network.
  var networkWatch: Task<Void, Never>?
  /// True if there is a network, as far as is known.
  var isOnline = true
  /// The server's last refusal in the active run.
  var runFailure: SyncError?
  /// Why everything is fetched again by the next run that can.
  var startOver: SyncNotice.StartOver?
  /// True if the process that this engine belongs to is dead, as far as the world around it knows.
  var isAbandoned = false
  /// True if the active run has taken too long.
  var isRunExpired = false
  /// The last probe.
  package internal(set) var lastProbe: SyncProbe?
  /// Why the last run did not succeed, wholly or in part; `nil` once one has.
  package internal(set) var lastFailure: SyncError?
  /// Intervals that were begun and not ended.
  var intervals: [SyncSignposts.Interval: SignpostIntervalState] = [:]
  /// The same in the order in which they began.
  var intervalOrder: [SyncSignposts.Interval] = []
  /// Writes what was noted down.
  var recordWriter: Task<Void, Never>?
  /// Where intervals and events go.
  let metrics: SyncSignposts
  /// The breaker as it was recorded last.
  var recordedBreaker: RecordedBreaker?
  /// Changes of kinds that this app does not know, by kind.
  public internal(set) var unknownKinds: [String: Int] = [:]
  /// How often the history could not be stored.
  package internal(set) var unwrittenHistory = 0
  /// True if a person at a simulation is doing what is recorded.
  package var isByHand = false
  /// The latest runs, newest first.
  public internal(set) var history: [SyncHistoryRow]
  /// When a run last succeeded, by the wall clock.
  package internal(set) var lastSuccess: Date?
  var observers = SyncBroadcast<SyncSnapshot>(keeping: 1)
  var noticeObservers = SyncBroadcast<SyncNotice>(keeping: 1024)
  var lastPublished: SyncSnapshot?

  /// An engine at rest.
  ///
  /// - Parameters:
  ///   - environment: What the engine works with.
  ///   - configuration: The constants.
  public init(_ environment: SyncEnvironment, configuration: SyncConfiguration = SyncConfiguration()) {
    let clock = environment.clock
    let journal = environment.metrics.map { _ in MetricJournal(limit: 65_536, stamp: { clock.wallTime }) }
    journal?.add(SyncMetric.configuration, configuration)
    self.init(environment, configuration: configuration, journal: journal)
  }

  /// An engine whose record goes to `journal`, for simulations.
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
  }

  /// Lets something draw how long a wait is.
  func draw<Value>(_ body: (inout any RandomNumberGenerator & Sendable) -> Value) -> Value {
    guard var chance = waitChance else { return body(&identifiers.generator) }
    defer { waitChance = chance }
    return body(&chance)
  }

  /// The observable state.
  package var state: SyncState { machine.state }

  /// How far the change feed was applied.
  ///
  /// - Throws: ``SyncError`` when the store cannot be opened: the cursor is its part.
  package func cursor() throws -> SyncCursor {
    _ = try withStore { try $0.pendingCount() }
    return machine.cursor
  }

  /// How long the breaker stays open; 0 unless it is.
  public var backoffRemaining: Duration { machine.breaker.remaining(at: environment.clock.now) }

  /// True if the breaker is open.
  package var isBreakerOpen: Bool { machine.breaker.state(at: environment.clock.now) == .open }

  /// How many entries of the record no metric store took.
  public var lostRecords: Int { journal?.lost ?? 0 }
}

/// The environment of an engine; everything that is not decision comes in here.
public struct SyncEnvironment: Sendable {
  /// The kinds of entities.
  package var domain: SyncDomain
  /// The server.
  package var backend: any SyncBackend
  /// Makes the local database inside the engine's serialization.
  package var stores: any SyncStoreFactory
  /// Small values that outlive the process.
  package var preferences: any SyncPreferences
  /// The time.
  public var clock: any SyncClock = SystemSyncClock()
  /// The source of chance: ids and jitter.
  public var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  /// The source of chance for waits alone; `nil` for ``generator``.
  package var waitChance: (any RandomNumberGenerator & Sendable)?
  /// Decides conflicts between local changes and remote ones.
  public var conflicts: any ConflictResolver = LocalMembersWin()
  /// The format of the payloads that wait in the queue.
  public var payloads = SyncPayloadFormat()
  /// Where what the engine does is recorded; `nil` records nothing.
  package var metrics: AnyMetricStore?
  /// True if there is a network, now and whenever that changes; `nil` where no one knows.
  ///
  /// A stream is for one engine.
  public var reachability: AsyncStream<Bool>?
  /// How work begins that outlives a call.
  package var tasks = SyncTasks.ordinary
  /// Called as the very last step of a bootstrap.
  public var onBootstrapCompleted: (@Sendable () -> Void)?

  /// An environment with the machine's clock and chance.
  ///
  /// - Parameters:
  ///   - domain: The kinds of entities.
  ///   - backend: The server.
  ///   - stores: Makes the local database inside the engine's serialization.
  ///   - preferences: Small values that outlive the process.
  ///   - metrics: Where what the engine does is recorded; `nil` records nothing.
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
