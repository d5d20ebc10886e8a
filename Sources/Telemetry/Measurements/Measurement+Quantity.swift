import Foundation
import TelemetryCore

extension Measurement {
  /// A quantity of the core as apps see it; nil for none.
  init?<CoreUnit: MeasuredUnit>(_ quantity: Quantity<CoreUnit>?) where CoreUnit.Counterpart == UnitType {
    guard let quantity else { return nil }
    self.init(value: quantity.value, unit: quantity.unit.counterpart)
  }
}

extension Quantity where UnitType: MeasuredUnit {
  /// A measurement as the core keeps it; nil for none.
  init?(_ measurement: Measurement<UnitType.Counterpart>?) {
    guard let measurement else { return nil }
    self = UnitType.quantity(of: measurement)
  }
}

extension MetricAverage {
  /// An average of the core as apps see it; nil for none.
  init?<CoreUnit: MeasuredUnit>(_ average: QuantityAverage<CoreUnit>?)
  where CoreUnit.Counterpart == UnitType {
    guard let average, let mean = Measurement(average.mean) else { return nil }
    self.init(
      averageMeasurement: mean, standardDeviation: average.standardDeviation, sampleCount: average.sampleCount
    )
  }
}

extension QuantityAverage where UnitType: MeasuredUnit {
  /// An average as the core keeps it; nil for none.
  init?(_ average: MetricAverage<UnitType.Counterpart>?) {
    guard let average else { return nil }
    self.init(
      mean: UnitType.quantity(of: average.averageMeasurement), standardDeviation: average.standardDeviation,
      sampleCount: average.sampleCount)
  }
}
