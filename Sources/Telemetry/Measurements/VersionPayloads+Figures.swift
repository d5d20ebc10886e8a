public import Foundation
public import TelemetryCore

extension VersionPayloads {
  /// Total, mean per device-day and mean per foreground hour of a cumulative metric; `nil` if no payload has it.
  ///
  /// - Parameters:
  ///   - scalar: The metric: `\.cpuMetrics?.cumulativeCPUTime`.
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

  /// The mean of the payloads' averages, each weighted by its number of samples; `nil` if none has samples.
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
