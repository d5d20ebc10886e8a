/// What the numbers of a metric measure, told by the end of its name and by nothing else.
package enum Unit: Hashable, Sendable {
  case milliseconds, seconds, bytes, percent, plain

  /// The unit of a metric or field of this name: `_ms`, `_s`, `_bytes`, `_percent`, `_count`.
  package init(name: String) {
    if name.hasSuffix("_ms") {
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
    case .milliseconds: return Unit.duration(value / 1000)
    case .seconds: return Unit.duration(value)
    case .percent: return Decimal.significant(value).prefixed(6) + "%"
    case .bytes, .plain: return Decimal.scaled(value, prefixes: ["", "k", "M", "G", "T", "P", "E"])
    }
  }

  /// A value in fewer columns: milliseconds without their unit, which the name ends with; thousands to two digits.
  func bare(_ value: Double) -> String {
    guard self == .milliseconds, value.magnitude < 9999 else {
      let whole = text(value)
      guard whole.count > 4, self == .bytes || self == .plain, value.magnitude >= 1000, value.magnitude < 1e18
      else { return whole }
      return (value < 0 ? "-" : "") + Decimal.count(Int(value.magnitude.rounded()))
    }
    if value.magnitude >= 1000 { return Decimal.text(value, decimals: 0) }
    return Decimal.significant(Unit.rounded(value))
  }

  /// A value with three digits that count, milliseconds without their unit, which a title says once.
  func figure(_ value: Double) -> String { self == .milliseconds ? bare(value) : text(value) }

  /// A length of time in its most readable unit.
  private static func duration(_ seconds: Double) -> String {
    let magnitude = seconds.magnitude
    if magnitude == 0 { return "0ms" }
    if magnitude < 0.9995e-3 { return Decimal.significant(rounded(seconds * 1e6)) + "µs" }
    if magnitude < 0.9995 { return Decimal.significant(rounded(seconds * 1e3)) + "ms" }
    if magnitude < 99.95 { return Decimal.text(seconds, decimals: magnitude < 9.995 ? 2 : 1) + "s" }
    if magnitude < 5999.5 { return Decimal.text(seconds, decimals: 0) + "s" }
    if magnitude < 359_999 { return Decimal.text(seconds / 3600, decimals: 1) + "h" }
    return Decimal.scaled(seconds / 86_400, prefixes: ["", "k", "M", "G"]) + "d"
  }

  /// Rounded to what is shown, so that 41.000000001 is a whole number again.
  private static func rounded(_ value: Double) -> Double {
    value.magnitude < 1e9 ? (value * 1e6).rounded() / 1e6 : value
  }
}

extension String {
  /// The first characters, at most so many.
  func prefixed(_ count: Int) -> String { String(prefix(count)) }

  /// The text with spaces before it up to a width.
  func padded(_ width: Int) -> String {
    count < width ? String(repeating: " ", count: width - count) + self : self
  }
}
