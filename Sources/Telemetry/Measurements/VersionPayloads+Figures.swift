public import Foundation
public import TelemetryCore

extension VersionPayloads {
  /// Total, mean of a device-day and of a foreground hour of a sum that payloads carry; `nil` where none has it.
  ///
  /// - Parameters:
  ///   - scalar: Which one: `\.cpuMetrics?.cumulativeCPUTime`.
  ///   - unit: The unit of the figures.
  public func figures<UnitType: Dimension>(
    of scalar: KeyPath<MetricPayload, Measurement<UnitType>?>, in unit: UnitType
  ) -> ScalarFigures? {
    ScalarFigures(
      payloads.map { payload in
        ScalarFigures.Day(
          value: payload[keyPath: scalar]?.converted(to: unit).value, foreground: payload.foregroundSeconds)
      })
  }

  /// The mean of what payloads carry as a mean with its samples, each weighted by its number; `nil` where none has samples.
  public func average<UnitType: Unit>(
    of mean: KeyPath<MetricPayload, MetricAverage<UnitType>?>
  ) -> SampledAverage? {
    .combining(
      payloads.compactMap { payload in
        payload[keyPath: mean].flatMap { average in
          SampledAverage(
            mean: average.averageMeasurement.value, standardDeviation: average.knownDeviation,
            count: average.sampleCount)
        }
      })
  }
}
