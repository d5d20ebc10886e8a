public import Essentials

/// A mean of samples with their spread.
public struct MetricAverage<UnitType: Unit & Sendable>: Hashable, Sendable {
  /// The mean.
  public var averageMeasurement: Measurement<UnitType>
  /// The standard deviation in the unit of the mean; below zero if it is not known, as real devices write it.
  public var standardDeviation: Double
  /// How many samples.
  public var sampleCount: Int

  /// A mean.
  public init(averageMeasurement: Measurement<UnitType>, standardDeviation: Double, sampleCount: Int) {
    self.averageMeasurement = averageMeasurement
    self.standardDeviation = standardDeviation
    self.sampleCount = sampleCount
  }

  /// Whether there were no samples, so that the mean says nothing.
  public var isMissing: Bool { sampleCount <= 0 }

  /// The standard deviation if it is known.
  public var knownDeviation: Double? { standardDeviation >= 0 ? standardDeviation : nil }
}

extension FieldCodec {
  /// A mean whose measurement is read and written as another codec does.
  static func average<UnitType: Unit>(
    _ measurement: FieldCodec<Measurement<UnitType>>
  ) -> FieldCodec where Value == MetricAverage<UnitType> {
    FieldCodec { json, context in
      guard let fields = json.fields else { return context.refuse(json, "an object") }
      guard let mean = fields["averageValue"] else { return context.refuse(json, "a mean") }
      guard let value = context.at("averageValue", { measurement.read(mean, &$0) }) else { return nil }
      let deviation = context.read("standardDeviation", of: fields, FieldCodec<Double>.number)
      let count = context.read("sampleCount", of: fields, FieldCodec<Int>.integer)
      return MetricAverage(
        averageMeasurement: value, standardDeviation: deviation ?? -1, sampleCount: count ?? 0)
    } write: { average in
      guard let value = measurement.write(average.averageMeasurement),
        let deviation = FieldCodec<Double>.number.write(average.standardDeviation)
      else { return nil }
      return .object([
        "averageValue": value, "standardDeviation": deviation,
        "sampleCount": .integer(Int64(average.sampleCount)),
      ])
    } digest: { average in
      guard let value = measurement.digest(average.averageMeasurement),
        average.standardDeviation.isFinite
      else { return nil }
      return ContentDigest(elements: [
        value, ContentDigest(average.standardDeviation), ContentDigest(Int64(average.sampleCount)),
      ])
    }
  }
}
