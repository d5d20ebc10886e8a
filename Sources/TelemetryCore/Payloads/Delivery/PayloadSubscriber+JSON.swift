public import Essentials

extension PayloadSubscriber {
  /// Takes payloads as MetricKit's `jsonRepresentation()` writes them, each a document of its own.
  ///
  /// All metric payloads come in one call, those that began first before others, and all diagnostics in another; no call
  /// without payloads. Every document counts, even one that equals another: MetricKit delivers nothing twice.
  ///
  /// - Parameter documents: The documents, in whatever order.
  /// - Returns: What could not be read as a payload; MetricKit itself writes nothing of the sort.
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
    // All are from one device, so that its zone, which they need not tell, plays no part in their order.
    let begins = metrics.map { $0.timeStampBegin?.date(in: .gmt) ?? .distantPast }
    let order = metrics.indices.sorted { (begins[$0], $0) < (begins[$1], $1) }
    if !metrics.isEmpty { didReceive(order.map { metrics[$0] }) }
    if !diagnostics.isEmpty { didReceive(diagnostics) }
    return errors
  }
}
