import Codecs
public import Essentials

/// Reads payloads from the JSON of any system and region, and from the wrappers of tools.
///
/// Reads metric and diagnostic payloads and the reports of iOS 27; arrays of them; several in one text, on separate
/// lines or not; at any depth of other objects, also as JSON or Base64 within a string. Single diagnostics and single
/// call stacks become a diagnostic payload of their own.
///
/// A reader remembers what it has read, so that a payload uploaded twice counts once:
///
/// ```swift
/// var reader = PayloadReader()
/// for file in files {
///   let reading = reader.read(try Data(contentsOf: file))
///   for error in reading.errors { print("\(file.path): \(error.place): \(error.text)") }
/// }
/// ```
public struct PayloadReader: Sendable {
  private var seen: Set<PayloadHash> = []
  private let userKey: [String]?

  /// A reader that has not read anything yet.
  ///
  /// - Parameter userKey: The keys, separated by points, from the object around a payload to the name of its user or
  ///   device; `nil` to look for the usual ones.
  public init(userKey: String? = nil) {
    self.userKey = userKey.map { $0.split(separator: ".").map(String.init) }
  }

  /// Reads all payloads in the bytes, with notes and errors.
  public mutating func read(_ data: Data) -> PayloadReading {
    read(Array(data))
  }

  /// Reads all payloads in the bytes, with notes and errors.
  package mutating func read(_ bytes: [UInt8]) -> PayloadReading {
    var reading = PayloadReading()
    let isBase64 = PayloadSearch.mayBeBase64(bytes)
    var documents = JSONDocuments(isBase64 ? PayloadSearch.json(inBase64: bytes) ?? bytes : bytes)
    var isEmpty = true
    while let document = documents.next() {
      isEmpty = false
      switch document {
      case .value(let value, let place):
        var context = ReadingContext(document: place, reading: reading)
        // Avoids a copy of everything read so far.
        reading = PayloadReading()
        read(value, &context)
        reading = context.reading
      case .failure(let error): reading.add(error)
      }
    }
    if isEmpty {
      reading.add(PayloadReadingError(code: .empty, place: PayloadPlace(), text: "nothing to read"))
    }
    return reading
  }

  private mutating func read(_ document: JSONValue, _ context: inout ReadingContext) {
    var search = PayloadSearch()
    search.search(document)
    for path in search.emptyArrays { context.at(path) { $0.note("an empty array") } }
    for found in search.found { context.at(found.path) { read(found, &$0) } }
    for failure in search.failures { context.at(failure.path) { $0.fail(failure.code, failure.text) } }
  }

  private mutating func read(_ found: PayloadSearch.Found, _ context: inout ReadingContext) {
    var payload: Payload
    switch found.shape {
    case .metric:
      payload = .metric(MetricPayload(found.fields, &context))
    case .report:
      let report = ReportTranslation(metrics: found.fields, &context)
      payload = context.translated(report.origins) { .metric(MetricPayload(report, &$0)) }
    case .diagnostic:
      payload = .diagnostic(DiagnosticPayload(found.fields, &context))
    case .diagnosticReport:
      let report = ReportTranslation(diagnostics: found.fields)
      payload = context.translated(report.origins) { .diagnostic(DiagnosticPayload(report.fields, &$0)) }
    case .singleDiagnostic(let kind):
      context.note("a diagnostic without a payload around")
      payload = .diagnostic(kind.payload(found.fields, &context))
    case .callStacks:
      context.note("call stacks without a payload around")
      var diagnostic = UnclassifiedDiagnostic(UnclassifiedDetails())
      diagnostic.callStackTree = FieldCodec.callStackTree.read(.object(found.fields), &context)
      var diagnostics = DiagnosticPayload()
      diagnostics.unclassifiedDiagnostics = [diagnostic]
      payload = .diagnostic(diagnostics)
    case .unknown: return
    }
    if case .diagnostic(var diagnostics) = payload {
      diagnostics.takePeriod()
      payload = .diagnostic(diagnostics)
    }
    context.check(payload)
    context.take(payload, from: found, userKey: userKey, seen: &seen)
  }
}
