/// The unit of a quantity.
package protocol QuantityUnit: Hashable, Sendable {
  /// The scale within its dimension; `nil` for units that cannot be converted.
  var scale: UnitScale? { get }
}

/// The relation of a unit to the base unit of its dimension, computed in the steps of Foundation's linear converter.
package struct UnitScale: Hashable, Sendable {
  /// Value of the unit in base units.
  package let coefficient: Double
  /// The zero of the unit in base units.
  package let constant: Double

  /// A scale; the constant is omitted for quantities with a true zero.
  package init(coefficient: Double, constant: Double = 0) {
    (self.coefficient, self.constant) = (coefficient, constant)
  }

  /// Converts from the unit to the base unit.
  ///
  /// The sum turns -0 into 0, as Foundation's does.
  func base(of value: Double) -> Double { value * coefficient + constant }

  /// Converts from the base unit to the unit.
  func value(ofBase value: Double) -> Double { (value - constant) / coefficient }
}

/// A unit that payloads never use, but an app may set.
package struct ForeignUnit: Hashable, Sendable {
  /// Its symbol.
  package let symbol: String
  /// Its scale within the dimension.
  package let scale: UnitScale

  /// A unit by its symbol.
  package init(symbol: String, scale: UnitScale) {
    (self.symbol, self.scale) = (symbol, scale)
  }
}

/// A unit of time; the base unit is the second.
package enum DurationUnit: QuantityUnit {
  case milliseconds, seconds, minutes, hours
  // Indirect, so that the many quantities of a payload stay as small as a number and a reference.
  indirect case foreign(ForeignUnit)

  package var scale: UnitScale? {
    switch self {
    case .milliseconds: UnitScale(coefficient: 0.001)
    case .seconds: UnitScale(coefficient: 1)
    case .minutes: UnitScale(coefficient: 60)
    case .hours: UnitScale(coefficient: 3600)
    case .foreign(let unit): unit.scale
    }
  }
}

/// A unit of information; the base unit is the bit, as in Foundation.
package enum InformationUnit: QuantityUnit {
  case bytes, kilobytes, megabytes, gigabytes
  indirect case foreign(ForeignUnit)

  package var scale: UnitScale? {
    switch self {
    case .bytes: UnitScale(coefficient: 8)
    case .kilobytes: UnitScale(coefficient: 8e3)
    case .megabytes: UnitScale(coefficient: 8e6)
    case .gigabytes: UnitScale(coefficient: 8e9)
    case .foreign(let unit): unit.scale
    }
  }
}

/// A unit that is only a symbol.
package struct SymbolUnit: QuantityUnit {
  /// Thousands of processor instructions.
  package static let kiloinstructions = SymbolUnit(symbol: "kiloinstructions")
  /// The mean luminance of pixels, 0 to 100.
  package static let averagePixelLuminance = SymbolUnit(symbol: "apl")
  /// Milliseconds that frames came late, per second of motion.
  package static let hitchTimeRatio = SymbolUnit(symbol: "ms per s")

  /// Frames per second.
  package static let hertz = SymbolUnit(symbol: "Hz")

  /// The symbol.
  package let symbol: String

  /// A unit with a symbol.
  package init(symbol: String) {
    self.symbol = symbol
  }

  package var scale: UnitScale? { nil }
}
