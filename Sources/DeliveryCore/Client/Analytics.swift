import Dispatch

/// The one client of an app.
///
/// ```swift
/// let analytics = Analytics.initialize(
///   with: InitOptions(writeKey: "…", ingestionHost: "https://events.example.com"))
/// analytics.track("Song Played", properties: ["title": "Long Tall Sally", "seconds": 128])
/// ```
public enum Analytics {
  private static let proxy = {
    let proxy = AnalyticsProxy(.system)
    SystemApp.observe(proxy)
    return proxy
  }()

  /// Sets up the client and returns at once; it may be used immediately.
  ///
  /// With invalid options nothing is ever sent: see ``InitOptions/validate()``. A second call is ignored with a warning
  /// until ``reset()``.
  @discardableResult
  public static func initialize(with options: InitOptions) -> any AnalyticsInterface {
    proxy.initialize(with: options)
    return proxy
  }

  /// Sets up the client and returns when it is ready, or refused.
  @discardableResult
  public static func initializeAndWait(with options: InitOptions) async -> any AnalyticsInterface {
    await proxy.initializeAndWait(with: options)
    return proxy
  }

  /// The client; calls before ``initialize(with:)`` wait for it.
  public static var shared: any AnalyticsInterface { proxy }

  /// The client.
  @available(*, deprecated, renamed: "shared", message: "Use shared.")
  public static func client() -> any AnalyticsInterface { proxy }

  /// Forgets the user, drops all events, and ends the client.
  public static func reset() { proxy.reset() }

  /// The same, and returns when it is done.
  public static func resetAndWait() async { await proxy.resetAndWait() }

  /// Sends what waits and returns when the flush has ended: delivered, put off, or stored.
  public static func flushAndWait() async { await proxy.wait { .flush($0) } }

  /// The app went to the background: what cannot be sent now is stored.
  ///
  /// On iOS the client sees this by itself; elsewhere the host says it.
  public static func enterBackground() { proxy.accept(.enterBackground(nil)) }

  /// The same, and returns when what is left is stored.
  public static func enterBackgroundAndWait() async { await proxy.wait { .enterBackground($0) } }

  /// The app came to the foreground.
  public static func enterForeground() { proxy.accept(.enterForeground) }

  /// The process is about to end: what is in memory is stored.
  ///
  /// Waits for that, two seconds at most.
  public static func terminate() {
    let isStored = DispatchSemaphore(value: 0)
    proxy.accept(.terminate(Waiter { isStored.signal() }))
    if proxy.isReady { _ = isStored.wait(timeout: .now() + .seconds(2)) }
  }
}
