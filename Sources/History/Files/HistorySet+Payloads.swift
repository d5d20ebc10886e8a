extension HistorySet {
  /// All that was recorded of payloads.
  ///
  /// The first question reads the files; later ones read what has come since.
  ///
  /// - Throws: `IndexPass.Failure` when it is given up, else the system's reason.
  package func payloads() throws -> PayloadArchive {
    var growing = growingPayloads ?? Growing(PayloadGathering(), files: files.count)
    // Held once, so that it is not copied.
    growingPayloads = nil
    defer { growingPayloads = growing }
    return try growing.read(self)
  }
}
