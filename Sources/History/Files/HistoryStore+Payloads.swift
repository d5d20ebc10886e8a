import JSONLines

extension PayloadAccumulator: BlockAccumulator {
  var empty: Self { Self() }

  mutating func add(_ batch: SampleBatch, _ catalogue: MetricCatalogue, at place: BatchPlace) {
    add(batch, catalogue, file: place.file)
  }
}

extension HistoryStore {
  /// All recorded payloads.
  ///
  /// The first query reads the files; later ones read only new lines.
  ///
  /// - Throws: `IndexPass.Failure` if it is cancelled, otherwise the system error.
  package func payloads() throws -> PayloadArchive {
    try gathered(in: \.incrementalPayloads, PayloadAccumulator())
  }
}
