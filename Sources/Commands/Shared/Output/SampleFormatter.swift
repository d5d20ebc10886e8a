import Codecs
import JSONLines
import Platform
import TerminalUI

/// Formats a sample as one readable line that is safe to print on a terminal.
struct SampleFormatter {
  /// `2026-11-21T14:32:07.123Z  sync.push_ms  183.5`.
  func line(_ sample: Sample, _ metric: MetricIdentity, payload: ArraySlice<UInt8>) -> String {
    let value = Self.value(of: sample, payload: payload)
    return "\(time(sample.time))  \(SafeText.sanitized(metric.fullName))  \(SafeText.sanitized(value))"
  }

  /// A time in UTC; plain seconds since 2001 outside the calendar's range.
  func time(_ moment: Timestamp) -> String {
    let seconds = moment.seconds
    // Foundation's calendar traps on dates far outside the years 1 to 9999.
    guard seconds > -62e9, seconds < 250e9 else { return "\(seconds)" }
    return "\(ClockZone.utc.date(moment))T\(ClockZone.utc.time(moment, .milliseconds))Z"
  }

  private static func value(of sample: Sample, payload: ArraySlice<UInt8>) -> String {
    switch sample.kind {
    case .number: Int(exactly: sample.value).map { "\($0)" } ?? "\(sample.value)"
    case .bool: sample.value != 0 ? "true" : "false"
    case .null: "null"
    case .wideInteger, .text, .object, .array: SafeText.decode(payload)
    }
  }
}
