import Essentials

extension LevelDetector {
  /// Windows of the shortest rung within which a change is noticed: two minutes.
  private static let windows: Float = 11
  /// Extra deviations, so that a change is noticed in most cases rather than half.
  private static let safety: Float = 1.2

  /// Smallest change of level that would be noticed within two minutes in about nine of ten cases, as a factor; `nil`
  /// if unknown or on a linear scale.
  ///
  /// The distance that a CUSUM needs in each window at its current threshold, times the current deviation of a window,
  /// but not below the smallest reported change.
  func smallestChange(_ budget: DetectionBudget) -> Double? {
    let rule = LevelRules.ladder[0]
    guard scale.isLogarithmic, rungs[0].isReady(rule), rungs[0].deviation > 0 else { return nil }
    let inflation = max(1, rungs[0].up.inflation, rungs[0].down.inflation)
    let needed = rule.slack + Self.safety + budget.scale * rule.threshold * inflation / Self.windows
    return exp(
      Double(min(50, max(rule.leastChange + Self.safety * rungs[0].deviation, needed * rungs[0].deviation))))
  }
}
