package import Aggregation
package import JSONLines
package import Platform

/// Records the samples of one scanner in a store.
///
/// Keeps the series of each metric of the scanner, so that names are looked up once and not for every sample.
package struct SampleFold: Sendable {
  private var roles = PayloadRoles()
  private var series: [SeriesID?] = []
  private var fields: [Int32: [String: SeriesID]] = [:]
  /// Time of the newest sample so far.
  package private(set) var newest = Timestamp.distantPast

  package init() {}

  /// The series that samples went to, in no order.
  package var allSeries: [SeriesID] { series.compactMap(\.self) + fields.values.flatMap(\.values) }

  /// Records the samples of a batch that lie in a window.
  package mutating func fold(
    _ batch: SampleBatch, _ catalogue: MetricCatalogue, into store: inout SeriesStore,
    window: Range<Timestamp> = .allTime
  ) {
    for sample in batch.samples where window.contains(sample.time) {
      newest = max(newest, sample.time)
      let role = roles.role(of: sample.metric, in: catalogue)
      SampleValues.forEachOfSeries(of: sample, in: batch, role) { field, value in
        let series = series(of: sample, field, catalogue, &store)
        store.record(series, time: sample.time.seconds, value: value)
      }
    }
  }

  @inline(__always)
  private mutating func series(
    of sample: Sample, _ field: String?, _ catalogue: MetricCatalogue, _ store: inout SeriesStore
  ) -> SeriesID {
    guard let field else { return id(of: sample, catalogue, &store) }
    return id(of: sample, field: field, catalogue, &store)
  }

  private mutating func id(
    of sample: Sample, _ catalogue: MetricCatalogue, _ store: inout SeriesStore
  ) -> SeriesID {
    let number = Int(sample.metric.rawValue)
    if number < series.count, let known = series[number], store.isKnown(known) { return known }
    if number >= series.count {
      series += [SeriesID?](repeating: nil, count: max(catalogue.count, number + 1) - series.count)
    }
    let id = store.series(for: SeriesIdentity(catalogue[sample.metric], field: nil), at: sample.time.seconds)
    series[number] = id
    return id
  }

  private mutating func id(
    of sample: Sample, field: String, _ catalogue: MetricCatalogue, _ store: inout SeriesStore
  ) -> SeriesID {
    if let known = fields[sample.metric.rawValue]?[field], store.isKnown(known) { return known }
    let id = store.series(
      for: SeriesIdentity(catalogue[sample.metric], field: field), at: sample.time.seconds)
    fields[sample.metric.rawValue, default: [:]][field] = id
    return id
  }
}
