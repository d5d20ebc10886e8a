import Codecs
import Platform

/// A time on a command line.
enum TimeArgument {
  static let expected =
    "a time such as 2026-11-21T14:32:00Z, 2026-11-21, -15m, 2h, 30d or seconds since 2001 or 1970"

  /// Parses a time: ISO 8601 (UTC by default), an age (`15m`, with or without a minus sign), seconds since 2001 as in a
  /// file, or any other time that the dashboard accepts, also in UTC.
  ///
  /// A number more than a year in the future is taken as seconds or milliseconds since 1970 if that gives a time
  /// between 2001 and a year from now: no one means the year 2054 by 1700000000.
  ///
  /// - Parameters:
  ///   - text: The user's text.
  ///   - now: The current time, from which ages are counted back.
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

  /// Seconds from 1970 to 2001.
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
