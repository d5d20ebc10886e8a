import Platform
import SimulationKit

/// Replays recorded random draws, followed by numbers from a seed.
///
/// Shared by all engines of a device, so that an engine started after a power cut continues with the next draw.
final class DrawnChance: RandomNumberGenerator, Sendable {
  private struct State {
    var draws: ArraySlice<Double>
    var rest: SimulationRandom
  }

  private let state: Locked<State>

  /// - Parameter draws: Numbers from 0 to 1, as positions within the range.
  init(draws: [Double], rest: SimulationRandom) {
    state = Locked(State(draws: draws[...], rest: rest))
  }

  func next() -> UInt64 {
    state.withLock { state in
      guard let draw = state.draws.popFirst() else { return state.rest.next() }
      // Clamped below 2^64, which would overflow.
      return UInt64(min(max(draw, 0) * 0x1p64, 0x1.fffffffffffffp63))
    }
  }
}
