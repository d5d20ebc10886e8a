/// How much a level wanders from one window to the next: the variance of a random walk under noise.
///
/// The differences of neighbours hold one step and the noise of two windows, those of windows eight apart
/// eight steps and the same noise (variance ratio, Lo and MacKinlay 1988). Their spreads come from many
/// differences, while distances from a usual that is half an hour old are few: random walks of 0.5 % a sample
/// had 55 false lines in 1,000 hours before, those of 2 % 335; now it is 3 and 6, and × 1.5 is found as
/// often.
struct WalkEstimate: Sendable, Equatable {
  private static let lag = 8
  private static let gain: Float = 0.02
  /// The estimates are this uncertain: so much of the far variance counts, and so much of the near one.
  private static let some: Float = 0.5
  private static let most: Float = 1.1

  private var near = SpreadEstimate()
  private var far = SpreadEstimate()
  /// The newest windows, from the oldest on.
  private var newest = RecentValues()

  /// The variance of one step, as far as it is certain: noise alone makes the far variance twice as large at
  /// times.
  var variance: Float {
    guard far.count > 3 else { return 0 }
    let (some, most) = (Self.some * far.middleSquared, Self.most * near.middleSquared)
    return max(0, some - most) / (Self.some * Float(Self.lag) - Self.most)
  }

  /// The deviation of a window around its level: half of what neighbours differ by is each one's noise.
  var noise: Float { (near.middleSquared / 2).squareRoot() }

  /// Adds a window.
  mutating func add(_ value: Float) {
    defer { newest.append(value, capacity: Self.lag) }
    guard newest.count >= Self.lag, let last = newest.last else { return }
    near.add(value - last, gain: Self.gain)
    far.add(value - newest[0], gain: Self.gain)
  }
}
