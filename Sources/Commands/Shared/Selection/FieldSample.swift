import History
import JSONLines
import QueryLanguage

/// A sample as a query sees it: the name of its metric, and the fields compared by the query.
///
/// For a sample that is not a struct, the full name of its metric acts as the only field.
struct FieldSample: QuerySample {
  let name: String
  private var values: [String: QueryValue] = [:]

  /// - Parameters:
  ///   - fields: The fields that are compared; the last value of a repeated name counts.
  ///   - origins: The origins of payloads, which count as fields of their figures.
  ///   - met: Called with each field of the struct.
  init(
    _ sample: Sample, of metric: MetricIdentity, payload: ArraySlice<UInt8>, fields: [String],
    origins: PayloadOriginTable?, met: (String) -> Void = { _ in }
  ) {
    name = metric.fullName
    guard !fields.isEmpty else { return }
    guard sample.kind == .object else {
      guard fields.contains(name) else { return }
      met(name)
      values[name] = QueryValue(sample, payload: payload)
      return
    }
    StructFields.forEach(in: payload) { field, value in
      met(field)
      if fields.contains(field) { values[field] = QueryValue(value) }
    }
    guard let origins else { return }
    for field in fields where values[field] == nil {
      guard let value = origins.value(of: field, for: payload, of: metric) else { continue }
      met(field)
      values[field] = QueryValue(value)
    }
  }

  func field(_ name: String) -> QueryValue? { values[name] }
}

extension QueryValue {
  /// The value of a sample that is not a struct; `nil` for an array.
  fileprivate init?(_ sample: Sample, payload: ArraySlice<UInt8>) {
    switch sample.kind {
    case .number, .wideInteger: self = .number(sample.value)
    case .bool: self = .bool(sample.value != 0)
    case .text: self = .text(String(decoding: payload, as: UTF8.self))
    case .null: self = .null
    case .object, .array: return nil
    }
  }

  init(_ value: StructFields.Value) {
    switch value {
    case .number(let number): self = .number(number)
    case .bool(let claim): self = .bool(claim)
    case .text(let text): self = .text(text)
    case .null: self = .null
    }
  }
}
