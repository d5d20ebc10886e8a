import Codecs

extension ReportMember {
  /// The value as a payload writes it; `nil` if the member is absent.
  func value(in metric: JSONValue) -> JSONValue? {
    var value = metric
    for key in source {
      guard let next = value.fields?[key], next != .null else { return nil }
      value = next
    }
    return switch form {
    case .plain, .quantity: value
    case .size: Self.size(value)
    case .thousands:
      value.double.map { .object(["value": .number($0 / 1e3), "unit": .string("kiloinstructions")]) }
    case .mean: Self.size(value.fields?["average"] ?? value)
    case .average(let scale): Self.average(value, scale)
    case .histogram: Self.histogram(value)
    }
  }

  /// Megabytes of these reports are thousands of the kilobytes of earlier payloads, of 1,024 or 1,000 bytes alike.
  private static func size(_ value: JSONValue, scaledBy factor: Double = 1e3) -> JSONValue {
    guard let fields = value.fields, fields["unit"]?.text == "MB", let number = fields["value"]?.double else {
      return value
    }
    return .object(["value": .number(number * factor), "unit": .string("kB")])
  }

  private static func average(_ value: JSONValue, _ scale: Scale) -> JSONValue {
    guard let fields = value.fields, let mean = fields["average"] else { return value }
    let converted = scale == .size ? size(mean) : mean
    let isScaled = converted != mean
    var average: [String: JSONValue] = ["averageValue": converted]
    average["sampleCount"] = fields["count"]
    if let deviation = fields["standardDeviation"]?.double {
      average["standardDeviation"] = .number(isScaled ? deviation * 1e3 : deviation)
    }
    return .object(average)
  }

  private static func histogram(_ value: JSONValue) -> JSONValue {
    guard let buckets = value.fields?["buckets"]?.elements else { return value }
    let bins: [JSONValue] = buckets.map { bucket in
      guard let fields = bucket.fields else { return bucket }
      var bin: [String: JSONValue] = [:]
      bin["bucketStart"] = fields["lowerBound"]
      bin["bucketEnd"] = fields["upperBound"]
      bin["bucketCount"] = fields["count"]
      return .object(bin)
    }
    let keys = bins.indices.map(String.init)
    return .object([
      "histogramNumBuckets": .integer(Int64(bins.count)),
      "histogramValue": .object(Dictionary(uniqueKeysWithValues: zip(keys, bins))),
    ])
  }
}
