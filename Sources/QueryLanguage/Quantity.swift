package import Codecs

/// A number as typed, with its unit: `400ms`, `1.5s`, `10MiB`, `95%`, `12k`, `10/s`.
package struct Quantity: Sendable, Hashable {
  /// The dimension that a unit measures.
  package enum Dimension: Sendable {
    /// A bare number, in the unit of the other side of a comparison.
    case plain
    /// Seconds.
    case time
    case bytes
    case percent
    /// A number per second.
    case frequency
  }

  /// The quantity as typed.
  package let text: String
  package let dimension: Dimension
  /// The value in the base unit of its dimension is the numerator divided by the denominator.
  ///
  /// Both are whole, so that `1.1h` becomes exactly 3960 seconds.
  private let numerator: Double
  private let denominator: Double

  /// The reason a text is not a quantity.
  package enum Fault: Error, Equatable {
    case noNumber
    /// The number is followed by something else, at this offset in Unicode scalars.
    case unknownUnit(String, at: Int)
  }

  /// Reads a number with an optional sign before it and unit after it.
  ///
  /// - Throws: ``Fault`` if it is not a number, or the unit is unknown.
  package init(_ text: String) throws(Fault) {
    self.text = text
    var rest = Substring(text).unicodeScalars[...]
    let isNegative = rest.first == "-"
    if rest.first == "-" || rest.first == "+" { rest = rest.dropFirst() }
    let whole = rest.prefix(while: Self.isDigit)
    rest = rest.dropFirst(whole.count)
    var fraction = rest.prefix(0)
    if rest.first == ".", let next = rest.dropFirst().first, Self.isDigit(next) {
      fraction = rest.dropFirst().prefix(while: Self.isDigit)
      rest = rest.dropFirst(fraction.count + 1)
    }
    let digits = String(whole) + String(fraction)
    let power = digits.isEmpty ? rest.prefix(0) : Self.power(rest)
    rest = rest.dropFirst(power.count)
    let found =
      power.isEmpty
      ? Self.number(digits, decimals: fraction.count)
      : Double(String(whole) + "." + String(fraction) + "0" + String(power)).flatMap {
        $0.isFinite ? ($0, 1) : nil
      }
    guard !digits.isEmpty, let number = found else { throw .noNumber }
    let name = String(rest)
    guard let unit = Self.units[name] ?? Self.units[name.lowercased()].flatMap({ $0.isBytes ? $0 : nil })
    else {
      throw .unknownUnit(name, at: text.unicodeScalars.count - rest.count)
    }
    dimension = unit.dimension
    numerator = (isNegative ? -number.numerator : number.numerator) * unit.factor
    denominator = number.denominator * unit.divisor
  }

  /// The exponent at the start of a text, `e+09`; empty if there is none.
  private static func power(
    _ text: Substring.UnicodeScalarView.SubSequence
  ) -> Substring.UnicodeScalarView.SubSequence {
    guard text.first == "e" || text.first == "E" else { return text.prefix(0) }
    let sign = text.dropFirst().prefix { $0 == "+" || $0 == "-" }
    let digits = text.dropFirst(1 + sign.count).prefix(while: isDigit)
    return sign.count > 1 || digits.isEmpty ? text.prefix(0) : text.prefix(1 + sign.count + digits.count)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// Digits as a fraction; `nil` if they overflow a double.
  private static func number(_ digits: String, decimals: Int) -> (numerator: Double, denominator: Double)? {
    // A double holds 15 digits exactly; more are rounded once, here.
    guard digits.count <= 15 else {
      let split = digits.index(digits.endIndex, offsetBy: -decimals)
      let value = Double(digits[..<split] + "." + digits[split...] + "0")
      return value.flatMap { $0.isFinite ? ($0, 1) : nil }
    }
    guard let numerator = Double(digits) else { return nil }
    return (numerator, (0..<decimals).reduce(1) { power, _ in power * 10 })
  }

  /// The value in the base unit of its dimension.
  var inBase: Double { numerator / denominator }

  /// The value in a unit; `nil` if the units do not match.
  package func value(in unit: ValueUnit) -> Double? {
    switch (dimension, unit.dimension) {
    case (.plain, _): numerator / denominator
    case (.time, .time), (.bytes, .bytes), (.percent, .percent):
      numerator * unit.scale.divisor / (denominator * unit.scale.factor)
    default: nil
    }
  }

  /// The value as a rate per second; `nil` for any other unit.
  var perSecond: Double? {
    dimension == .plain || dimension == .frequency ? numerator / denominator : nil
  }
}

// MARK: Units

extension Quantity {
  private struct Unit {
    let dimension: Dimension
    var factor: Double
    var divisor = 1.0

    var isBytes: Bool { dimension == .bytes }
  }

  /// The names of all units, the usual ones first.
  static let unitNames = [
    "ms", "s", "m", "h", "d", "w", "us", "µs", "ns", "min", "%", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB",
    "TiB",
    "B", "k", "M", "G", "T", "/s", "/m", "/h",
  ]

  /// Units by name.
  ///
  /// Case distinguishes `m`, minutes, from `M`, millions; names of bytes have any case.
  private static let units: [String: Unit] = {
    var units = ["": Unit(dimension: .plain, factor: 1)]
    for (name, seconds) in [("s", 1.0), ("m", 60), ("min", 60), ("h", 3600), ("d", 86_400), ("w", 604_800)] {
      units[name] = Unit(dimension: .time, factor: seconds)
    }
    for (name, divisor) in [("ms", 1e3), ("us", 1e6), ("\u{B5}s", 1e6), ("\u{3BC}s", 1e6), ("ns", 1e9)] {
      units[name] = Unit(dimension: .time, factor: 1, divisor: divisor)
    }
    units["%"] = Unit(dimension: .percent, factor: 1)
    units["b"] = Unit(dimension: .bytes, factor: 1)
    let prefixes = [
      ("", 1.0, 1.0), ("k", 1e3, 0x1p10), ("M", 1e6, 0x1p20), ("G", 1e9, 0x1p30), ("T", 1e12, 0x1p40),
    ]
    for (prefix, decimal, binary) in prefixes {
      for (name, seconds) in [("s", 1.0), ("m", 60), ("min", 60), ("h", 3600)] {
        units[prefix + "/" + name] = Unit(dimension: .frequency, factor: decimal, divisor: seconds)
      }
      guard !prefix.isEmpty else { continue }
      units[prefix] = Unit(dimension: .plain, factor: decimal)
      units[prefix.lowercased() + "b"] = Unit(dimension: .bytes, factor: decimal)
      units[prefix.lowercased() + "ib"] = Unit(dimension: .bytes, factor: binary)
    }
    units["K"] = units["k"]
    return units
  }()
}
