#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where the wall clock on the screen stands.
package enum ClockZone: Hashable, Sendable {
  case utc
  /// The person's own time zone.
  case local

  /// A moment taken apart.
  struct Parts: Equatable {
    var year = 0
    var month = 0
    var day = 0
    var hour = 0
    var minute = 0
    var second = 0
    var millisecond = 0
    /// Days from 1970, to tell one day from the next.
    var dayNumber = 0
  }

  private static let epoch = 978_307_200.0

  /// The parts of a time in seconds since 2001; `nil` beyond the years that a calendar has.
  func parts(_ time: Double) -> Parts? {
    guard time.magnitude < 2e11 else { return nil }
    let whole = time.rounded(.down)
    var seconds = time_t(whole + ClockZone.epoch)
    var fields = tm()
    let taken = self == .utc ? gmtime_r(&seconds, &fields) : localtime_r(&seconds, &fields)
    guard taken != nil else { return nil }
    let local = Int(seconds) + Int(fields.tm_gmtoff)
    return Parts(
      year: Int(fields.tm_year) + 1900, month: Int(fields.tm_mon) + 1, day: Int(fields.tm_mday),
      hour: Int(fields.tm_hour), minute: Int(fields.tm_min), second: Int(fields.tm_sec),
      millisecond: min(999, Int((time - whole) * 1000)),
      dayNumber: Int((Double(local) / 86_400).rounded(.down)))
  }
}

extension ClockZone {
  /// How far the zone's clocks are ahead of universal time at a moment in seconds since 2001, in seconds.
  func offset(at time: Double) -> Double {
    guard self == .local, time.magnitude < 2e11 else { return 0 }
    var seconds = time_t(time.rounded(.down) + ClockZone.epoch)
    var fields = tm()
    return localtime_r(&seconds, &fields) == nil ? 0 : Double(fields.tm_gmtoff)
  }

  /// How exactly a time is written.
  enum Precision {
    case minutes, seconds, tenths, milliseconds
  }

  /// `14:32:07`.
  func time(_ time: Double, _ precision: Precision = .seconds) -> String {
    guard let parts = parts(time) else { return "?" }
    var text = "\(ClockZone.two(parts.hour)):\(ClockZone.two(parts.minute))"
    if precision != .minutes { text += ":" + ClockZone.two(parts.second) }
    if precision == .tenths { text += ".\(parts.millisecond / 100)" }
    if precision == .milliseconds {
      let digits = String(parts.millisecond)
      text += "." + String(repeating: "0", count: 3 - digits.count) + digits
    }
    return text
  }

  /// `2026-11-21`.
  func date(_ time: Double) -> String {
    guard let parts = parts(time) else { return "?" }
    return "\(parts.year)-\(ClockZone.two(parts.month))-\(ClockZone.two(parts.day))"
  }

  /// The time alone on the same day as `now`, else with its date: `11-20 14:32`, `2024-11-20 14:32`.
  func moment(_ time: Double, now: Double, _ precision: Precision = .seconds) -> String {
    guard let parts = parts(time), let today = self.parts(now) else { return self.time(time, precision) }
    guard let date = foreignDate(parts, today) else { return self.time(time, precision) }
    return date + " " + self.time(time, precision == .milliseconds ? .seconds : .minutes)
  }

  /// As `moment`, but with its date as exact as without.
  func exactMoment(_ time: Double, now: Double, _ precision: Precision) -> String {
    guard let parts = parts(time), let date = self.parts(now).flatMap({ foreignDate(parts, $0) }) else {
      return self.time(time, precision)
    }
    return date + " " + self.time(time, precision)
  }

  /// The date as far as it is another one than today's.
  private func foreignDate(_ parts: Parts, _ today: Parts) -> String? {
    guard parts.dayNumber != today.dayNumber else { return nil }
    let year = parts.year == today.year ? "" : "\(parts.year)-"
    return "\(year)\(ClockZone.two(parts.month))-\(ClockZone.two(parts.day))"
  }

  private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}

/// Lengths of time in words of a few columns.
enum Elapsed {
  /// `38ms`, `4.1s`, `50m15s`, `3h20m`, `12d`, `2.5y`.
  static func text(_ seconds: Double) -> String {
    guard seconds.isFinite else { return "?" }
    if seconds < 0 { return "-" + text(-seconds) }
    if seconds < 0.9995 { return Decimal.text(seconds * 1000, decimals: 0) + "ms" }
    if seconds < 9.95 { return Decimal.text(seconds, decimals: seconds == seconds.rounded() ? 0 : 1) + "s" }
    let whole = Int(min(1e15, seconds.rounded()))
    if whole < 60 { return "\(whole)s" }
    if whole < 3600 { return pair(whole / 60, "m", whole % 60, "s") }
    if whole < 86_400 { return pair(whole / 3600, "h", whole % 3600 / 60, "m") }
    if whole < 86_400 * 365 { return pair(whole / 86_400, "d", whole % 86_400 / 3600, "h") }
    return Decimal.text(seconds / 86_400 / 365.25, decimals: 1) + "y"
  }

  private static func pair(_ large: Int, _ unit: String, _ small: Int, _ smaller: String) -> String {
    small == 0 || large >= 100 ? "\(large)\(unit)" : "\(large)\(unit)\(small)\(smaller)"
  }
}
