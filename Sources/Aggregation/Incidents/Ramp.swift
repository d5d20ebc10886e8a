import Essentials

/// A steady rise or fall, in units of a rung's scale and windows.
struct Ramp: Sendable, Equatable {
  /// Windows since the ramp began.
  var age: Int
  /// Change per window, and its margin of error in 90 % of cases.
  var slope: Float
  var margin: Float
}

extension ChangeRung {
  private static let longestFit = 40
  /// Maximum squared residuals of a ramp, as a fraction of those of a step.
  private static let advantage: Float = 0.85

  /// A ramp that explains the newest windows better than a step; `nil` if a step is as good.
  ///
  /// Least-squares fit of a bent line (flat, then rising or falling) for each bend, versus a step at each window
  /// (Hinkley 1971).
  func ramp(_ side: Float) -> Ramp? {
    let run = (side > 0 ? up : down).windows.map(\.value)
    let values = Array((windows.inOrder + run).suffix(Self.longestFit))
    guard values.count >= 8 else { return nil }
    var best: (squares: Float, ramp: Ramp)?
    var step = Float.infinity
    for bend in 3..<(values.count - 1) {
      let before = median(of: values, leavingOut: values.count - bend)
      let after = values[bend...].reduce(0, +) / Float(values.count - bend)
      let flat = values[..<bend].reduce(0) { $0 + ($1 - before) * ($1 - before) }
      step = min(step, values[bend...].reduce(flat) { $0 + ($1 - after) * ($1 - after) })
      var (products, squares) = (Float(0), Float(0))
      for (index, value) in values[bend...].enumerated() {
        products += Float(index + 1) * (value - before)
        squares += Float(index + 1) * Float(index + 1)
      }
      let slope = products / squares
      var left = flat
      for (index, value) in values[bend...].enumerated() {
        let rest = value - before - slope * Float(index + 1)
        left += rest * rest
      }
      if left < best?.squares ?? .infinity, slope * side > 0 {
        let margin = 1.645 * (left / Float(values.count - 2) / squares).squareRoot()
        best = (left, Ramp(age: values.count - bend, slope: slope, margin: margin))
      }
    }
    guard let best, best.ramp.age >= 4, best.squares < Self.advantage * step else { return nil }
    return best.ramp
  }
}
