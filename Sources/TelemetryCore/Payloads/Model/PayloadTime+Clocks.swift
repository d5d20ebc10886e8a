package import Essentials

/// The clock offsets of a time zone, which are all that payloads need of it.
///
/// `TimeZone` provides them. In programs that link only the essentials of Foundation, `TimeZone` knows fixed offsets
/// only, so those programs provide a type of their own.
package protocol ClockOffsets {
  /// Seconds by which the clocks are ahead of GMT at a moment.
  func secondsFromGMT(for date: Date) -> Int
}

extension TimeZone: ClockOffsets {}

extension PayloadTime {
  /// The absolute moment; `nil` if the calendar has no such moment.
  ///
  /// A local time that occurs twice, when the clocks go back, is the first one. A local time that is skipped, when
  /// they go forward, is read as if they had not. `Calendar` does both in the same way.
  ///
  /// - Parameter clocks: The clocks of the device; a zone in the payload takes precedence.
  package func date(by clocks: some ClockOffsets) -> Date? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let fields = DateComponents(
      timeZone: .gmt, year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    guard let local = calendar.date(from: fields) else { return nil }
    let offset = secondsFromGMT ?? Self.offset(of: clocks, showing: local)
    return local.addingTimeInterval(-Double(offset)).addingTimeInterval(Double(nanosecond) / 1e9)
  }

  /// The offset of clocks that show this local time, given as if it were GMT.
  private static func offset(of clocks: some ClockOffsets, showing local: Date) -> Int {
    // No clock is more than a day from GMT, so only a change within a day matters.
    var (before, after) = (local.addingTimeInterval(-86_400), local.addingTimeInterval(86_400))
    let (old, new) = (clocks.secondsFromGMT(for: before), clocks.secondsFromGMT(for: after))
    guard old != new else { return old }
    while after.timeIntervalSince(before) > 1 {
      let middle = before.addingTimeInterval((after.timeIntervalSince(before) / 2).rounded(.down))
      if clocks.secondsFromGMT(for: middle) == old { before = middle } else { after = middle }
    }
    return local < after.addingTimeInterval(Double(max(old, new))) ? old : new
  }
}
