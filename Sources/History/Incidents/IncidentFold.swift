package import Aggregation
package import JSONLines
import Platform

/// Records the samples of one scanner in an incident log.
///
/// Keeps the number of each metric in the log, so that names are looked up once and not for every sample.
package struct IncidentFold: Sendable {
  /// The number of a metric in the log.
  private enum Number: Sendable {
    case unknown, ignored
    case watched(Int)
  }

  private var numbers: [Number] = []
  /// The metrics of payloads: each value covers a day that is long over when it is recorded.
  private var isPayload: [Bool] = []
  private var fields: [Int32: [String: Number]] = [:]
  /// The texts and bools of the current struct, and its numbers.
  private var labels: [SampleLabel] = []
  private var members: [(series: Int, value: Double)] = []

  package init() {}

  /// Records the samples of a batch, in their order.
  package mutating func fold(
    _ batch: SampleBatch, _ catalogue: MetricCatalogue, into log: inout IncidentLog
  ) {
    for sample in batch.samples {
      let metric = Int(sample.metric.rawValue)
      if metric >= numbers.count {
        numbers += [Number](repeating: .unknown, count: max(catalogue.count, metric + 1) - numbers.count)
      }
      while isPayload.count <= metric {
        let next = catalogue[MetricID(rawValue: Int32(truncatingIfNeeded: isPayload.count))]
        isPayload.append(PayloadArchive.holds(bucket: next.bucket, typeName: next.typeName))
      }
      if isPayload[metric] { continue }
      // Skips an ignored metric before its values are decoded; the fields of a struct are series of their own.
      if sample.kind != .object, case .ignored = numbers[metric] { continue }
      let isStruct = sample.kind == .object
      labels.removeAll(keepingCapacity: true)
      members.removeAll(keepingCapacity: true)
      SampleValues.forEach(of: sample, in: batch) { field, value in
        if isStruct, let field, let label = value.label {
          labels.append(SampleLabel(field: field, value: label))
        }
        guard case .watched(let number) = number(of: sample, field, catalogue, &log) else { return }
        if isStruct, case .number(let value) = value { members.append((number, value)) }
        log.record(value, at: sample.time.seconds, of: number)
      }
      guard !labels.isEmpty else { continue }
      for (number, value) in members {
        log.record(labels, beside: value, at: sample.time.seconds, of: number)
      }
    }
  }

  @inline(__always)
  private mutating func number(
    of sample: Sample, _ field: String?, _ catalogue: MetricCatalogue, _ log: inout IncidentLog
  ) -> Number {
    guard let field else {
      let metric = Int(sample.metric.rawValue)
      if case .unknown = numbers[metric] { numbers[metric] = Self.number(sample, nil, catalogue, &log) }
      return numbers[metric]
    }
    if let known = fields[sample.metric.rawValue]?[field] { return known }
    let number = Self.number(sample, field, catalogue, &log)
    fields[sample.metric.rawValue, default: [:]][field] = number
    return number
  }

  private static func number(
    _ sample: Sample, _ field: String?, _ catalogue: MetricCatalogue, _ log: inout IncidentLog
  ) -> Number {
    log.number(of: SeriesIdentity(catalogue[sample.metric], field: field)).map(Number.watched) ?? .ignored
  }
}
