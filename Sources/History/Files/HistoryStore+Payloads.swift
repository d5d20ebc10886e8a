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
