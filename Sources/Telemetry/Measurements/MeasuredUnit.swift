import Foundation
import TelemetryCore

/// A unit of the core that apps see as one of Foundation's.
protocol MeasuredUnit: QuantityUnit {
  associatedtype Counterpart: Unit

  var counterpart: Counterpart { get }
  /// The quantity that counts and is encoded like the measurement.
  static func quantity(of measurement: Measurement<Counterpart>) -> Quantity<Self>
}

/// A unit of a dimension; may be one that only the app knows.
protocol DimensionUnit: MeasuredUnit where Counterpart: Dimension {
  /// The units in payloads, with their counterparts in Foundation.
  static var written: [(unit: Self, counterpart: Counterpart)] { get }
  static func foreign(_ unit: ForeignUnit) -> Self
  /// The unit as a foreign one; `nil` for a unit in payloads.
  var foreignUnit: ForeignUnit? { get }
  static func counterpart(of unit: ForeignUnit) -> Counterpart
}

extension DimensionUnit {
  var counterpart: Counterpart {
    if let foreignUnit { return Self.counterpart(of: foreignUnit) }
    return Self.written.first { $0.unit == self }?.counterpart ?? .baseUnit()
  }

  static func quantity(of measurement: Measurement<Counterpart>) -> Quantity<Self> {
    let unit = measurement.unit
    if let written = written.first(where: { $0.counterpart == unit }) {
      return Quantity(value: measurement.value, unit: written.unit)
    }
    if let linear = unit.converter as? UnitConverterLinear {
      let scale = UnitScale(coefficient: linear.coefficient, constant: linear.constant)
      return Quantity(
        value: measurement.value, unit: .foreign(ForeignUnit(symbol: unit.symbol, scale: scale)))
    }
    // The app's converter is code, so the measurement is stored in the base unit, which compares equal.
    let base = measurement.converted(to: .baseUnit())
    let symbol = base.unit.symbol
    return written.first { $0.counterpart == base.unit }.map { Quantity(value: base.value, unit: $0.unit) }
      ?? Quantity(
        value: base.value, unit: .foreign(ForeignUnit(symbol: symbol, scale: UnitScale(coefficient: 1))))
  }
}

extension DurationUnit: DimensionUnit {
  typealias Counterpart = UnitDuration

  static let written: [(unit: DurationUnit, counterpart: UnitDuration)] = [
    (.milliseconds, .milliseconds), (.seconds, .seconds), (.minutes, .minutes), (.hours, .hours),
  ]

  var foreignUnit: ForeignUnit? {
    if case .foreign(let unit) = self { unit } else { nil }
  }

  static func counterpart(of unit: ForeignUnit) -> UnitDuration {
    UnitDuration(symbol: unit.symbol, converter: UnitConverterLinear(unit.scale))
  }
}

extension InformationUnit: DimensionUnit {
  typealias Counterpart = UnitInformationStorage

  static let written: [(unit: InformationUnit, counterpart: UnitInformationStorage)] = [
    (.bytes, .bytes), (.kilobytes, .kilobytes), (.megabytes, .megabytes), (.gigabytes, .gigabytes),
  ]

  var foreignUnit: ForeignUnit? {
    if case .foreign(let unit) = self { unit } else { nil }
  }

  static func counterpart(of unit: ForeignUnit) -> UnitInformationStorage {
    UnitInformationStorage(symbol: unit.symbol, converter: UnitConverterLinear(unit.scale))
  }
}

extension SymbolUnit: MeasuredUnit {
  var counterpart: Unit { Unit(symbol: symbol) }

  static func quantity(of measurement: Measurement<Unit>) -> Quantity<SymbolUnit> {
    Quantity(value: measurement.value, unit: SymbolUnit(symbol: measurement.unit.symbol))
  }
}

extension UnitConverterLinear {
  fileprivate convenience init(_ scale: UnitScale) {
    self.init(coefficient: scale.coefficient, constant: scale.constant)
  }
}
