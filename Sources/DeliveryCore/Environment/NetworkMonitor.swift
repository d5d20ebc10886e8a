/// Says whether there is a network.
///
/// Loss counts at once, and the network counts as back when it has stayed for two seconds.
public protocol NetworkMonitor: Sendable {
  /// Begins to call `changed` with whether there is a network, the present state first.
  ///
  /// Repeated states do no harm. The calls may come from any thread.
  func start(_ changed: @escaping @Sendable (Bool) -> Void)

  /// Ends the calls.
  func stop()
}

/// A network that is always there.
public struct AlwaysOnline: NetworkMonitor {
  /// A monitor that has nothing to say.
  public init() {}

  /// Says once that there is a network.
  public func start(_ changed: @escaping @Sendable (Bool) -> Void) { changed(true) }

  /// Does nothing.
  public func stop() {}
}
