import JSONLines
import Platform

/// Sets aside those samples of the batches of one scanner that tell of a sync engine.
struct SyncCollector {
  /// By the metric's number, whether its samples do.
  private var tellsOfSync: [Bool] = []

  /// The entries among the samples of a batch, in their order.
  ///
  /// - Parameter arrival: When the batch came in; `nil` for what was there at the opening.
  mutating func entries(
    of batch: SampleBatch, _ catalogue: MetricCatalogue, arrival: Timestamp? = nil
  ) -> [RawSyncEntry] {
    for number in tellsOfSync.count..<max(tellsOfSync.count, catalogue.count) {
      tellsOfSync.append(RawSyncEntry.isWanted(catalogue[MetricID(rawValue: Int32(clamping: number))]))
    }
    guard tellsOfSync.contains(true) else { return [] }
    return batch.samples.filter { tellsOfSync[Int($0.metric.rawValue)] }.map { sample in
      let json = sample.kind == .object ? Array(batch.payload(of: sample)) : Array("\(sample.value)".utf8)
      return RawSyncEntry(
        time: sample.time, metric: catalogue[sample.metric], json: json, arrival: arrival)
    }
  }
}
