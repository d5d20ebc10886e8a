import Codecs
public import Essentials

/// A moment as a payload writes it: calendar fields, and a zone only if one was written.
///
/// Systems since 2022 write the device's local time without its zone. Such a moment is kept as written, and
/// ``calendarDay`` is its day; with a known zone use ``date(in:)``.
public struct PayloadTime: Hashable, Sendable {
  /// The year, 1 to 9999.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month.
  public let day: Int
  /// The hour, 0 to 23.
  public let hour: Int
  /// The minute.
  public let minute: Int
  /// The second, 0 to 60.
  public let second: Int
  /// The fraction of the second.
  public let nanosecond: Int
  /// The offset of the written zone, in whole minutes; `nil` if unknown.
  public let secondsFromGMT: Int?

  /// A moment from its fields; `nil` if there is no such moment.
  public init?(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, nanosecond: Int = 0,
    secondsFromGMT: Int? = nil
  ) {
    guard (1...9999).contains(year), CivilDate(year: year, month: month, day: day).number != nil,
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
      (0..<1_000_000_000).contains(nanosecond),
      (-64_800...64_800).contains(secondsFromGMT ?? 0), (secondsFromGMT ?? 0).isMultiple(of: 60)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second, self.nanosecond) = (hour, minute, second, nanosecond)
    self.secondsFromGMT = secondsFromGMT
  }

  /// A local time as devices write it since 2022: without the zone.
  public init?(local date: Date, in timeZone: TimeZone) {
    self.init(date, in: timeZone, isZoneKnown: false)
  }

  /// A moment in UTC.
  public init?(_ date: Date) {
    self.init(date, in: .gmt, isZoneKnown: true)
  }

  private init?(_ date: Date, in timeZone: TimeZone, isZoneKnown: Bool) {
    guard abs(date.timeIntervalSince1970) < 1e12 else { return nil }
    // Whole microseconds: a present-day date has no finer resolution.
    let microseconds = Int64((date.timeIntervalSince1970 * 1e6).rounded())
    let fraction = ((microseconds % 1_000_000) + 1_000_000) % 1_000_000
    let whole = Double((microseconds - fraction) / 1_000_000)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    let parts = calendar.dateComponents(
      [.era, .year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: whole))
    guard parts.era == 1, let year = parts.year, let month = parts.month, let day = parts.day else {
      return nil
    }
    self.init(
      year: year, month: month, day: day, hour: parts.hour ?? 0, minute: parts.minute ?? 0,
      second: parts.second ?? 0, nanosecond: Int(fraction) * 1_000, secondsFromGMT: isZoneKnown ? 0 : nil)
  }

  /// True if the zone is unknown.
  public var isZoneUnknown: Bool { secondsFromGMT == nil }

  /// The day as written, `2022-11-14`.
  public var calendarDay: String {
    "\(Decimals.padded(year, to: 4))-\(Decimals.padded(month, to: 2))-\(Decimals.padded(day, to: 2))"
  }

  /// The absolute moment; `nil` if there is no such moment in the zone.
  ///
  /// - Parameter timeZone: The device's time zone; a zone in the payload takes precedence.
  public func date(in timeZone: TimeZone) -> Date? {
    date(by: timeZone)
  }
}

extension PayloadTime: CustomStringConvertible {
  /// The moment in Apple's format: `2022-11-14 00:00:00`, or `2019-10-21 07:00:00 +0000` with its zone.
  public var description: String {
    var text =
      "\(calendarDay) \(Decimals.padded(hour, to: 2)):\(Decimals.padded(minute, to: 2)):\(Decimals.padded(second, to: 2))"
    if nanosecond > 0 {
      var fraction = Decimals.padded(nanosecond, to: 9)
      while fraction.hasSuffix("0") { fraction.removeLast() }
      text += "." + fraction
    }
    guard let offset = secondsFromGMT else { return text }
    let minutes = abs(offset) / 60
    return text
      + " \(offset < 0 ? "-" : "+")\(Decimals.padded(minutes / 60, to: 2))\(Decimals.padded(minutes % 60, to: 2))"
  }
}

extension PayloadTime {
  /// The interval between two moments; `nil` if either is missing or the end is before the start.
  ///
  /// Midnights of two consecutive local days are 23, 24 or 25 hours apart, depending on the zone's clocks.
  static func interval(from begin: PayloadTime?, to end: PayloadTime?, in timeZone: TimeZone) -> DateInterval?
  {
    guard let first = begin?.date(in: timeZone), let last = end?.date(in: timeZone), first <= last else {
      return nil
    }
    return DateInterval(start: first, end: last)
  }
}

extension MetricPayload {
  /// The payload's period, given the device's time zone; zones in the payload take precedence.
  public func interval(in timeZone: TimeZone) -> DateInterval? {
    PayloadTime.interval(from: timeStampBegin, to: timeStampEnd, in: timeZone)
  }
}

extension DiagnosticPayload {
  /// The payload's period, given the device's time zone; zones in the payload take precedence.
  public func interval(in timeZone: TimeZone) -> DateInterval? {
    PayloadTime.interval(from: timeStampBegin, to: timeStampEnd, in: timeZone)
  }
}
