package import Aggregation
package import QueryLanguage

/// The series named in calculations, resolved once for all rows: `errors.count`, `db.query_ms.p95`.
package struct ReferencedSeries {
  package typealias Found = (identity: SeriesIdentity, id: SeriesID, figure: QueryFigure)

  private var series: [String: (identity: SeriesIdentity, id: SeriesID)] = [:]
  /// One field of each struct: the number and the times of samples are the same for all of its fields.
  private var structs: [String: (identity: SeriesIdentity, id: SeriesID)] = [:]

  package init() {}

  package init(_ references: [FigureReference], in store: SeriesStore) {
    guard !references.isEmpty else { return }
    let endings = references.flatMap { $0.candidates.map(\.metric) }
    for id in store.allSeries {
      guard let identity = store.identity(of: id) else { continue }
      let (name, metric) = (identity.fullName, identity.metricName)
      if endings.contains(where: name.hasSuffix) { series[name] = (identity, id) }
      if identity.field != nil, structs[metric] == nil, endings.contains(where: metric.hasSuffix) {
        structs[metric] = (identity, id)
      }
    }
  }

  /// Resolves a reference made by a metric of a bucket: to a series of that bucket, or to one with that full name.
  package func find(_ reference: FigureReference, from bucket: String?) -> Found? {
    for (metric, figure) in reference.candidates {
      for name in [bucket.map { "\($0).\(metric)" }, metric].lazy.compactMap({ $0 }) {
        if let found = series[name] ?? (figure.isOfValues ? nil : structs[name]) {
          return (found.identity, found.id, figure)
        }
      }
    }
    return nil
  }
}
