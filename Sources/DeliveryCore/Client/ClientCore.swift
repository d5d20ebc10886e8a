import Essentials
import MisterMetricsCore
package import TelemetryCore

/// The client without tasks: handles calls and outcomes one at a time, and returns the remaining work.
///
/// It performs synchronous work itself, including file access, and returns the rest as effects. Its driver,
/// ``AnalyticsClient``, makes no decisions.
package struct ClientCore {
  /// A task for the driver.
  package enum Effect: Sendable {
    /// Post, and report the outcome with that number.
    case send(DeliveryRequest, sequence: Int)
    /// Cancel the exchange with that number.
    case cancel(sequence: Int)
    /// Resume a waiting caller.
    case resume(Waiter<Void>)
    /// Report an error to the app.
    case report(DeliveryError)
  }

  var options: InitOptions
  var environment: DeliveryEnvironment
  package let journal: MetricJournal
  package internal(set) var lifecycle = LifecycleMachine()
  package internal(set) var machine: DeliveryMachine
  package internal(set) var identity = Identity(anonymousID: "")
  package internal(set) var dropped: [DropCause: Int] = [:]
  package internal(set) var deliveredCount = 0
  /// Values left out of events because JSON cannot express them.
  package internal(set) var leftOutValues = 0
  package internal(set) var isTracing = false
  package internal(set) var isDebugging: Bool
  /// Requests sent.
  package internal(set) var requestCount = 0
  /// The endpoint's last answer: a status, or the reason that there was none.
  var lastAnswer: String?

  var generator: any RandomNumberGenerator & Sendable
  /// Opened at the start: until then, the client before may still write to the same files.
  lazy var identityStorage = IdentityStorage(
    environment.openValues(options), namespace: options.storageNamespace)
  package internal(set) var storage: (any EventStorage)?
  var oldestStored = OldestOnDisk.unknown
  var context: ContextCache
  let writer: EventWriter
  var appLifecycle: AppLifecycle
  var effects: [Effect] = []
  var flushWaiters: [Waiter<Void>] = []
  var sending: Sending?
  /// The refusal being handled.
  var refusal: Refusal?
  /// The refused events, once they were read.
  var refused: [RefusedEvent]?
  lazy var refusedValues = environment.openRefused(options)
  package var step = DeliveryStep()
  var recorded = RecordedState()
  var versionToStore: VersionToStore?
  /// The folder, if another client uses it.
  var folderInUse: String?

  /// The batch in flight, as sent.
  struct Sending {
    let batch: DeliveryMachine.Batch
    let bytes: Int
    let start: Duration
  }

  /// The app version, stored once the event that reports it can no longer be lost.
  struct VersionToStore {
    let messageID: String
    let version: AppLifecycle.Version
  }

  /// Creates a client that has not started.
  ///
  /// - Parameters:
  ///   - options: Valid options.
  ///   - journal: The journal for its records; `nil` for one of its own.
  package init(_ options: InitOptions, _ environment: DeliveryEnvironment, journal: MetricJournal? = nil) {
    self.options = options
    self.environment = environment
    let clock = environment.clock
    self.journal = journal ?? MetricJournal(limit: 20_000, stamp: { clock.wallTime })
    machine = DeliveryMachine(DeliveryConfiguration(options))
    isDebugging = options.debug
    generator = environment.generator
    context = ContextCache(environment.context)
    writer = EventWriter(writeKey: options.writeKey)
    let app = environment.context.context().app
    appLifecycle = AppLifecycle(
      isTracking: options.trackLifecycleEvents, current: .init(version: app.version, build: app.build))
  }

  /// Returns the effects to perform, and clears them.
  package mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  /// The next time at which ``tick()`` has something to do.
  package var nextDeadline: Duration? { machine.nextDeadline }

  /// Accepted events that are neither delivered nor dropped.
  package var waiting: Int { machine.waiting }

  /// Replaces the constants; see ``DeliveryMachine/configure(_:at:)``.
  package mutating func configure(_ options: InitOptions, _ configuration: DeliveryConfiguration) {
    self.options = options
    machine.configure(configuration, at: environment.clock.now)
  }

  // MARK: Life

  /// Loads or creates the identity, reads the disk, and gets ready.
  package mutating func begin() {
    begin(step: "initialize", by: .app)
    change(.initialize)
    store { [environment] storage throws(StorageFailure) in try storage.adopt(environment.original) }
    let mark = ResetMark(environment, options)
    if mark.isSet { store { storage throws(StorageFailure) in try storage.wipe() } }
    for warning in options.warnings { log(.warning, warning) }
    let hadIdentity = identityStorage.hasIdentity
    let stored = identityStorage.identity(using: &generator)
    identity = stored.identity
    if identityStorage.isDamaged {
      log(.warning, "The stored identity is damaged: the anonymous id is a new one")
    }
    if let failure = stored.failure { notStored("The identity", failure) }
    openStorage()
    if mark.isSet { finishReset(mark) }
    // Read once now, so that the debug information has their number.
    _ = refusedEvents
    change(.initialized)
    let inForeground = environment.isForeground()
    let cold = appLifecycle.begin(
      stored: storedVersion, hadIdentity: hadIdentity, inForeground: inForeground)
    handle(.started(stored: storage?.count ?? 0, inForeground: inForeground))
    send(cold: cold)
    finishStep()
  }

  private mutating func send(cold drafts: [EventDraft]) {
    for draft in drafts {
      let id = enqueue(draft, at: environment.clock.wallTime)
      let tellsOfVersion = draft.event != "Application Opened"
      if tellsOfVersion, let id {
        versionToStore = VersionToStore(messageID: id, version: appLifecycle.current)
      }
    }
  }

  private var storedVersion: AppLifecycle.Version? {
    mutating get {
      let (version, build) = identityStorage.app
      guard version != nil || build != nil else { return nil }
      return AppLifecycle.Version(version: version ?? "unknown", build: build ?? "unknown")
    }
  }

  /// Removes the events of the user whom the last process forgot.
  private mutating func finishReset(_ mark: ResetMark) {
    count(.reset, storage?.count ?? 0)
    clearDisk()
    keepRefused([])
    if isDiskClear {
      store { _ throws(StorageFailure) in try mark.clear() }
    } else {
      keepInMemory()
    }
  }

  private mutating func keepInMemory() {
    storage = nil
    machine = DeliveryMachine(machine.configuration.inMemory)
  }

  /// True if no event is on disk.
  var isDiskClear: Bool { options.maxDiskEvents == 0 || storage?.count == 0 }

  private mutating func openStorage() {
    if let folderInUse {
      keepInMemory()
      return reportFolder(folderInUse)
    }
    guard options.maxDiskEvents > 0 else { return }
    do {
      let opened = try environment.openStorage(options)
      storage = opened
      noteDamage(of: opened)
    } catch {
      keepInMemory()
      log(.error, "Events are kept in memory alone: \(error.message)")
      effects.append(.report(DeliveryError(.storage, error.message)))
    }
  }

  /// Changes the stored identity; a failure is reported, and the change then lasts for this process.
  mutating func store(_ change: (IdentityStorage) throws(StorageFailure) -> Void) {
    do { try change(identityStorage) } catch { notStored("The identity", error) }
  }

  mutating func notStored(_ what: String, _ failure: StorageFailure) {
    log(.error, "\(what) cannot be stored: \(failure.message)")
    effects.append(.report(DeliveryError(.storage, failure.message)))
  }

  // MARK: Log

  mutating func log(_ level: LogLine.Level, _ text: @autoclosure () -> String) {
    guard level != .debug || isDebugging else { return }
    // The text may contain messages of the transport, which knows the key.
    environment.log(LogLine(level, Masked.text(text(), key: options.writeKey)))
  }
}

extension DeliveryConfiguration {
  /// Creates the constants for a client with these options.
  package init(_ options: InitOptions) {
    self.init()
    maxQueueEvents = options.maxQueueEvents
    maxDiskEvents = max(0, options.maxDiskEvents)
    flushInterval = .seconds(min(options.flushIntervalSeconds, 1_000_000_000))
    diskFlushEvents = max(1, options.diskFlushEvents)
    keepDelay = max(.zero, min(options.keepDelay, .seconds(1_000_000_000)))
  }

  /// A copy without a disk.
  package var inMemory: DeliveryConfiguration {
    var configuration = self
    configuration.maxDiskEvents = 0
    return configuration
  }
}
