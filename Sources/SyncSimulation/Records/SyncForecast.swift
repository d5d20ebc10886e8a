package import Sync

/// The breaker's next refusal if no one intervenes, as far as a record tells.
///
/// It says nothing of what comes during a run, because the run may be over by then, and nothing of what people do.
/// Where it says that something will be refused, it will be.
package struct SyncForecast: Hashable, Sendable {
  /// The cause that asks for a run, in the words of ``SyncSimulationRecord/next``.
  package let what: String
  /// When, in seconds since 2001.
  package let at: Double
  /// Why that will be refused.
  package let reason: String
  /// Until when the breaker is open, in seconds since 2001.
  package let until: Double

  /// Times in seconds that are closer than that may be the same.
  private static let precision = 1e-6

  /// True if ``SyncSimulationRecord/next`` is something that asks for a run.
  package static func asksForRun(_ next: String) -> Bool { EngineForecast.asksForRun(next) }

  /// The forecast of a moment; `nil` when nothing will be refused, or the record does not tell.
  ///
  /// - Parameters:
  ///   - state: The state that was recorded last.
  ///   - phase: What the active run does; `nil` when none is active.
  ///   - openUntil: Until when the breaker is open, in seconds since 2001; `nil` when it is not.
  ///   - next: What comes next, as ``SyncSimulationRecord/next`` has it.
  ///   - nextAt: When that comes, in seconds since 2001.
  package init?(
    state: SyncState.Kind, phase: SyncStateMachine.ActiveRun.Phase?, openUntil: Double?, next: String?,
    nextAt: Double?
  ) {
    // Until the breaker lets a run through, nothing happens by itself: what holds now holds then.
    guard let openUntil, let next, let nextAt, nextAt + Self.precision < openUntil, phase == nil,
      EngineForecast.asksForRun(next)
    else { return nil }
    let outlook = EngineOptions(state: state, phase: phase, isBreakerOpen: true)
    guard let reason = outlook.reason(against: .syncRequested) else { return nil }
    (what, at, until) = (next, nextAt, openUntil)
    self.reason = reason
  }
}
