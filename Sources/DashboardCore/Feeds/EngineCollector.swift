import JSONLines
import Platform

/// Sets aside those samples of the batches of one scanner that tell of an engine.
struct EngineCollector {
  /// By the metric's number, the engine that its samples tell of.
  private var engines: [EngineKind?] = []
  private var isOfAny = false

  /// Hands out the entries among the samples of a batch, in their order.
  ///
  /// - Parameter arrival: When the batch came in; `nil` for what was there at the opening.
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
}
