package import MisterMetricsCore

extension Signposter {
  /// A signposter that records through a store with its own queue, so that a test can fill it.
  package init(category: String, in store: AnyMetricStore, queue: RecordQueue) {
    let recorder = SignpostRecorder(category: category, store: store, queue: queue)
    self.init(category: category, sink: { recorder.record($0) })
  }
}
