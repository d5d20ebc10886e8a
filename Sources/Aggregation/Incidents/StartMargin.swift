import Essentials

extension SeriesDetector {
  /// Change-point error in samples times the square of the change in standard deviations of a sample: the 90th
  /// percentile of generated changes to 1.5 and 2 times the usual level.
  private static let shiftError = 12.0
  /// Seconds after which a level was found by windows too long to date it by samples, and the share of that time
  /// within which its start lies.
  private static let lateFinding = 100.0
  private static let lateShare = 0.4
  /// The 90th percentile of exponential gaps, in mean gaps.
  private static let longGap = 2.3

  /// Margin of error of an incident's start in seconds, in 90 % of cases.
  ///
  /// A start is dated by samples, so the margin is at least a mean gap. A small change is hard to date: so is one found
  /// in long windows, and a drift.
  func startMargin(of incident: Incident) -> Double {
    let gap = max(arrivals.mean, levels.first?.gap ?? 0)
    let age = max(0, incident.found - incident.start)
    switch incident.kind {
    case .outlier: return gap
    case .silent: return Self.longGap * gap
    case .above, .below:
      let shift = levels.first?.shift(of: incident) ?? 1
      let margin = gap * (1 + min(1e3, Self.shiftError / max(1e-6, shift * shift)))
      return age < Self.lateFinding ? margin : max(margin, Self.lateShare * age)
    case .drift, .tail, .outcome, .rate: return max(gap, Self.lateShare * age)
    }
  }
}

extension LevelDetector {
  /// Mean seconds between two kept samples of the last window.
  fileprivate var gap: Double {
    let last = previous.values.count > 1 ? previous : window
    return last.values.count > 1 ? max(0, last.lastTime - last.start) / Double(last.values.count - 1) : 0
  }

  /// The size of a change in standard deviations of a single sample.
  fileprivate func shift(of incident: Incident) -> Double {
    let distance = abs(scale.scaled(incident.median) - scale.scaled(incident.usual))
    return Double(distance / max(noise, LevelRules.floor * unit))
  }
}
