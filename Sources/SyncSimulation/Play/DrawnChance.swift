import Platform
import SimulationKit

/// Chance that was drawn before, as a record tells: one number after the other, then what comes from a seed.
///
/// One for all engines of a device, so that one that starts after a cut of power goes on with what comes next.
final class DrawnChance: RandomNumberGenerator, Sendable {
  private struct State {
    var draws: ArraySlice<Double>
    var rest: SimulationRandom
  }

  private let state: Locked<State>

  /// - Parameter draws: Each from 0 to 1: where in its range a number is.
  init(draws: [Double], rest: SimulationRandom) {
    state = Locked(State(draws: draws[...], rest: rest))
  }

  func next() -> UInt64 {
    state.withLock { state in
      guard let draw = state.draws.popFirst() else { return state.rest.next() }
      // Below 2^64, which no word holds.
      return UInt64(min(max(draw, 0) * 0x1p64, 0x1.fffffffffffffp63))
    }
  }
}
