import Codecs

extension FieldCodec {
  /// A mean whose quantity is read and written by another codec.
  static func average<UnitType: QuantityUnit>(
    _ quantity: FieldCodec<Quantity<UnitType>>
  ) -> FieldCodec where Value == QuantityAverage<UnitType> {
    FieldCodec { json, context in
      guard let fields = json.fields else { return context.refuse(json, "an object") }
      guard let mean = fields["averageValue"] else { return context.refuse(json, "a mean") }
      guard let value = context.at("averageValue", { quantity.read(mean, &$0) }) else { return nil }
      let deviation = context.read("standardDeviation", of: fields, FieldCodec<Double>.number)
      let count = context.read("sampleCount", of: fields, FieldCodec<Int>.count)
      return QuantityAverage(
        mean: value, standardDeviation: deviation ?? -1, sampleCount: count ?? 0)
    } write: { average in
      guard let value = quantity.write(average.mean),
        let deviation = FieldCodec<Double>.number.write(average.standardDeviation)
      else { return nil }
      return .object([
        "averageValue": value, "standardDeviation": deviation,
        "sampleCount": .integer(Int64(average.sampleCount)),
      ])
    } digest: { average in
      guard let value = quantity.digest(average.mean),
        average.standardDeviation.isFinite
      else { return nil }
      return ContentDigest(elements: [
        value, ContentDigest(average.standardDeviation), ContentDigest(Int64(average.sampleCount)),
      ])
    }.figures({
      quantity.figureUnits().flatMap {
        [("", $0.unit), (".standardDeviation", $0.unit), (".sampleCount", PayloadFigure.count)]
      }
    }) { average, name, list in
      list.add(name, average, quantity.addFigures)
    }
  }
}
