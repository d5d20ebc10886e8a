import Essentials

/// Dates as members hold them: RFC 3339 in UTC, to the millisecond, without zeros at the end.
enum DateText {
  /// From the year 1 to the last millisecond of 9999, in milliseconds since 1970.
  private static let range = -62_135_596_800_000.0...253_402_300_799_999.0

  /// The text of a date, rounded to the millisecond; `nil` beyond the years 1 to 9999.
  static func text(_ date: Date) -> String? {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    guard range.contains(milliseconds) else { return nil }
    let seconds = (milliseconds / 1000).rounded(.down)
    let fraction = Int(milliseconds - seconds * 1000)
    let whole = Date(timeIntervalSince1970: seconds).formatted(.iso8601)
    guard fraction > 0 else { return whole }
    var digits = String(String(1000 + fraction).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return whole.dropLast() + ".\(digits)Z"
  }

  /// The date of a text with any fraction and any zone; `nil` if it is none.
  static func date(_ text: String) -> Date? {
    let head = text.prefix { $0 != "." }
    let fraction = text.dropFirst(head.count + 1).prefix { ("0"..."9").contains($0) }
    let rest = text.dropFirst(head.count + (head.count < text.count ? 1 + fraction.count : 0))
    guard head.count == text.count || !fraction.isEmpty,
      let date = try? Date(String(head + rest), strategy: .iso8601), let part = Double("0.\(fraction)0")
    else { return nil }
    return date + part
  }
}
