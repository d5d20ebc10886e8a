/// A number with its unit, as payloads have them.
///
/// It counts as `Measurement` of Foundation does, bit for bit: apps see quantities as measurements, and the program does
/// without the part of Foundation that measurements are in.
package struct Quantity<UnitType: QuantityUnit>: Sendable {
  /// The number.
  package var value: Double
  /// Its unit.
  package var unit: UnitType

  /// A number of a unit.
  package init(value: Double, unit: UnitType) {
    (self.value, self.unit) = (value, unit)
  }

  /// The number in another unit of the dimension; as it is where the unit is the same or has no scale.
  package func value(in other: UnitType) -> Double {
    guard unit != other, let scale = unit.scale, let otherScale = other.scale else { return value }
    return otherScale.value(ofBase: scale.base(of: value))
  }

  /// Both together, in this unit: by way of the base unit, digits would be lost.
  func adding(_ other: Self) -> Self {
    Self(value: value + other.value(in: unit), unit: unit)
  }

  /// The quantity times a factor.
  func scaled(by factor: Double) -> Self {
    Self(value: value * factor, unit: unit)
  }
}

extension Quantity: Hashable {
  /// Equality of the numbers, in the base unit where the units differ.
  package static func == (first: Self, second: Self) -> Bool {
    if first.unit == second.unit { return first.value == second.value }
    guard let scale = first.unit.scale, let other = second.unit.scale else { return false }
    return scale.base(of: first.value) == other.base(of: second.value)
  }

  /// Hashes what equal quantities have in common.
  package func hash(into hasher: inout Hasher) {
    guard let scale = unit.scale else {
      hasher.combine(unit)
      return hasher.combine(value)
    }
    hasher.combine(scale.base(of: value))
  }
}
