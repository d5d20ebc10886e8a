import Foundation
import TelemetryCore

extension Measurement {
  /// Converts a quantity of the core; `nil` stays `nil`.
  init?<CoreUnit: MeasuredUnit>(_ quantity: Quantity<CoreUnit>?) where CoreUnit.Counterpart == UnitType {
    guard let quantity else { return nil }
    self.init(value: quantity.value, unit: quantity.unit.counterpart)
  }
}

extension Quantity where UnitType: MeasuredUnit {
  /// Converts a measurement to the core; `nil` stays `nil`.
  init?(_ measurement: Measurement<UnitType.Counterpart>?) {
    guard let measurement else { return nil }
    self = UnitType.quantity(of: measurement)
  }
}

extension MetricAverage {
  /// Converts an average of the core; `nil` stays `nil`.
  init?<CoreUnit: MeasuredUnit>(_ average: QuantityAverage<CoreUnit>?)
  where CoreUnit.Counterpart == UnitType {
    guard let average, let mean = Measurement(average.mean) else { return nil }
    self.init(
      averageMeasurement: mean, standardDeviation: average.standardDeviation, sampleCount: average.sampleCount
    )
  }
}

extension QuantityAverage where UnitType: MeasuredUnit {
  /// Converts an average to the core; `nil` stays `nil`.
  init?(_ average: MetricAverage<UnitType.Counterpart>?) {
    guard let average else { return nil }
    self.init(
      mean: UnitType.quantity(of: average.averageMeasurement), standardDeviation: average.standardDeviation,
      sampleCount: average.sampleCount)
  }
}
