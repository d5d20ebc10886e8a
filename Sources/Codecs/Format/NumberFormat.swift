/// Formats numbers for people, the same in every locale.
package enum NumberFormat {
  /// A number with up to six decimals; with an exponent from 1e15.
  package static func text(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return "?" }
    guard value.magnitude < 1e15 else { return exponent(value) }
    var scale = 1.0
    for _ in 0..<max(0, min(6, decimals)) { scale *= 10 }
    let units = (value.magnitude * scale).rounded()
    guard units < 9e15 else { return exponent(value) }
    let sign = value < 0 && units > 0 ? "-" : ""
    let whole = Int(units) / Int(scale)
    guard scale > 1 else { return "\(sign)\(whole)" }
    let rest = String(Int(units) % Int(scale))
    let zeros = String(repeating: "0", count: max(0, min(6, decimals) - rest.count))
    return "\(sign)\(whole).\(zeros)\(rest)"
  }

  /// A fraction from 0 to 1 as a whole percentage: `43%`, `<1%`, and `>99%` for nearly all.
  package static func share(_ share: Double) -> String {
    if share > 0, share < 0.005 { return "<1%" }
    if share < 1, share > 0.995 { return ">99%" }
    return text(share * 100, decimals: 0) + "%"
  }

  /// Three significant digits: `0.042`, `6.1`, `183`; integers without a decimal point.
  package static func significant(_ value: Double) -> String {
    let magnitude = value.magnitude
    if magnitude == 0 { return "0" }
    if magnitude < 1e-4 { return exponent(value) }
    if magnitude < 1000, value == value.rounded() { return text(value, decimals: 0) }
    if magnitude < 0.01 { return text(value, decimals: 5) }
    if magnitude < 0.1 { return text(value, decimals: 4) }
    if magnitude < 0.9995 { return text(value, decimals: 3) }
    if magnitude < 9.995 { return text(value, decimals: 2) }
    return text(value, decimals: magnitude < 99.95 ? 1 : 0)
  }

  /// Scientific notation with one decimal: `1.2e-7`.
  package static func exponent(_ value: Double) -> String {
    guard value.isFinite, value != 0 else { return value == 0 ? "0" : "?" }
    var exponent = 0
    var mantissa = value.magnitude
    while mantissa >= 1e16 { (mantissa, exponent) = (mantissa / 1e16, exponent + 16) }
    while mantissa >= 9.95 { (mantissa, exponent) = (mantissa / 10, exponent + 1) }
    while mantissa < 1e-16 { (mantissa, exponent) = (mantissa * 1e16, exponent - 16) }
    while mantissa < 0.995 { (mantissa, exponent) = (mantissa * 10, exponent - 1) }
    return (value < 0 ? "-" : "") + text(mantissa, decimals: 1) + "e\(exponent)"
  }

  /// A count in at most four columns: `240`, `7.2k`, `31M`.
  package static func count(_ value: Int) -> String {
    guard value >= 1000 else { return String(value) }
    var amount = Double(value)
    for prefix in ["k", "M", "G", "T", "P", "E"] {
      amount /= 1000
      if amount < 999.5 { return text(amount, decimals: amount < 9.95 ? 1 : 0) + prefix }
    }
    return exponent(Double(value))
  }

  /// A count in groups of three digits, `2 188`; from a million with a prefix.
  package static func grouped(_ value: Int) -> String {
    guard value >= 1000, value < 1_000_000 else { return count(value) }
    let rest = String(value % 1000)
    return "\(value / 1000) " + String(repeating: "0", count: 3 - rest.count) + rest
  }

  /// A value with a prefix for thousands, in at most five columns plus the sign.
  package static func scaled(_ value: Double, prefixes: [String]) -> String {
    var magnitude = value.magnitude
    var index = 0
    while magnitude >= 999.5, index < prefixes.count - 1 {
      magnitude /= 1000
      index += 1
    }
    guard magnitude < 999.5 else { return exponent(value) }
    let decimals = magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2
    let digits = index == 0 ? significant(magnitude) : text(magnitude, decimals: decimals)
    return (value < 0 ? "-" : "") + digits + prefixes[index]
  }
}
