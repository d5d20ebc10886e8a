import Codecs
import QueryLanguage

/// Checks of the query language.
enum QueryChecks {
  /// A query comes back from its one spelling, an error lies inside the text, and completion replaces what is there.
  static func query(_ input: UnsafeRawBufferPointer) -> String? {
    var input = FuzzInput(input)
    let cursor = input.steering()
    let text = String(decoding: input.bytes, as: UTF8.self)
    if let complaint = completion(of: text, at: cursor) { return complaint }
    do throws(QueryError) {
      let query = try Query.parse(text)
      return comesBack(query, from: text) ?? isConsistent(query)
    } catch {
      return isSound(error, in: text)
    }
  }

  private static func comesBack(_ query: Query, from text: String) -> String? {
    let canonical = query.canonicalText
    do throws(QueryError) {
      let again = try Query.parse(canonical)
      guard again == query, again.canonicalText == canonical else {
        return "\(text) is written as \(canonical), which is \(again.canonicalText)"
      }
      return try Query.parse(query.text) == query ? nil : "\(text) is not \(query.text)"
    } catch {
      // Quotes and words between make it longer than a text may be.
      return canonical.unicodeScalars.count > Query.longest
        ? nil : "\(text) is written as \(canonical): \(error.message)"
    }
  }

  /// A denied target is not chosen, and asking by halves gives the same as at once.
  private static func isConsistent(_ query: Query) -> String? {
    let subject = Subject()
    let isChosen = query.matches(metric: subject)
    if isChosen, !query.matches(name: subject.name) { return "a metric is chosen whose name is not" }
    let isSample = query.matches(sample: subject)
    guard isSample == (query.matches(name: subject.name) && query.matches(fieldsOf: subject)) else {
      return "a sample is chosen though its name or its fields are not"
    }
    guard !query.needsFields, let denied = try? Query.parse("not (\(query.canonicalText))") else {
      return nil
    }
    guard !query.isEmpty, denied.matches(metric: subject) == isChosen else { return nil }
    return "\(query.canonicalText) and its opposite are both \(isChosen)"
  }

  private static func isSound(_ error: QueryError, in text: String) -> String? {
    let count = text.count
    guard error.range.lowerBound >= 0, error.range.upperBound <= count else {
      return "\(error.range) is not inside \(count) characters"
    }
    let caret = error.caret(in: text)
    let lines = caret.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 2, lines[1].contains("^"), lines.allSatisfy({ $0.count <= 80 }) else {
      return "the place is shown as \(caret)"
    }
    let isVisible = (error.message + lines.joined()).unicodeScalars.allSatisfy {
      $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
    }
    return isVisible && !error.message.isEmpty ? nil : "the message is not to be shown: \(error.message)"
  }

  private static func completion(of text: String, at cursor: Int) -> String? {
    let known = QueryCompletion.Vocabulary(
      names: ["api.request_ms", "odd name"], fields: ["route", "p95"], values: ["route": ["/feed", "a b"]])
    let completion = QueryCompletion(of: text, at: cursor, known, limit: 5)
    guard completion.range.upperBound <= text.count, completion.candidates.count <= 5 else {
      return "\(completion.range) is completed by \(completion.candidates.count) candidates"
    }
    return completion.candidates.contains { $0.text.isEmpty } ? "an empty candidate" : nil
  }

  /// A metric with every figure, and a sample of it.
  private struct Subject: QuerySubject, QuerySample {
    let name = "api.request_ms"
    let unit = ValueUnit.milliseconds

    func figure(_ figure: QueryFigure) -> Double? { figure == .p99 ? nil : 400 }

    func figure(of reference: FigureReference) -> ReferencedFigure? {
      guard
        let (metric, figure) = reference.candidates.first(where: { ["errors", name].contains($0.metric) })
      else { return nil }
      return ReferencedFigure(
        name: metric, figure: figure, unit: metric == name ? unit : .plain, value: figure == .min ? 0 : 30)
    }

    func isInState(_ state: QueryState) -> Bool { state == .firing }

    func hasSamples(where comparison: FieldComparison) -> Bool {
      comparison.matches(field(comparison.field))
    }

    func field(_ name: String) -> QueryValue? {
      switch name {
      case "route": .text("/feed")
      case "status": .number(500)
      case "ok": .bool(true)
      default: nil
      }
    }
  }
}
