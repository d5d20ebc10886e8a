import MisterMetrics

/// Records signposts through a metric store without waiting for it.
struct SignpostRecorder: Sendable {
  private let bucket: Bucket
  private let store: AnyMetricStore?

  init(category: String, store: AnyMetricStore?) {
    bucket = Bucket(category)
    self.store = store
  }

  @Sendable
  func record(_ record: SignpostRecord) {
    switch record.value {
    case .interval(let interval): bucket.metric(record.name.description).record(interval, in: store)
    case .event(let event): bucket.metric(record.name.description).record(event, in: store)
    }
  }
}
