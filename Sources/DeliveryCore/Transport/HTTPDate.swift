import Codecs
package import Essentials
import HTTPClient

/// HTTP dates (RFC 9110, 5.6.7) in their three formats, always in UTC.
package enum HTTPDate {
  private static var months: [String] { CalendarName.months }
  private static var days: [String] { CalendarName.days }
  private static let longDays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]

  /// Parses a date, in seconds since 1970-01-01; `nil` for a text in none of the formats.
  ///
  /// The day of the week must be valid, but need not match the date.
  ///
  /// - Parameter now: The base for two-digit years: the date is at most 50 years ahead of it.
  static func unixSeconds(_ text: some Collection<UInt8>, now: Date) -> Int? {
    // No format is longer; a server's text may be.
    guard text.count <= 40 else { return nil }
    let words = text.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    return fixed(words) ?? long(words, now: now) ?? unixStyle(words)
  }

  /// A date in the preferred format; fractions of a second are dropped.
  package static func text(_ date: Date) -> String {
    let seconds = Int(min(max(date.timeIntervalSince1970, 0), 1e11))
    let (day, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let civil = CivilDate(day: day)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    // 1970 began on a Thursday.
    return "\(days[(day + 3) % 7]), \(two(civil.day)) \(months[civil.month - 1]) \(civil.year) "
      + "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60)) GMT"
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func fixed(_ words: [String]) -> Int? {
    guard words.count == 6, words[0].last == ",", days.contains(String(words[0].dropLast())),
      words[5] == "GMT"
    else { return nil }
    return seconds(year: number(words[3], digits: 4), month: words[2], day: words[1], time: words[4])
  }

  /// `Sunday, 06-Nov-94 08:49:37 GMT`.
  private static func long(_ words: [String], now: Date) -> Int? {
    guard words.count == 4, words[0].last == ",", longDays.contains(String(words[0].dropLast())),
      words[3] == "GMT"
    else { return nil }
    let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard date.count == 3, let year = number(date[2], digits: 2) else { return nil }
    func moment(century: Int) -> Int? {
      seconds(year: century + year, month: date[1], day: date[0], time: words[2])
    }
    // The latest year with these digits that is not too far ahead. 29 February does not exist in some of them.
    let present = now.timeIntervalSince1970
    let limit = ((0...1e11).contains(present) ? present : 0) + 50 * 365.2425 * 86_400
    let century = CivilDate(day: Int(limit / 86_400)).year / 100 * 100
    return [century, century - 100].lazy.compactMap(moment).first { Double($0) <= limit }
  }

  /// `Sun Nov  6 08:49:37 1994`.
  private static func unixStyle(_ words: [String]) -> Int? {
    var words = words
    if words.count == 6, words[2].isEmpty, words[3].utf8.count == 1 { words[2...3] = ["0" + words[3]] }
    guard words.count == 5, days.contains(words[0]) else { return nil }
    return seconds(year: number(words[4], digits: 4), month: words[1], day: words[2], time: words[3])
  }

  private static func seconds(year: Int?, month: String, day: String, time: String) -> Int? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map {
      number(String($0), digits: 2)
    }
    // A leap second counts as the next second.
    guard let year, let month = months.firstIndex(of: month), let day = number(day, digits: 2),
      let date = CivilDate(year: year, month: month + 1, day: day).number,
      clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
      hour < 24, minute < 60, second <= 60
    else { return nil }
    return date * 86_400 + hour * 3600 + minute * 60 + second
  }

  private static func number(_ text: String, digits: Int) -> Int? {
    guard text.utf8.count == digits, text.utf8.allSatisfy(\.isDigit) else { return nil }
    return Int(text)
  }
}
