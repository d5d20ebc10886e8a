import Essentials

/// A reported change of level, until it ends.
struct OpenChange: Sendable, Equatable {
  /// Consecutive windows near the usual level that end the change.
  private static let calmCount = 3
  /// Log-likelihood ratio that ends the change.
  ///
  /// With the count alone, 3 % of the lines for × 1.5 on a slow course said "ended" while the level lasted; with the
  /// ratio 0.5 % did.
  static let needed: Float = 15
  /// Fraction of the change within which a window is near the usual level.
  static let near: Float = 0.3
  /// Seconds after which the new level becomes the usual one.
  static let adoption = 3600.0
  /// Minimum seconds without a further rise after which a drift has no slope.
  private static let pause = 300.0

  var incident: Incident
  /// Previous level, and mean of the windows since with the pull of each limited, on the scale of the detector.
  let usual: Float
  private(set) var level: Float
  private(set) var count: Float
  private let deviation: Float
  private let side: Float
  private var calm = 0
  /// Log-likelihood ratio of the usual level versus the new one in those windows.
  private var evidence: Float = 0
  private var extensions = 0
  /// Time of the last window that was not near the usual level, and of the last one that moved a drift on.
  private var lastTime: Double
  private var grownAt: Double

  init(_ incident: Incident, _ alarm: RungAlarm, at time: Double) {
    self.incident = incident
    (usual, level, count) = (alarm.usual, alarm.level, Float(max(1, alarm.count)))
    (deviation, side, lastTime, grownAt) = (alarm.deviation, alarm.side, time, time)
  }

  /// The incident with the given end.
  func ended(_ end: Incident.End) -> Incident {
    var incident = incident
    incident.end = end
    return incident
  }

  /// Margin of error of the level relative to the usual one in 90 % of cases, on the scale of the detector.
  ///
  /// - Parameter course: the deviation over half an hour. A share of it does not average out, and the share grows with
  ///   the age of the usual level.
  func margin(course: Float) -> Float {
    let drifted = course * course * min(1, count / 60) * 0.6
    return 1.645 * (deviation * deviation * (1 / max(1, count) + 1.57 / 18 + 0.1) + drifted).squareRoot()
  }

  /// Writes the level and its margin of error into the incident.
  mutating func describe(_ scale: ValueScale, course: Float) {
    let margin = margin(course: course)
    incident.median = scale.value(level)
    if scale.isLogarithmic {
      incident.margin = exp(Double(min(50, margin)))
    } else if incident.median != 0 {
      incident.margin = 1 + Double(margin) / abs(incident.median)
    }
    describeSlope()
  }

  /// Writes the slope of a drift: the mean one since the start, or none once the level has stayed for a while.
  private mutating func describeSlope() {
    guard incident.kind == .drift else { return }
    let length = grownAt - incident.start
    if lastTime - grownAt > max(Self.pause, length / 2) {
      (incident.slope, incident.slopeMargin) = (0, 0)
    } else if extensions > 1, length > 0 {
      incident.slope = (incident.median - incident.usual) / length * 60
      incident.slopeMargin = abs(incident.median) * (incident.margin - 1) / length * 60
    }
  }

  /// True if a level is closer to the usual one than a fraction of the change.
  ///
  /// Half suffices for a detected change. Single windows need `near`: a slow trend halfway back is not a return.
  func isNearUsual(_ value: Float, _ part: Float = 0.5) -> Bool {
    (value - usual) * side < abs(level - usual) * part
  }

  /// True if an alarm continues this change in the same direction: this is a drift, or the step is small in comparison.
  func goesOn(_ other: RungAlarm) -> Bool {
    guard side == other.side else { return false }
    return incident.kind == .drift || abs(other.level - level) < 0.75 * abs(level - usual)
  }

  /// Moves the level to that of a continued change; the second extension makes it a drift.
  mutating func extend(to value: Float, at time: Double) {
    (level, count, grownAt) = (value, 1, time)
    extensions += 1
    if extensions > 1 { incident.kind = .drift }
  }

  /// Updates the change with a window; returns its end, or `nil` while it is ongoing.
  ///
  /// - Parameters:
  ///   - returned: the time of the last unusual sample if this window is the first usual one.
  ///   - needed: the log-likelihood ratio that ends the change.
  mutating func follow(
    _ value: Float, until time: Double, returned: Double, needed: Float = OpenChange.needed
  ) -> Incident.End? {
    if isNearUsual(value, Self.near) {
      if calm == 0 { lastTime = max(incident.start, returned) }
      calm += 1
      // The likelihood ratio of two normal means (Hinkley 1971).
      evidence += ((level + usual) / 2 - value) * (level - usual) / max(1e-9, deviation * deviation)
      return calm >= Self.calmCount && evidence > needed ? .returned(lastTime) : nil
    }
    (calm, evidence) = (0, 0)
    lastTime = time
    count += 1
    let reach = 4 * max(deviation, 0.02)
    level += max(-reach, min(reach, value - level)) / min(count, 360)
    return time - incident.start >= Self.adoption ? .adopted(time) : nil
  }
}
