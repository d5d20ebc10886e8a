package import Aggregation
import Codecs
package import JSONLines

/// Splits samples into values of series: a struct gives one per field, everything else one.
package enum SampleValues {
  /// Maximum length of a text; differences show up before that.
  static let textLimit = 1024

  /// Calls `body` with each value of a sample and its field.
  ///
  /// An array has no value to plot, so its JSON is the value, as is that of a struct without fields.
  @inline(__always)
  package static func forEach(
    of sample: Sample, in batch: SampleBatch, _ body: (_ field: String?, _ value: SeriesValue) -> Void
  ) {
    switch sample.kind {
    case .number, .wideInteger: body(nil, .number(sample.value))
    case .bool: body(nil, .bool(sample.value != 0))
    case .null: body(nil, .null)
    case .text, .array: body(nil, text(of: sample, in: batch))
    case .object: forEachField(of: sample, in: batch, body)
    }
  }

  /// Calls `body` with each value of a sample that becomes a series.
  ///
  /// Of payloads, that is only the number of a figure: their texts come once for each of them. Other lines of payloads
  /// are counted as `null`, so that it is known that they exist.
  @inline(__always)
  static func forEachOfSeries(
    of sample: Sample, in batch: SampleBatch, _ role: PayloadRole,
    _ body: (_ field: String?, _ value: SeriesValue) -> Void
  ) {
    guard sample.kind == .object else { return forEach(of: sample, in: batch, body) }
    switch role {
    case .unknown, .other: forEachField(of: sample, in: batch, body)
    case .scalar, .diagnostic:
      let number = batch.payload(of: sample).withUnsafeBytes { Self.number(in: $0) }
      if let number { body(payloadField, .number(number)) } else { body(nil, .null) }
    case .histogram, .document, .original: body(nil, .null)
    }
  }

  /// The field of the numbers of payloads.
  private static let payloadField = "value"

  private static func number(in json: UnsafeRawBufferPointer) -> Double? {
    var number: Double?
    _ = JSONToken.forEachMember(of: json) { name, value in
      if number == nil, name.equals("value") { number = value.number }
    }
    return number
  }

  private static func forEachField(
    of sample: Sample, in batch: SampleBatch, _ body: (String?, SeriesValue) -> Void
  ) {
    var isEmpty = true
    StructFields.forEach(in: batch.payload(of: sample)) { name, value in
      isEmpty = false
      body(name, SeriesValue(value))
    }
    if isEmpty { body(nil, text(of: sample, in: batch)) }
  }

  private static func text(of sample: Sample, in batch: SampleBatch) -> SeriesValue {
    .text(String(decoding: batch.payload(of: sample).prefix(textLimit), as: UTF8.self))
  }
}

extension SeriesIdentity {
  /// The series of a metric, or of one field of it.
  package init(_ metric: MetricIdentity, field: String?) {
    self.init(bucket: metric.bucket, name: metric.name, typeName: metric.typeName, field: field)
  }
}

extension SeriesValue {
  package init(_ value: StructFields.Value) {
    switch value {
    case .number(let number): self = .number(number)
    case .bool(let claim): self = .bool(claim)
    case .text(let text):
      self = .text(
        text.utf8.count <= SampleValues.textLimit ? text : String(text.prefix(SampleValues.textLimit)))
    case .null: self = .null
    }
  }
}
