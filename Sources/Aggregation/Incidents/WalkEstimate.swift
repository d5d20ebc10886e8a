/// The wandering of a level from one window to the next: the variance of a random walk under noise.
///
/// The difference of neighbouring windows contains one step and the noise of two windows; that of windows eight apart
/// contains eight steps and the same noise (variance ratio, Lo and MacKinlay 1988). Their spreads come from many
/// differences, while distances from a usual level half an hour old are few. Without this estimate, random walks of
/// 0.5 % per sample caused 55 false lines in 1,000 hours and those of 2 % caused 335; with it there are 3 and 6, and
/// × 1.5 is found as often.
struct WalkEstimate: Sendable, Equatable {
  private static let lag = 8
  private static let gain: Float = 0.02
  /// Weights of the far and the near variance, which allow for the uncertainty of the estimates.
  private static let some: Float = 0.5
  private static let most: Float = 1.1

  private var near = SpreadEstimate()
  private var far = SpreadEstimate()
  /// The newest windows, oldest first.
  private var newest = RecentValues()

  /// Cautious estimate of the variance of one step: noise alone sometimes doubles the far variance.
  var variance: Float {
    guard far.count > 3 else { return 0 }
    let (some, most) = (Self.some * far.middleSquared, Self.most * near.middleSquared)
    return max(0, some - most) / (Self.some * Float(Self.lag) - Self.most)
  }

  /// Standard deviation of a window around its level: the variance of neighbours' differences is twice that of one
  /// window.
  var noise: Float { (near.middleSquared / 2).squareRoot() }

  /// Adds a window.
  mutating func add(_ value: Float) {
    defer { newest.append(value, capacity: Self.lag) }
    guard newest.count >= Self.lag, let last = newest.last else { return }
    near.add(value - last, gain: Self.gain)
    far.add(value - newest[0], gain: Self.gain)
  }
}
