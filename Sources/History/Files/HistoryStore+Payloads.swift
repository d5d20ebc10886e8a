extension HistoryStore {
  /// All that was recorded of payloads.
  ///
  /// The first question reads the files; later ones read what has come since.
  ///
  /// - Throws: `IndexPass.Failure` when it is abandoned, else the system's reason.
  package func payloads() throws -> PayloadArchive {
    try gathered(in: \.incrementalPayloads, PayloadAccumulator())
  }
}
