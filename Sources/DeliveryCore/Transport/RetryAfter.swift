package import Essentials
import HTTPClient

/// The wait before the next request that a server asks for.
package enum RetryAfter {
  /// The longest wait that a server can request.
  package static let longest = Duration.seconds(3600)

  /// Parses the header: whole seconds, or an HTTP date.
  ///
  /// - Returns: The wait, from zero (also for negative or past values) to ``longest``; `nil` for any other text.
  package static func delay(_ text: String?, now: Date) -> Duration? {
    guard let text else { return nil }
    let value = text.utf8.trimmingBlanks()
    if let seconds = wholeSeconds(value) { return seconds }
    guard let date = HTTPDate.unixSeconds(value, now: now) else { return nil }
    let ahead = Double(date) - now.timeIntervalSince1970
    // False for NaN.
    guard ahead > 0 else { return .zero }
    return ahead < 3600 ? .seconds(ahead) : longest
  }

  private static func wholeSeconds(_ value: Substring.UTF8View) -> Duration? {
    let isNegative = value.first == UInt8(ascii: "-")
    let digits = isNegative ? value.dropFirst() : value
    guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
    if isNegative { return .zero }
    // Any number of digits: beyond the limit, more of them change nothing.
    let seconds = digits.reduce(0) { $0 > 3600 ? $0 : $0 * 10 + Int($1 & 0x0F) }
    return min(.seconds(seconds), longest)
  }
}
