extension QueryExpression {
  /// The expression as a person would type it.
  var text: String {
    switch self {
    case .name(let pattern): pattern.text
    case .figure(let comparison):
      "\(comparison.figure.rawValue) \(comparison.comparison.rawValue) \(comparison.quantity.text)"
    case .calculation(let comparison): comparison.text
    case .state(let state): state.rawValue
    case .field(let comparison): comparison.text
    case .not(let inner): "not " + inner.grouped
    case .all(let parts):
      parts.map { if case .any = $0 { $0.grouped } else { $0.text } }.joined(separator: " and ")
    case .any(let parts): parts.map(\.text).joined(separator: " or ")
    }
  }

  /// The same, in parentheses if it has several parts.
  private var grouped: String {
    switch self {
    case .all, .any: "(\(text))"
    case .name, .figure, .calculation, .state, .field, .not: text
    }
  }
}

extension NamePattern {
  fileprivate var text: String {
    switch self {
    case .part(let part): QuerySpelling.isPlain(name: part.text) ? part.text : QuerySpelling.quoted(part.text)
    case .glob(let text, _): text
    case .expression(let text, _): "/\(text)/"
    }
  }
}

extension FieldComparison {
  fileprivate var text: String {
    let name = QuerySpelling.isPlain(field: field) ? field : QuerySpelling.quoted(field)
    let value =
      switch literal {
      case .text(let text): QuerySpelling.quoted(text)
      case .word(let word): word.text
      case .pattern(.glob(let text, _)): text
      case .pattern(.part), .pattern(.expression): ""
      }
    return "\(name) \(comparison.rawValue) \(value)"
  }
}

/// Spells words so that they are parsed as intended.
package enum QuerySpelling {
  /// A text, quoted so that it is matched literally.
  package static func quoted(_ text: String) -> String {
    var result = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result.append("\\") }
      result.append(scalar)
    }
    result.append("\"")
    return String(result)
  }

  /// True if an unquoted text is parsed as a part of a name.
  static func isPlain(name: String) -> Bool {
    isWord(name) && QueryState(rawValue: name.lowercased()) == nil
  }

  /// True if an unquoted text is parsed as a field before an operator.
  static func isPlain(field: String) -> Bool {
    isWord(field) && QueryFigure(rawValue: field.lowercased()) == nil
      && !QueryScanner.looksLikePercentile(field) && !CalculationWord(field).isComparedCalculation
      && (try? Quantity(field)) == nil
  }

  /// True if an unquoted value is parsed unchanged.
  static func isPlain(value: String) -> Bool {
    var scanner = QueryScanner(value)
    return !value.isEmpty && scanner.value() == value && !QueryScanner.isPattern(value)
      && QueryKeyword(rawValue: value.lowercased()) == nil
      && !value.unicodeScalars.prefix(1).contains { "=<>!".unicodeScalars.contains($0) }
  }

  private static func isWord(_ text: String) -> Bool {
    var scanner = QueryScanner(text)
    return !text.isEmpty && scanner.word() == text && !QueryScanner.isPattern(text)
      && !"/!".unicodeScalars.contains(where: { $0 == text.unicodeScalars.first })
      && QueryKeyword(rawValue: text.lowercased()) == nil && !CalculationWord(text).isCalculation
  }
}
