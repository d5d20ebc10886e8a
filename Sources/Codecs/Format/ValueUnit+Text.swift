import Platform

extension ValueUnit {
  private static let prefixes = ["", "k", "M", "G", "T", "P", "E"]

  /// A value with its unit in a few columns: `183ms`, `4.1M`, `42%`.
  package func text(_ value: Double) -> String {
    guard value.isFinite else { return "?" }
    var scaled = value * scale.factor / scale.divisor
    // A ratio of 0.07 is 7 percent, not 7.000000000000001.
    if self == .ratio { scaled = ValueUnit.rounded(scaled) }
    switch dimension {
    case .time: return ValueUnit.duration(scaled)
    case .percent:
      let isLong = scaled.magnitude >= 99_999.5
      return
        (isLong ? NumberFormat.scaled(scaled, prefixes: Self.prefixes) : NumberFormat.significant(scaled))
        + "%"
    case .frequency:
      return NumberFormat.scaled(scaled, prefixes: Self.prefixes) + (self == .hertz ? "Hz" : "/s")
    case .moment:
      if let moment = timestamp(of: value) { return Self.text(of: moment, in: .local) }
      return NumberFormat.scaled(scaled, prefixes: Self.prefixes)
    case .bytes, .plain: return NumberFormat.scaled(scaled, prefixes: Self.prefixes)
    }
  }

  /// A value in fewer columns: milliseconds without the unit that the name already shows; thousands to two digits.
  package func bare(_ value: Double) -> String {
    if dimension == .moment, timestamp(of: value) == nil { return ValueUnit.plain.bare(value) }
    guard self == .milliseconds, value.magnitude < 9999 else {
      let whole = text(value)
      let scaled = value * scale.factor / scale.divisor
      guard whole.count > 4, isOfBytes || dimension == .plain, scaled.magnitude >= 1000,
        scaled.magnitude < 1e18
      else { return whole }
      return (value < 0 ? "-" : "") + NumberFormat.count(Int(scaled.magnitude.rounded()))
    }
    if value.magnitude >= 1000 { return NumberFormat.text(value, decimals: 0) }
    return NumberFormat.significant(ValueUnit.rounded(value))
  }

  /// A value with three significant digits, milliseconds without the unit that the title already shows.
  package func figure(_ value: Double) -> String { self == .milliseconds ? bare(value) : text(value) }

  /// A duration in its most readable unit.
  private static func duration(_ seconds: Double) -> String {
    let magnitude = seconds.magnitude
    if magnitude == 0 { return "0ms" }
    if magnitude < 0.9995e-6 { return NumberFormat.significant(rounded(seconds * 1e9)) + "ns" }
    if magnitude < 0.9995e-3 { return NumberFormat.significant(rounded(seconds * 1e6)) + "µs" }
    if magnitude < 0.9995 { return NumberFormat.significant(rounded(seconds * 1e3)) + "ms" }
    if magnitude < 99.95 { return NumberFormat.text(seconds, decimals: magnitude < 9.995 ? 2 : 1) + "s" }
    if magnitude < 5999.5 { return NumberFormat.text(seconds, decimals: 0) + "s" }
    if magnitude < 359_999 { return NumberFormat.text(seconds / 3600, decimals: 1) + "h" }
    return NumberFormat.scaled(seconds / 86_400, prefixes: ["", "k", "M", "G"]) + "d"
  }

  /// Rounded to the displayed precision, so that 41.000000001 is an integer again.
  private static func rounded(_ value: Double) -> Double {
    value.magnitude < 1e9 ? (value * 1e6).rounded() / 1e6 : value
  }
}

// MARK: Times

extension ValueUnit {
  /// The range of plausible times, in seconds since 1970: 2006 to 2046.
  private static let years = 1_136_073_600.0...2_429_913_600.0

  /// The time that a value stands for; `nil` if it is not plausible.
  func timestamp(of value: Double) -> Timestamp? {
    let epoch = Double(Timestamp.unixEpochDistance)
    guard dimension == .moment else { return nil }
    if Self.years.contains(value) { return Timestamp(value - epoch) }
    if Self.years.contains(value / 1000) { return Timestamp(value / 1000 - epoch) }
    return self == .moment && Self.years.contains(value + epoch) ? Timestamp(value) : nil
  }

  /// `2026-11-21 14:32`.
  static func text(of moment: Timestamp, in zone: ClockZone) -> String {
    "\(zone.date(moment)) \(zone.time(moment, .minutes))"
  }
}
