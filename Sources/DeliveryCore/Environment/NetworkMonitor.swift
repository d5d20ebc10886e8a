/// A source of network availability.
///
/// A loss counts at once; the network counts as back after it has been up for two seconds.
public protocol NetworkMonitor: Sendable {
  /// Starts to call `changed` with the network's availability, beginning with the current state.
  ///
  /// Repeated states are harmless. Calls may come from any thread.
  func start(_ changed: @escaping @Sendable (Bool) -> Void)

  /// Stops the calls.
  func stop()
}

/// A network that is always available.
public struct AlwaysOnline: NetworkMonitor {
  /// Creates a monitor.
  public init() {}

  /// Calls `changed` once, with `true`.
  public func start(_ changed: @escaping @Sendable (Bool) -> Void) { changed(true) }

  /// Does nothing.
  public func stop() {}
}
