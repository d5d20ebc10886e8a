import Essentials

/// The scale on which the values of a series are compared: logarithmic if nearly all are positive, else linear.
struct ValueScale: Sendable, Equatable {
  /// Stands for a value without a logarithm, below all others.
  static let nothing: Float = -1000
  private static let largest = 1e30
  /// Shares of values without a logarithm above which the scale becomes linear, and below which it becomes logarithmic.
  private static let most: Float = 0.05
  private static let least: Float = 0.005
  private static let memory: Float = 2000

  private(set) var isLogarithmic = true
  /// Subtracted on the linear scale, so that Float is precise enough.
  private var origin = 0.0
  private var count: Float = 0
  private var share: Float = 0

  @inline(__always)
  func scaled(_ value: Double) -> Float {
    if isLogarithmic { return value > 0 ? Float(log(value)) : Self.nothing }
    return Float(max(-Self.largest, min(Self.largest, value - origin)))
  }

  func value(_ scaled: Float) -> Double {
    if isLogarithmic {
      // Below the logarithm of the smallest number.
      return scaled < -746 ? 0 : exp(Double(max(-746, min(700, scaled))))
    }
    return Double(scaled) + origin
  }

  /// Counts the values of a window; true if the scale has switched.
  mutating func changes(positive: Int32, others: Int32, last: Double) -> Bool {
    let all = Float(positive) + Float(others)
    guard all > 0 else { return false }
    count = min(count + all, Self.memory)
    share += (Float(others) / all - share) * min(1, all / count)
    guard count >= 20, isLogarithmic ? share > Self.most : share < Self.least else { return false }
    isLogarithmic.toggle()
    origin = last.isFinite ? max(-Self.largest, min(Self.largest, last)) : 0
    return true
  }
}
