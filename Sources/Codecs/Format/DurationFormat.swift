/// Formats durations in a few columns.
package enum DurationFormat {
  /// `38ms`, `4.1s`, `50m15s`, `3h20m`, `12d`, `2.5y`.
  package static func text(_ seconds: Double) -> String {
    guard seconds.isFinite else { return "?" }
    if seconds < 0 { return "-" + text(-seconds) }
    if seconds < 0.9995 { return NumberFormat.text(seconds * 1000, decimals: 0) + "ms" }
    if seconds < 9.95 {
      return NumberFormat.text(seconds, decimals: seconds == seconds.rounded() ? 0 : 1) + "s"
    }
    let whole = Int(min(1e15, seconds.rounded()))
    if whole < 60 { return "\(whole)s" }
    if whole < 3600 { return pair(whole / 60, "m", whole % 60, "s") }
    if whole < 86_400 { return pair(whole / 3600, "h", whole % 3600 / 60, "m") }
    if whole < 86_400 * 365 { return pair(whole / 86_400, "d", whole % 86_400 / 3600, "h") }
    return NumberFormat.text(seconds / 86_400 / 365.25, decimals: 1) + "y"
  }

  private static func pair(_ large: Int, _ unit: String, _ small: Int, _ smaller: String) -> String {
    small == 0 || large >= 100 ? "\(large)\(unit)" : "\(large)\(unit)\(small)\(smaller)"
  }
}
