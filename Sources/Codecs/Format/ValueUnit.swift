/// What the numbers of a metric measure, derived from the suffix of its name alone.
package enum ValueUnit: Hashable, Sendable {
  case milliseconds, seconds, bytes, percent, plain
  /// Of 1,024 and of 1,000 bytes, and a thousand of what has no unit; shown as what they are made of.
  case kibibytes, kilobytes, thousands

  /// The unit of a metric or field of this name: `_ms`, `_s`, `_bytes`, `_percent`, `_count`.
  package init(name: String) {
    if name.hasSuffix("_ms") || name == "ms" || name.hasSuffix(".ms") {
      self = .milliseconds
    } else if name.hasSuffix("_s") {
      self = .seconds
    } else if name.hasSuffix("_bytes") {
      self = .bytes
    } else if name.hasSuffix("_percent") {
      self = .percent
    } else {
      self = .plain
    }
  }

  /// A value with its unit in a few columns: `183ms`, `4.1M`, `42%`.
  package func text(_ value: Double) -> String {
    guard value.isFinite else { return "?" }
    switch self {
    case .milliseconds: return ValueUnit.duration(value / 1000)
    case .seconds: return ValueUnit.duration(value)
    case .percent:
      let prefixes = ["", "k", "M", "G", "T", "P", "E"]
      let isLong = value.magnitude >= 99_999.5
      return (isLong ? NumberFormat.scaled(value, prefixes: prefixes) : NumberFormat.significant(value)) + "%"
    case .bytes, .plain: return NumberFormat.scaled(value, prefixes: ["", "k", "M", "G", "T", "P", "E"])
    case .kibibytes: return ValueUnit.bytes.text(value * 1024)
    case .kilobytes: return ValueUnit.bytes.text(value * 1000)
    case .thousands: return ValueUnit.plain.text(value * 1000)
    }
  }

  /// Whether it is one of bytes, of whatever size.
  package var isOfBytes: Bool { self == .bytes || self == .kibibytes || self == .kilobytes }

  /// A value in fewer columns: milliseconds without their unit, which the name ends with; thousands to two digits.
  package func bare(_ value: Double) -> String {
    switch self {
    case .kibibytes: return ValueUnit.bytes.bare(value * 1024)
    case .kilobytes: return ValueUnit.bytes.bare(value * 1000)
    case .thousands: return ValueUnit.plain.bare(value * 1000)
    case .milliseconds, .seconds, .bytes, .percent, .plain: break
    }
    guard self == .milliseconds, value.magnitude < 9999 else {
      let whole = text(value)
      guard whole.count > 4, self == .bytes || self == .plain, value.magnitude >= 1000, value.magnitude < 1e18
      else { return whole }
      return (value < 0 ? "-" : "") + NumberFormat.count(Int(value.magnitude.rounded()))
    }
    if value.magnitude >= 1000 { return NumberFormat.text(value, decimals: 0) }
    return NumberFormat.significant(ValueUnit.rounded(value))
  }

  /// A value with three significant digits, milliseconds without their unit, which the title has.
  package func figure(_ value: Double) -> String { self == .milliseconds ? bare(value) : text(value) }

  /// A duration in its most readable unit.
  private static func duration(_ seconds: Double) -> String {
    let magnitude = seconds.magnitude
    if magnitude == 0 { return "0ms" }
    if magnitude < 0.9995e-3 { return NumberFormat.significant(rounded(seconds * 1e6)) + "µs" }
    if magnitude < 0.9995 { return NumberFormat.significant(rounded(seconds * 1e3)) + "ms" }
    if magnitude < 99.95 { return NumberFormat.text(seconds, decimals: magnitude < 9.995 ? 2 : 1) + "s" }
    if magnitude < 5999.5 { return NumberFormat.text(seconds, decimals: 0) + "s" }
    if magnitude < 359_999 { return NumberFormat.text(seconds / 3600, decimals: 1) + "h" }
    return NumberFormat.scaled(seconds / 86_400, prefixes: ["", "k", "M", "G"]) + "d"
  }

  /// Rounded to what is shown, so that 41.000000001 is a whole number again.
  private static func rounded(_ value: Double) -> Double {
    value.magnitude < 1e9 ? (value * 1e6).rounded() / 1e6 : value
  }
}
