extension HistoryStore {
  /// All recorded payloads.
  ///
  /// The first query reads the files; later ones read only new lines.
  ///
  /// - Throws: `IndexPass.Failure` when it is abandoned, else the system's reason.
  package func payloads() throws -> PayloadArchive {
    try gathered(in: \.incrementalPayloads, PayloadAccumulator())
  }
}
