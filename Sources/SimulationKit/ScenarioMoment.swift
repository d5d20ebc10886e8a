package import Essentials

/// Calendar times in scenario syntax: ISO 8601 with up to three decimals of a second.
package enum ScenarioMoment {
  /// The valid times, from 2001 to 2100, in seconds since 2001.
  package static let range = 0.0...3_155_760_000

  /// The nearest valid time.
  ///
  /// - Parameter seconds: Seconds since 2001; any number.
  package static func nearest(to seconds: Double) -> Date {
    Date(timeIntervalSinceReferenceDate: min(max(seconds, range.lowerBound), range.upperBound))
  }

  /// The time as text.
  package static func text(_ date: Date) -> String {
    let milliseconds = (date.timeIntervalSinceReferenceDate * 1000).rounded()
    let seconds = (milliseconds / 1000).rounded(.down)
    let text = Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
    let rest = Int(milliseconds - seconds * 1000)
    return rest == 0 ? text : "\(text.dropLast()).\(String(1000 + rest).dropFirst())Z"
  }

  /// Parses a time to the millisecond; `nil` for any other text.
  package static func date(_ text: String) -> Date? {
    // Foundation's parse strategy ignores decimals.
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return try? Date(text, strategy: .iso8601) }
    let decimals = parts[1].prefix { $0.isASCII && $0.isNumber }
    let zone = parts[1].dropFirst(decimals.count)
    guard (1...9).contains(decimals.count), let fraction = Double("0." + decimals),
      zone.first.map({ "Z+-".contains($0) }) ?? false,
      let date = try? Date(String(parts[0] + zone), strategy: .iso8601)
    else { return nil }
    return toMillisecond(date.addingTimeInterval(fraction))
  }

  /// The nearest whole millisecond.
  package static func toMillisecond(_ date: Date) -> Date {
    Date(timeIntervalSinceReferenceDate: (date.timeIntervalSinceReferenceDate * 1000).rounded() / 1000)
  }
}
