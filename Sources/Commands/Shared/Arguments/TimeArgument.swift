import Codecs
import Platform

/// A moment on a command line.
enum TimeArgument {
  static let expected =
    "a time such as 2026-11-21T14:32:00Z, 2026-11-21, -15m, 2h, 30d or seconds since 2001 or 1970"

  /// Reads a moment: ISO 8601 (UTC without a zone), an age (`15m`, with or without a minus), seconds since 2001
  /// as in a file, or whatever else the dashboard accepts as a time, in UTC as well.
  ///
  /// A number that would be more than a year ahead is one of seconds, or milliseconds, since 1970 where that makes a
  /// moment between 2001 and then: no one means the year 2054 by 1700000000.
  ///
  /// - Parameters:
  ///   - text: The text of the user.
  ///   - now: The present, from which ages count back.
  /// - Returns: `nil` if the text is none of these.
  static func moment(_ text: String, now: Timestamp) -> Timestamp? {
    if let number = Double(text), number.isFinite { return Timestamp(seconds(number, now: now)) }
    let context = MomentParser.Context(now: now, playhead: now, latest: now, offset: { _ in 0 })
    switch MomentParser.meaning(text, in: context) {
    case .live: return now
    case .moment(let moment): return moment
    case nil: return nil
    }
  }

  /// From 1970 to 2001, in seconds.
  private static let unixEpoch = 978_307_200.0
  private static let year = 366 * 86_400.0

  private static func seconds(_ number: Double, now: Timestamp) -> Double {
    let latest = now.seconds + year
    guard number > latest else { return number }
    let readings = [number, number / 1000].map { $0 - unixEpoch }
    return readings.first { $0 >= 0 && $0 <= latest } ?? number
  }

  /// An age such as `90s`, `15m`, `2h`, `30d` or `2w`, in seconds.
  static func age(_ text: String) -> Double? {
    MomentParser.length(text.hasPrefix("-") ? text.dropFirst() : text[...])
  }
}
