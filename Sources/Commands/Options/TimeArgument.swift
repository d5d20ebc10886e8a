import Foundation

/// A moment on a command line.
enum TimeArgument {
  static let expected = "a time such as 2026-11-21T14:32:00Z, 2026-11-21, -15m, 2h, 30d or seconds since 2001"

  /// Reads a moment: ISO 8601 (without a zone it is UTC), an age (`15m`, with or without a minus), or seconds since 2001
  /// as they stand in a file.
  ///
  /// - Parameters:
  ///   - text: What the person wrote.
  ///   - now: The present, in seconds since 2001, from which ages count back.
  /// - Returns: Seconds since 2001, `nil` if the text is none of these.
  static func seconds(_ text: String, now: Double) -> Double? {
    if let age = age(text) { return now - age }
    if let seconds = Double(text), seconds.isFinite { return seconds }
    return date(text)
  }

  /// An age such as `90s`, `15m`, `2h`, `30d` or `2w`, in seconds.
  static func age(_ text: String) -> Double? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604_800]
    guard let last = digits.last, let unit = units[last], let count = Double(digits.dropLast()),
      count >= 0, (count * unit).isFinite, digits.first?.isNumber == true
    else { return nil }
    return count * unit
  }

  private static func date(_ text: String) -> Double? {
    let zoned = Date.ISO8601FormatStyle()
    let styles = [
      zoned, Date.ISO8601FormatStyle(includingFractionalSeconds: true),
      zoned.year().month().day().time(includingFractionalSeconds: false),
      zoned.year().month().day().time(includingFractionalSeconds: true), zoned.year().month().day(),
    ]
    for style in styles {
      if let date = try? style.parse(text) { return date.timeIntervalSinceReferenceDate }
    }
    return nil
  }
}
