public import Essentials

extension PayloadSubscriber {
  /// Delivers payloads in the form of MetricKit's `jsonRepresentation()`, one document each.
  ///
  /// All metric payloads arrive in one call, sorted by their start, and all diagnostics in another; there are no
  /// empty calls. Every document counts, even duplicates: MetricKit delivers nothing twice.
  ///
  /// - Parameter documents: The documents, in any order.
  /// - Returns: Errors of documents that are not payloads; MetricKit itself never writes such documents.
  @discardableResult
  public func receive(json documents: [Data]) -> [PayloadReadingError] {
    var metrics: [MetricPayload] = []
    var diagnostics: [DiagnosticPayload] = []
    var errors: [PayloadReadingError] = []
    for document in documents {
      var reader = PayloadReader()
      let reading = reader.read(document)
      errors += reading.errors
      for payload in reading.payloads {
        switch payload {
        case .metric(let payload): metrics.append(payload)
        case .diagnostic(let payload): diagnostics.append(payload)
        }
      }
    }
    // All come from one device, so its time zone, which they need not name, does not affect their order.
    let begins = metrics.map { $0.timeStampBegin?.date(in: .gmt) ?? .distantPast }
    let order = metrics.indices.sorted { (begins[$0], $0) < (begins[$1], $1) }
    if !metrics.isEmpty { didReceive(order.map { metrics[$0] }) }
    if !diagnostics.isEmpty { didReceive(diagnostics) }
    return errors
  }
}
