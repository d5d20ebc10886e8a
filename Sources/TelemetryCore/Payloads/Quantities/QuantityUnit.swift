/// The unit of a quantity.
package protocol QuantityUnit: Hashable, Sendable {
  /// The place in its dimension; nil for what converts to nothing else.
  var scale: UnitScale? { get }
}

/// How a unit relates to the base unit of its dimension, counted in the steps of Foundation's linear converter.
package struct UnitScale: Hashable, Sendable {
  /// How many of the base unit it is.
  package let coefficient: Double
  /// Its zero in the base unit.
  package let constant: Double

  /// A scale; the constant is left out if the quantity has a true zero.
  package init(coefficient: Double, constant: Double = 0) {
    (self.coefficient, self.constant) = (coefficient, constant)
  }

  /// A number of the unit, in the base unit.
  ///
  /// The sum makes -0 a 0, as Foundation's does.
  func base(of value: Double) -> Double { value * coefficient + constant }

  /// A number of the base unit, in the unit.
  func value(ofBase value: Double) -> Double { (value - constant) / coefficient }
}

/// A unit that no payload is written in, but an app may set.
package struct ForeignUnit: Hashable, Sendable {
  /// Its symbol.
  package let symbol: String
  /// Its place in the dimension.
  package let scale: UnitScale

  /// A unit by its symbol.
  package init(symbol: String, scale: UnitScale) {
    (self.symbol, self.scale) = (symbol, scale)
  }
}

/// A unit of time; the base unit is the second.
package enum DurationUnit: QuantityUnit {
  case milliseconds, seconds, minutes, hours
  // Indirect, so that the many quantities of a payload stay as small as numbers with a reference.
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

/// A unit of information; the base unit is the bit, as Foundation has it.
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

/// A unit that is only a word.
package struct SymbolUnit: QuantityUnit {
  /// Thousands of processor instructions.
  package static let kiloinstructions = SymbolUnit(symbol: "kiloinstructions")
  /// The mean luminance of pixels, 0 to 100.
  package static let averagePixelLuminance = SymbolUnit(symbol: "apl")
  /// Milliseconds that frames came late, per second of motion.
  package static let hitchTimeRatio = SymbolUnit(symbol: "ms per s")

  /// The word.
  package let symbol: String

  /// A unit by its word.
  package init(symbol: String) {
    self.symbol = symbol
  }

  package var scale: UnitScale? { nil }
}
