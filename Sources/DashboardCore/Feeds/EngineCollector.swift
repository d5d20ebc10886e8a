import JSONLines
import Platform

/// Collects the engine records among one scanner's batches.
struct EngineCollector {
  /// The engine of each metric, by metric number.
  private var engines: [EngineKind?] = []
  private var isOfAny = false

  /// Collects the entries in a batch, in order.
  ///
  /// - Parameter arrival: When the batch arrived; `nil` for data present at the opening.
  mutating func collect(
    from batch: SampleBatch, _ catalogue: MetricCatalogue, arrival: Timestamp? = nil,
    into body: (EngineKind, RawEngineEntry) -> Void
  ) {
    for number in engines.count..<max(engines.count, catalogue.count) {
      engines.append(RawEngineEntry.engine(of: catalogue[MetricID(rawValue: Int32(clamping: number))]))
      isOfAny = isOfAny || engines[number] != nil
    }
    guard isOfAny else { return }
    for sample in batch.samples {
      guard let engine = engines[Int(sample.metric.rawValue)] else { continue }
      let json = sample.kind == .object ? Array(batch.payload(of: sample)) : Array("\(sample.value)".utf8)
      body(
        engine,
        RawEngineEntry(time: sample.time, metric: catalogue[sample.metric], json: json, arrival: arrival))
    }
  }

  /// Time of the newest sample in a collected batch that is no engine record: those of a simulation have its own time.
  func newestOfOthers(in batch: SampleBatch) -> Timestamp? {
    batch.samples.lazy.filter { [engines] in engines[Int($0.metric.rawValue)] == nil }.map(\.time).max()
  }
}
