import Aggregation
import Platform

@testable import DashboardCore

/// The made-up app of the tests about incidents on the screens.
enum IncidentFixture {
  /// The beginning of its file, 13:20:00.
  static let start = 816_960_000.0
  static let request = SeriesIdentity(bucket: "net", name: "request_ms", typeName: "Double")
  static let queue = SeriesIdentity(bucket: "net", name: "queue", typeName: "Int")
  static let pool = SeriesIdentity(bucket: "db", name: "pool", typeName: "Int")

  typealias Sample = (series: SeriesIdentity, time: Double, value: Double)

  /// A file that was read whole.
  static func feed(_ samples: some Sequence<Sample>) -> FeedSnapshot {
    var store = SeriesStore()
    for (series, time, value) in samples {
      store.record(store.series(for: series), time: time, value: .number(value))
    }
    var status = FeedStatus()
    status.sources = ["app.jsonl"]
    status.isLoaded = true
    return FeedSnapshot(store: store, status: status)
  }
}
