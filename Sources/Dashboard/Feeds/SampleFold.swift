import Aggregation
import JSONLines

/// Puts the samples of one scanner into a store.
///
/// Knows which series each metric of the scanner became, so that names are looked up once and not for every sample.
struct SampleFold: Sendable {
  /// Texts are kept up to this many bytes; what tells them apart comes before.
  static let textLimit = 1024

  private var series: [SeriesID?] = []
  private var fields: [Int32: [String: SeriesID]] = [:]
  /// Time of the newest sample so far, in seconds since 2001.
  private(set) var newest = -Double.infinity

  /// Records all samples of a batch.
  mutating func fold(_ batch: SampleBatch, of scanner: SampleScanner, into store: inout SeriesStore) {
    for sample in batch.samples {
      newest = max(newest, sample.time)
      switch sample.kind {
      case .number, .wideInteger:
        store.record(id(of: sample, scanner, &store), time: sample.time, value: .number(sample.value))
      case .bool:
        store.record(id(of: sample, scanner, &store), time: sample.time, value: .bool(sample.value != 0))
      case .text, .array:
        // An array has no value to draw: its JSON says what was recorded.
        store.record(id(of: sample, scanner, &store), time: sample.time, value: text(of: sample, in: batch))
      case .null:
        store.record(id(of: sample, scanner, &store), time: sample.time, value: .null)
      case .object:
        foldFields(sample, batch, scanner, &store)
      }
    }
  }

  private mutating func foldFields(
    _ sample: Sample, _ batch: SampleBatch, _ scanner: SampleScanner, _ store: inout SeriesStore
  ) {
    var isEmpty = true
    StructFields.forEach(in: batch.payload(of: sample)) { name, value in
      isEmpty = false
      let id = id(of: sample, field: name, scanner, &store)
      store.record(id, time: sample.time, value: SeriesValue(value))
    }
    // `{}`, or nothing but arrays.
    guard isEmpty else { return }
    store.record(id(of: sample, scanner, &store), time: sample.time, value: text(of: sample, in: batch))
  }

  private func text(of sample: Sample, in batch: SampleBatch) -> SeriesValue {
    .text(String(decoding: batch.payload(of: sample).prefix(Self.textLimit), as: UTF8.self))
  }

  private mutating func id(
    of sample: Sample, _ scanner: SampleScanner, _ store: inout SeriesStore
  ) -> SeriesID {
    let number = Int(sample.metric.rawValue)
    if number < series.count, let known = series[number], store.isKnown(known) { return known }
    if number >= series.count {
      series += [SeriesID?](repeating: nil, count: max(scanner.catalogue.count, number + 1) - series.count)
    }
    let id = store.series(
      for: SeriesIdentity(scanner.catalogue[sample.metric], field: nil), at: sample.time)
    series[number] = id
    return id
  }

  private mutating func id(
    of sample: Sample, field: String, _ scanner: SampleScanner, _ store: inout SeriesStore
  ) -> SeriesID {
    if let known = fields[sample.metric.rawValue]?[field], store.isKnown(known) { return known }
    let id = store.series(
      for: SeriesIdentity(scanner.catalogue[sample.metric], field: field), at: sample.time)
    fields[sample.metric.rawValue, default: [:]][field] = id
    return id
  }
}

extension SeriesIdentity {
  fileprivate init(_ metric: MetricIdentity, field: String?) {
    self.init(bucket: metric.bucket, name: metric.name, typeName: metric.typeName, field: field)
  }
}

extension SeriesValue {
  fileprivate init(_ value: StructFields.Value) {
    switch value {
    case .number(let number): self = .number(number)
    case .bool(let claim): self = .bool(claim)
    case .text(let text):
      self = .text(text.utf8.count <= SampleFold.textLimit ? text : String(text.prefix(SampleFold.textLimit)))
    case .null: self = .null
    }
  }
}
