package import Essentials

extension Date {
  /// The start of the local day a number of days before this date.
  ///
  /// Uses the C library: without ICU, `Calendar.current` counts days in GMT.
  ///
  /// - Parameter days: At most ten million.
  package func startOfLocalDay(before days: Int) -> Date {
    var second = time_t(min(max(timeIntervalSince1970, -1e11), 1e11))
    var day = tm()
    guard localtime_r(&second, &day) != nil else { return .distantPast }
    day.tm_mday -= Int32(clamping: days)
    // Every day has a noon; midnight may be skipped when clocks are set forward.
    guard let noon = Self.moment(&day, hour: 12) else { return .distantPast }
    let wanted = (day.tm_year, day.tm_yday)
    for hour in 0...3 as ClosedRange<Int32> {
      guard var start = Self.moment(&day, hour: hour), (day.tm_year, day.tm_yday) == wanted else { continue }
      // If midnight occurs twice, the first one.
      var before = start - 3_600
      if localtime_r(&before, &day) != nil, (day.tm_year, day.tm_yday) == wanted { start = before }
      return Date(timeIntervalSince1970: Double(start))
    }
    return Date(timeIntervalSince1970: Double(noon) - 43_200)
  }

  private static func moment(_ day: inout tm, hour: Int32) -> time_t? {
    (day.tm_hour, day.tm_min, day.tm_sec, day.tm_isdst) = (hour, 0, 0, -1)
    // -1 signals an error; as a time, it would be one second before 1970, when no day starts in any zone.
    let moment = mktime(&day)
    return moment == -1 ? nil : moment
  }
}
