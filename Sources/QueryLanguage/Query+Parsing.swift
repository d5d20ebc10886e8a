extension Query {
  /// The things that a query may ask for in its context.
  package struct Knowledge: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let fields = Knowledge(rawValue: 1)
    package static let figures = Knowledge(rawValue: 2)
    package static let states = Knowledge(rawValue: 4)
    /// Figures of the samples that remain after conditions on fields.
    package static let figuresOfChosen = Knowledge(rawValue: 8)
    package static let everything: Knowledge = [.fields, .figures, .states, .figuresOfChosen]
    /// The knowledge of a screen that shows the figures of all samples.
    package static let screen: Knowledge = [.fields, .figures, .states]
  }

  /// Parses a query; an empty text chooses everything.
  ///
  /// - Parameters:
  ///   - text: The text that a person typed.
  ///   - knowledge: The things that the query may ask for besides names.
  /// - Throws: `QueryError` with the problem and its position.
  package static func parse(
    _ text: String, knowing knowledge: Knowledge = .everything
  ) throws(QueryError) -> Query {
    // Scalars, because a single character may consist of any number of them.
    let count = text.unicodeScalars.count
    guard count <= longest else {
      throw QueryError(code: .tooLong, range: characters(longest..<count, of: text))
    }
    var parser = QueryParser(text, knowing: knowledge)
    do throws(QueryError) {
      guard let expression = try parser.query() else { return .all }
      let parts = if case .all(let parts) = expression { parts } else { [expression] }
      let query = Query(text: trimmed(text), parts: parts)
      if query.needsFields, query.needsFigures, !knowledge.contains(.figuresOfChosen) {
        throw QueryError(code: .unfilteredFigures, range: 0..<count)
      }
      return query
    } catch {
      throw QueryError(
        code: error.code, range: characters(error.range, of: text), suggestion: error.suggestion)
    }
  }

  private static func trimmed(_ text: String) -> String {
    var rest = text.unicodeScalars[...]
    while rest.first?.properties.isWhitespace == true { rest.removeFirst() }
    while rest.last?.properties.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }

  /// The characters that a range of Unicode scalars touches.
  private static func characters(_ range: Range<Int>, of text: String) -> Range<Int> {
    var (place, number) = (0, 0)
    var (start, end) = (text.count, text.count)
    var isFound = false
    for character in text {
      let next = place + character.unicodeScalars.count
      if !isFound, range.lowerBound < next { (start, isFound) = (number, true) }
      if range.upperBound <= place {
        end = number
        break
      }
      (place, number) = (next, number + 1)
    }
    return start..<max(start, end)
  }
}
