import Codecs
public import Essentials

/// Reads payloads from the JSON of any system and region, and from the wrappers of tools.
///
/// Reads metric and diagnostic payloads; arrays of them; several in one text, on separate lines or not; in the
/// envelopes `payload`, `payloads`, `_source` and `hits`, also as JSON within a string. Single diagnostics and single
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
  /// Maximum depth of nested envelopes and strings.
  private static let envelopeLimit = 8

  private var seen: Set<PayloadHash> = []

  /// A reader that has not read anything yet.
  public init() {}

  /// Reads all payloads in the bytes, with notes and errors.
  public mutating func read(_ data: Data) -> PayloadReading {
    read(Array(data))
  }

  /// Reads all payloads in the bytes, with notes and errors.
  package mutating func read(_ bytes: [UInt8]) -> PayloadReading {
    var reading = PayloadReading()
    var documents = JSONDocuments(bytes)
    var isEmpty = true
    while let document = documents.next() {
      isEmpty = false
      switch document {
      case .value(let value, let place):
        var context = ReadingContext(document: place, reading: reading)
        // Avoids a copy of everything read so far.
        reading = PayloadReading()
        read(value, &context, envelopes: 0)
        reading = context.reading
      case .failure(let error): reading.add(error)
      }
    }
    if isEmpty {
      reading.add(PayloadReadingError(code: .empty, place: PayloadPlace(), text: "nothing to read"))
    }
    return reading
  }

  private mutating func read(_ json: JSONValue, _ context: inout ReadingContext, envelopes: Int) {
    switch json {
    case .array(let elements): readAll(elements, &context, envelopes: envelopes)
    case .object(let fields): read(fields, &context, envelopes: envelopes)
    case .string(let text) where envelopes > 0: readText(text, &context, envelopes: envelopes)
    case .null, .bool, .integer, .unsigned, .number, .string:
      context.fail(.notAPayload, "\(json.kind), not a payload")
    }
  }

  private mutating func readAll(
    _ elements: [JSONValue], _ context: inout ReadingContext, envelopes: Int
  ) {
    if elements.isEmpty { context.note("an empty array") }
    for (index, element) in elements.enumerated() {
      context.at(String(index)) { read(element, &$0, envelopes: envelopes) }
    }
  }

  private mutating func read(
    _ fields: [String: JSONValue], _ context: inout ReadingContext, envelopes: Int
  ) {
    switch PayloadShape(fields) {
    case .metric:
      let payload = MetricPayload(fields, &context)
      context.check(payload)
      context.take(.metric(payload), seen: &seen)
    case .diagnostic:
      let payload = DiagnosticPayload(fields, &context)
      context.check(payload)
      context.take(.diagnostic(payload), seen: &seen)
    case .singleDiagnostic(let kind):
      context.note("a diagnostic without a payload around")
      let payload = kind.payload(fields, &context)
      context.check(payload)
      context.take(.diagnostic(payload), seen: &seen)
    case .callStacks:
      context.note("call stacks without a payload around")
      var diagnostic = UnclassifiedDiagnostic(UnclassifiedDetails())
      diagnostic.callStackTree = CallStackTree(fields, &context)
      var payload = DiagnosticPayload()
      payload.unclassifiedDiagnostics = [diagnostic]
      context.check(payload)
      context.take(.diagnostic(payload), seen: &seen)
    case .envelope(let key):
      guard envelopes < Self.envelopeLimit, let inside = fields[key] else {
        context.fail(.notAPayload, "too many envelopes around a payload")
        return
      }
      context.at(key) { read(inside, &$0, envelopes: envelopes + 1) }
    case .unknown: context.fail(.notAPayload, "no key of a payload in this object")
    }
  }

  /// Reads JSON that is a string inside JSON.
  private mutating func readText(_ text: String, _ context: inout ReadingContext, envelopes: Int) {
    guard envelopes < Self.envelopeLimit else {
      context.fail(.notAPayload, "too many envelopes around a payload")
      return
    }
    do throws(JSONSyntaxError) {
      var position = 0
      read(try JSONValue(Array(text.utf8), at: &position), &context, envelopes: envelopes + 1)
    } catch {
      context.fail(.notJSON, "in this text, at byte \(error.offset): \(error.text)")
    }
  }
}
