import Essentials

extension LevelDetector {
  /// Windows of the shortest rung within which a change counts as seen: two minutes.
  private static let windows: Float = 11
  /// Deviations besides, so that it is seen in most cases and not in half of them.
  private static let safety: Float = 1.2

  /// The smallest change of level that would be seen within two minutes in about nine of ten cases, as a
  /// factor; `nil` where it is not known, or values have no logarithm.
  ///
  /// The distance that a CUSUM needs in each window at its present threshold, times the present deviation of a window.
  func smallestChange(_ budget: DetectionBudget) -> Double? {
    let rule = LevelRules.ladder[0]
    guard scale.isLogarithmic, rungs[0].isReady(rule), rungs[0].deviation > 0 else { return nil }
    let inflation = max(1, rungs[0].up.inflation, rungs[0].down.inflation)
    let needed = rule.slack + Self.safety + budget.scale * rule.threshold * inflation / Self.windows
    return exp(
      Double(min(50, max(rule.leastChange + Self.safety * rungs[0].deviation, needed * rungs[0].deviation))))
  }
}
