package import Essentials

/// The offsets of the clocks of a zone, which are all that payloads need of a time zone.
///
/// `TimeZone` has them. Where a program links the essentials of Foundation alone, that type knows no zones but fixed
/// offsets, so the program brings a type of its own.
package protocol ClockOffsets {
  /// The seconds that the clocks are ahead of GMT at a moment.
  func secondsFromGMT(for date: Date) -> Int
}

extension TimeZone: ClockOffsets {}

extension PayloadTime {
  /// The moment on the world's clock, nil if the calendar has no such moment.
  ///
  /// Where the clocks go back and show a time twice it is the first, and what they skip when they go forward counts as
  /// if they had not, as `Calendar` has both.
  ///
  /// - Parameter clocks: The clocks of the device; a zone that was written goes before them.
  package func date(by clocks: some ClockOffsets) -> Date? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let fields = DateComponents(
      timeZone: .gmt, year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    guard let local = calendar.date(from: fields) else { return nil }
    let offset = secondsFromGMT ?? Self.offset(of: clocks, showing: local)
    return local.addingTimeInterval(-Double(offset)).addingTimeInterval(Double(nanosecond) / 1e9)
  }

  /// The offset of clocks when they show what those of GMT would show at a moment.
  private static func offset(of clocks: some ClockOffsets, showing local: Date) -> Int {
    // No clock is a day ahead or behind, so only a change within a day can matter.
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
