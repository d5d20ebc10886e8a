/// A number with its unit, as in payloads.
///
/// Its arithmetic equals that of Foundation's `Measurement`, bit for bit: apps see quantities as measurements, while
/// the program does without the part of Foundation that contains them.
package struct Quantity<UnitType: QuantityUnit>: Sendable {
  /// The number.
  package var value: Double
  /// Its unit.
  package var unit: UnitType

  /// A number of a unit.
  package init(value: Double, unit: UnitType) {
    (self.value, self.unit) = (value, unit)
  }

  /// The number in another unit of the dimension; unchanged if the unit is the same or has no scale.
  package func value(in other: UnitType) -> Double {
    guard unit != other, let scale = unit.scale, let otherScale = other.scale else { return value }
    return otherScale.value(ofBase: scale.base(of: value))
  }

  /// The sum in this unit: going through the base unit would lose digits.
  func adding(_ other: Self) -> Self {
    Self(value: value + other.value(in: unit), unit: unit)
  }

  /// The quantity times a factor.
  func scaled(by factor: Double) -> Self {
    Self(value: value * factor, unit: unit)
  }
}

extension Quantity: Hashable {
  /// Compares the numbers, in the base unit if the units differ.
  package static func == (first: Self, second: Self) -> Bool {
    if first.unit == second.unit { return first.value == second.value }
    guard let scale = first.unit.scale, let other = second.unit.scale else { return false }
    return scale.base(of: first.value) == other.base(of: second.value)
  }

  /// Hashes the properties that equal quantities share.
  package func hash(into hasher: inout Hasher) {
    guard let scale = unit.scale else {
      hasher.combine(unit)
      return hasher.combine(value)
    }
    hasher.combine(scale.base(of: value))
  }
}
