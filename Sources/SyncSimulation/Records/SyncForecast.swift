package import Sync

/// The next refusal by the breaker if no one intervenes, as far as a record shows.
///
/// It does not cover events during a run, which may be over by then, or acts of people. A predicted refusal is certain.
package struct SyncForecast: Hashable, Sendable {
  /// The event that requests a run, as in ``SyncSimulationRecord/next``.
  package let what: String
  /// Time of the event, in seconds since 2001.
  package let at: Double
  /// The reason for the refusal.
  package let reason: String
  /// Time until which the breaker is open, in seconds since 2001.
  package let until: Double

  /// Times that differ by less, in seconds, may be equal.
  private static let precision = 1e-6

  /// True if ``SyncSimulationRecord/next`` describes an event that requests a run.
  package static func asksForRun(_ next: String) -> Bool { EngineForecast.asksForRun(next) }

  /// The forecast at a moment; `nil` if no refusal is certain or the record is insufficient.
  ///
  /// - Parameters:
  ///   - state: The last recorded state.
  ///   - phase: The phase of the active run; `nil` if none is active.
  ///   - openUntil: Time until which the breaker is open, in seconds since 2001; `nil` if it is not open.
  ///   - next: The next event, as in ``SyncSimulationRecord/next``.
  ///   - nextAt: Time of the next event, in seconds since 2001.
  package init?(
    state: SyncState.Kind, phase: SyncStateMachine.ActiveRun.Phase?, openUntil: Double?, next: String?,
    nextAt: Double?
  ) {
    // The state stays the same until then, because nothing happens by itself while the breaker is open.
    guard let openUntil, let next, let nextAt, nextAt + Self.precision < openUntil, phase == nil,
      EngineForecast.asksForRun(next)
    else { return nil }
    let outlook = EngineOptions(state: state, phase: phase, isBreakerOpen: true)
    guard let reason = outlook.reason(against: .syncRequested) else { return nil }
    (what, at, until) = (next, nextAt, openUntil)
    self.reason = reason
  }
}
