import Essentials
package import Platform

/// The time zone in which times are shown.
package enum ClockZone: Hashable, Sendable {
  case utc
  /// The user's time zone.
  case local

  /// The calendar fields of a time.
  package struct Parts: Equatable {
    package var year = 0
    package var month = 0
    package var day = 0
    package var hour = 0
    package var minute = 0
    package var second = 0
    package var millisecond = 0
    /// Days since 1970, to compare days.
    package var dayNumber = 0
  }

  /// The calendar fields of a time; `nil` outside the calendar's range.
  package func parts(_ time: Timestamp) -> Parts? {
    let time = time.seconds
    guard time.magnitude < 3e11 else { return nil }
    // To the nearest millisecond: most decimal fractions lie a little below their digits.
    let whole = (time + 0.0005).rounded(.down)
    var seconds = time_t(whole) + Timestamp.unixEpochDistance
    var fields = tm()
    let taken = self == .utc ? gmtime_r(&seconds, &fields) : localtime_r(&seconds, &fields)
    guard taken != nil else { return nil }
    let local = Int(seconds) + Int(fields.tm_gmtoff)
    return Parts(
      year: Int(fields.tm_year) + 1900, month: Int(fields.tm_mon) + 1, day: Int(fields.tm_mday),
      hour: Int(fields.tm_hour), minute: Int(fields.tm_min), second: Int(fields.tm_sec),
      millisecond: min(999, max(0, Int(((time - whole) * 1000).rounded()))),
      dayNumber: Int((Double(local) / 86_400).rounded(.down)))
  }
}

extension ClockZone {
  /// The zone's offset from UTC at a time, in seconds.
  package func offset(at time: Timestamp) -> Double {
    guard self == .local, time.seconds.magnitude < 3e11 else { return 0 }
    var seconds = time_t(time.seconds.rounded(.down)) + Timestamp.unixEpochDistance
    var fields = tm()
    return localtime_r(&seconds, &fields) == nil ? 0 : Double(fields.tm_gmtoff)
  }

  /// The smallest unit shown in a time.
  package enum Precision {
    case minutes, seconds, tenths, milliseconds
  }

  /// `14:32:07`.
  package func time(_ time: Timestamp, _ precision: Precision = .seconds) -> String {
    guard let parts = parts(time) else { return "?" }
    var text = "\(ClockZone.two(parts.hour)):\(ClockZone.two(parts.minute))"
    if precision != .minutes { text += ":" + ClockZone.two(parts.second) }
    if precision == .tenths { text += ".\(parts.millisecond / 100)" }
    if precision == .milliseconds { text += "." + Decimals.padded(parts.millisecond, to: 3) }
    return text
  }

  /// `2026-11-21`.
  package func date(_ time: Timestamp) -> String {
    guard let parts = parts(time) else { return "?" }
    return "\(ClockZone.year(parts.year))-\(ClockZone.two(parts.month))-\(ClockZone.two(parts.day))"
  }

  /// The time alone if on the same day as `now`, otherwise with its date: `11-20 14:32`, `2024-11-20 14:32`.
  package func moment(_ time: Timestamp, now: Timestamp, _ precision: Precision = .seconds) -> String {
    guard let parts = parts(time), let today = self.parts(now) else { return self.time(time, precision) }
    guard let date = otherDate(parts, today) else { return self.time(time, precision) }
    return date + " " + self.time(time, precision == .milliseconds ? .seconds : .minutes)
  }

  /// Like `moment`, but keeps the full precision when there is a date.
  package func exactMoment(_ time: Timestamp, now: Timestamp, _ precision: Precision) -> String {
    guard let parts = parts(time), let date = self.parts(now).flatMap({ otherDate(parts, $0) }) else {
      return self.time(time, precision)
    }
    return date + " " + self.time(time, precision)
  }

  /// The date, without the year if it is the current one; `nil` for today.
  private func otherDate(_ parts: Parts, _ today: Parts) -> String? {
    guard parts.dayNumber != today.dayNumber else { return nil }
    let year = parts.year == today.year ? "" : ClockZone.year(parts.year) + "-"
    return "\(year)\(ClockZone.two(parts.month))-\(ClockZone.two(parts.day))"
  }

  private static func year(_ year: Int) -> String {
    year < 0 ? "\(year)" : Decimals.padded(year, to: max(4, "\(year)".count))
  }

  private static func two(_ value: Int) -> String { Decimals.padded(value, to: 2) }
}
