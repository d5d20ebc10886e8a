import Essentials

/// A change of level that was told, until it ends.
struct OpenChange: Sendable, Equatable {
  /// Windows near the usual level that end it.
  private static let calmCount = 3
  /// The part of the change within which a window is near the usual level.
  static let near: Float = 0.3
  /// Seconds after which the new level is the usual one.
  static let adoption = 3600.0

  var incident: Incident
  /// On the scale of the detector: the level before, and the mean of the windows since, each limited in its
  /// pull.
  let usual: Float
  private(set) var level: Float
  private(set) var count: Float
  private let deviation: Float
  private let side: Float
  private var calm = 0
  private var extensions = 0
  private var lastTime: Double

  init(_ incident: Incident, _ alarm: RungAlarm, at time: Double) {
    self.incident = incident
    (usual, level, count) = (alarm.usual, alarm.level, Float(max(1, alarm.count)))
    (deviation, side, lastTime) = (alarm.deviation, alarm.side, time)
  }

  /// The incident with its end.
  func ended(_ end: Incident.End) -> Incident {
    var incident = incident
    incident.end = end
    return incident
  }

  /// The ± of the level against the usual one in 90 % of cases, on the scale of the detector.
  ///
  /// - Parameter course: the deviation over half an hour, of which a share does not average out: the more,
  ///   the longer ago the usual level was.
  func margin(course: Float) -> Float {
    let drifted = course * course * min(1, count / 60) * 0.6
    return 1.645 * (deviation * deviation * (1 / max(1, count) + 1.57 / 18 + 0.1) + drifted).squareRoot()
  }

  /// Writes the level and its ± into the incident.
  mutating func describe(_ scale: ValueScale, course: Float) {
    let margin = margin(course: course)
    incident.median = scale.value(level)
    if scale.isLogarithmic {
      incident.margin = exp(Double(min(50, margin)))
    } else if incident.median != 0 {
      incident.margin = 1 + Double(margin) / abs(incident.median)
    }
  }

  /// True for a level that is nearer to the usual one than a part of the change.
  ///
  /// Half is enough for a change that was found; a slow course that comes half of the way back is no return.
  func isNearUsual(_ value: Float, _ part: Float = 0.5) -> Bool {
    (value - usual) * side < abs(level - usual) * part
  }

  /// True if a change only carries this one on: a drift the same way, or a step that is small beside it.
  func goesOn(_ other: RungAlarm) -> Bool {
    guard side == other.side else { return false }
    return incident.kind == .drift || abs(other.level - level) < 0.75 * abs(level - usual)
  }

  /// Follows a change that goes on to where it is now; one that does so again is a drift.
  mutating func extend(to value: Float) {
    (level, count) = (value, 1)
    extensions += 1
    if extensions > 1 { incident.kind = .drift }
  }

  /// Follows a window; answers how it ended with it.
  ///
  /// - Parameter returned: the last unusual sample if the window is the first of the usual ones.
  mutating func follow(_ value: Float, until time: Double, returned: Double) -> Incident.End? {
    if isNearUsual(value, Self.near) {
      if calm == 0 { lastTime = max(incident.start, returned) }
      calm += 1
      return calm >= Self.calmCount ? .returned(lastTime) : nil
    }
    calm = 0
    lastTime = time
    count += 1
    let reach = 4 * max(deviation, 0.02)
    level += max(-reach, min(reach, value - level)) / min(count, 360)
    return time - incident.start >= Self.adoption ? .adopted(time) : nil
  }
}
