/// The app's analytics client; ``AnalyticsInstance`` makes others beside it.
///
/// ```swift
/// let analytics = Analytics.initialize(
///   with: InitOptions(writeKey: "…", ingestionHost: "https://events.example.com"))
/// analytics.track("Song Played", properties: ["title": "Long Tall Sally", "seconds": 128])
/// ```
public enum Analytics {
  private static let instance = {
    let instance = AnalyticsInstance(.system)
    instance.beginLife()
    return instance
  }()

  private static var proxy: AnalyticsProxy { instance.proxy }

  /// Sets up the client and returns at once; it can be used immediately.
  ///
  /// With invalid options, nothing is ever sent: see ``InitOptions/validate()``. A second call before ``reset()`` is
  /// ignored with a warning.
  @discardableResult
  public static func initialize(with options: InitOptions) -> any AnalyticsInterface {
    proxy.initialize(with: options)
    return proxy
  }

  /// Sets up the client and returns once it is ready or was refused.
  @discardableResult
  public static func initializeAndWait(with options: InitOptions) async -> any AnalyticsInterface {
    await proxy.initializeAndWait(with: options)
    return proxy
  }

  /// The client; calls before ``initialize(with:)`` are buffered.
  public static var shared: any AnalyticsInterface { proxy }

  /// The client, same as ``shared``.
  @available(*, deprecated, renamed: "shared", message: "Use shared.")
  public static func client() -> any AnalyticsInterface { proxy }

  /// False while nothing may be collected, for instance without consent: events are then neither kept nor counted.
  ///
  /// Applies to this process only. Events already waiting are still delivered; ``reset()`` drops them.
  public static var isEnabled: Bool {
    get { proxy.isEnabled }
    set { proxy.isEnabled = newValue }
  }

  /// Forgets the user and drops all events; the next event is sent under a new anonymous id.
  ///
  /// Takes effect at once, also if the process ends right after. ``initialize(with:)`` may bring other options.
  public static func reset() { proxy.reset() }

  /// Same as ``reset()``, and returns once it is done.
  public static func resetAndWait() async { await proxy.resetAndWait() }

  /// Sends waiting events and returns at the end of the flush: delivered, postponed or stored.
  public static func flushAndWait() async { await proxy.wait { .flush($0) } }

  /// The newest 100 events that the endpoint refused with a 4xx, oldest first; kept over restarts until a reset.
  public static func refusedEvents() async -> [RefusedEvent] {
    await instance.refusedEvents()
  }

  /// Queues the refused events once more, for instance after the endpoint was fixed.
  public static func sendRefusedAgain() { proxy.accept(.sendRefusedAgain) }

  /// Notifies the client that the app entered the background: events that cannot be sent now are stored.
  ///
  /// On iOS the client observes this itself; elsewhere the host must call it.
  public static func enterBackground() { proxy.accept(.enterBackground(nil)) }

  /// Same as ``enterBackground()``, and returns once the remaining events are stored.
  public static func enterBackgroundAndWait() async { await proxy.wait { .enterBackground($0) } }

  /// Notifies the client that the app entered the foreground.
  public static func enterForeground() { proxy.accept(.enterForeground) }

  /// Notifies the client that the process is about to end: events in memory are stored.
  ///
  /// Blocks until then, for at most two seconds. The client calls it itself at `exit` and a return from `main`.
  public static func terminate() { instance.terminate() }
}
