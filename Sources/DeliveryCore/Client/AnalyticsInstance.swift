import Dispatch
import Essentials
import Platform

/// A client of its own beside ``Analytics/shared``, with its own write key, folder and options.
///
/// It lasts as long as the process. Give each instance a folder of its own, by ``InitOptions/storageNamespace`` or
/// ``InitOptions/dataFolder``: a second client of one folder reports ``DeliveryError/Code/folderInUse``, and keeps its
/// events in memory alone.
///
/// ```swift
/// var options = InitOptions(writeKey: "…", ingestionHost: "https://events.example.com")
/// options.storageNamespace = "billing"
/// let billing = AnalyticsInstance(options)
/// billing.client.track("Invoice Opened", properties: ["total": 12.5])
/// ```
public final class AnalyticsInstance: Sendable {
  let proxy: AnalyticsProxy

  /// All instances, which store their events at the end of the process.
  private static let all = {
    // A return from `main` ends the process without telling the clients.
    atexit { AnalyticsInstance.terminateAll() }
    return Locked<[AnalyticsInstance]>([])
  }()

  /// Creates and sets up a client; it can be used immediately.
  ///
  /// With invalid options, nothing is ever sent: see ``InitOptions/validate()``.
  public convenience init(_ options: InitOptions) {
    self.init(.system)
    beginLife()
    initialize(with: options)
  }

  /// Creates a client without options, whose calls are buffered.
  package init(_ environment: DeliveryEnvironment) {
    proxy = AnalyticsProxy(environment)
  }

  /// Follows the app's lifecycle until the end of the process.
  func beginLife() {
    SystemApp.observe(proxy)
    Self.all.withLock { $0.append(self) }
  }

  /// The calls of the client.
  public var client: any AnalyticsInterface { proxy }

  /// False while nothing may be collected, for instance without consent: events are then neither kept nor counted.
  public var isEnabled: Bool {
    get { proxy.isEnabled }
    set { proxy.isEnabled = newValue }
  }

  /// Sets up the client again, after a reset.
  public func initialize(with options: InitOptions) { proxy.initialize(with: options) }

  /// Returns once the client is ready or was refused.
  public func initializeAndWait(with options: InitOptions) async {
    await proxy.initializeAndWait(with: options)
  }

  /// Forgets the user and drops all events, and returns once it is done.
  public func resetAndWait() async { await proxy.resetAndWait() }

  /// Sends waiting events and returns at the end of the flush: delivered, postponed or stored.
  public func flushAndWait() async { await proxy.wait { .flush($0) } }

  /// The newest 100 events that the endpoint refused with a 4xx, oldest first; kept over restarts until a reset.
  public func refusedEvents() async -> [RefusedEvent] {
    await withCheckedContinuation { continuation in
      proxy.accept(.refusedEvents(Waiter { continuation.resume(returning: $0) }))
    }
  }

  /// Queues the refused events once more, for instance after the endpoint was fixed.
  public func sendRefusedAgain() { proxy.accept(.sendRefusedAgain) }

  /// Notifies the client that the app entered the background, and returns once the remaining events are stored.
  public func enterBackgroundAndWait() async { await proxy.wait { .enterBackground($0) } }

  /// Notifies the client that the app entered the background: events that cannot be sent now are stored.
  public func enterBackground() { proxy.accept(.enterBackground(nil)) }

  /// Notifies the client that the app entered the foreground.
  public func enterForeground() { proxy.accept(.enterForeground) }

  /// Stores the events in memory before the process ends; blocks for at most two seconds.
  public func terminate() { Self.terminate([self]) }

  private static func terminateAll() { terminate(all.withLock { $0 }) }

  private static func terminate(_ instances: [AnalyticsInstance]) {
    let latest = DispatchTime.now() + .seconds(2)
    let stored = instances.map { instance in
      let isStored = DispatchSemaphore(value: 0)
      instance.proxy.accept(.terminate(Waiter { isStored.signal() }))
      return isStored
    }
    for isStored in stored { _ = isStored.wait(timeout: latest) }
  }
}
