package import Aggregation
package import QueryLanguage

/// The series that calculations name, found once for all rows: `errors.count`, `db.query_ms.p95`.
package struct ReferencedSeries {
  package typealias Found = (identity: SeriesIdentity, id: SeriesID, figure: QueryFigure)

  private var series: [String: (identity: SeriesIdentity, id: SeriesID)] = [:]
  /// A field of each struct: how many samples there are and when is the same for all of them.
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

  /// The series that is meant where a metric of a bucket is asked: one of the same bucket, or one of that whole name.
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
