/// An error in the text of a query, and its position.
package struct QueryError: Error, Equatable, Sendable {
  /// The kind of error; ``message`` puts it into words.
  enum Code: Equatable, Sendable {
    case tooLong
    case tooDeep
    case missingTerm
    case missingNumber(after: String)
    case missingValue(after: String)
    case unclosedQuote
    case unclosedGroup
    case unopenedGroup
    case unclosedExpression
    case unseparatedExpression
    case unknownOperator(String)
    case noNumber(String)
    case unknownUnit(String)
    case unknownFigure(String)
    /// A unit or more digits follow a number after a blank.
    case separatedUnit(String)
    case wrongUnit(String, QueryFigure)
    case noFigure(String)
    case missingOperand(after: String)
    /// A calculation without a comparison.
    case missingComparison
    /// Numbers compared with numbers.
    case onlyNumbers
    /// Two parts of a calculation, each with the noun for its unit, if there is one.
    case differentUnits(String, String?, String, String?)
    case noOrder(String)
    case mixedLevels
    /// A field next to a figure, where figures are those of all samples.
    case unfilteredFigures
    /// A query that cannot be used as a limit.
    case noLimit
    /// The query asks for something that is unknown in its context.
    case unknowable(String, Query.Knowledge)
    case pattern(PatternFault.Reason)
  }

  let code: Code
  /// Position in the text, in characters; empty at its end if something is missing.
  package let range: Range<Int>
  /// The probable intention, as a replacement for the range.
  package var suggestion: String?
}

// MARK: Messages

extension QueryError {
  /// The error in one sentence, without its position; contains nothing that a terminal would interpret.
  package var message: String {
    let sentence = sentence
    return suggestion.map { "\(sentence); did you mean \(QueryText.harmless($0))?" } ?? sentence
  }

  private var sentence: String {
    switch code {
    case .tooLong: "a query has at most \(Query.longest) characters"
    case .tooDeep: "more than \(Query.deepest) nested parentheses or nots"
    case .missingTerm: "a condition is missing here"
    case .missingNumber(let comparison): "a number is missing after \(comparison)"
    case .missingValue(let comparison): "a value is missing after \(comparison)"
    case .unclosedQuote: "the quote is not closed"
    case .unclosedGroup: "the parenthesis is not closed"
    case .unopenedGroup: "the parenthesis was not opened"
    case .unclosedExpression: "the pattern has no closing /; put a path in quotes, such as \"/feed\""
    case .unseparatedExpression: "a space must follow the closing / of a pattern; put a path in quotes"
    case .unknownOperator(let text): "\(quoted(text)) is not an operator"
    case .noNumber(let text): "\(quoted(text)) is not a number"
    case .unknownUnit(let text): "\(quoted(text)) is not a unit"
    case .unknownFigure(let text): "\(quoted(text)) is not known, only p50, p95 and p99 are"
    case .separatedUnit(let text):
      "a unit follows its number without a space; put the name \(quoted(text)) in quotes"
    case .wrongUnit(let text, let figure):
      "\(quoted(text)) does not fit: \(figure.rawValue) \(figure.expectation)"
    case .noOrder(let text): "\(quoted(text)) is not a number; strings are compared with = and != only"
    case .noFigure(let text):
      "\(quoted(text)) is neither a figure nor a number; a figure of another metric is written name.p95"
    case .missingOperand(let sign): "a figure or a number is missing after \(sign)"
    case .missingComparison: "a comparison is missing behind the calculation, such as > 2"
    case .onlyNumbers: "a figure is missing, such as p95: only numbers are compared here"
    case .differentUnits(let left, let one?, let right, let other?):
      "\(quoted(left)) is \(one) and \(quoted(right)) is \(other): their units differ"
    case .differentUnits(let left, _, let right, _):
      "\(quoted(left)) and \(quoted(right)) never have the same unit"
    case .mixedLevels:
      "a field chooses samples and a figure or state chooses metrics: combine them only with and"
    case .unfilteredFigures:
      "figures cover all samples here, so they cannot be combined with fields; use stats --where"
    case .noLimit: "a limit is one comparison by > or <, joined with names by and: api.* and p95 > 400ms"
    case .unknowable(let text, let knowledge): "\(quoted(text)) \(knowledge.refusal)"
    case .pattern(let reason): reason.sentence
    }
  }

  private func quoted(_ text: String) -> String {
    let cut = text.count > 40 ? text.prefix(39) + "…" : Substring(text)
    return "'\(QueryText.harmless(String(cut)))'"
  }
}

extension QueryFigure {
  /// The expected comparand, to follow the name.
  fileprivate var expectation: String {
    switch self {
    case .now, .p50, .p95, .p99, .max, .min, .mean: "is in the unit of the metric"
    case .n: "is a count"
    case .rate: "is so many a second, such as 10/s"
    case .age: "is a time, such as 30s"
    }
  }
}

extension Query.Knowledge {
  /// The reason it is unknown, to follow the word.
  fileprivate var refusal: String {
    switch self {
    case .figures:
      "is a figure of a whole metric, which is not known here"
    case .states: "is not known here, only where metrics are watched"
    default: "is compared as the field of a sample, which is not known here"
    }
  }
}

extension PatternFault.Reason {
  fileprivate var sentence: String {
    switch self {
    case .tooLong: "a pattern has at most \(NamePattern.longest) bytes"
    case .tooComplex: "the pattern is too complex; repeat less"
    case .backReference: "back references are not supported"
    case .unknownEscape: "this character needs no backslash; the classes are \\d, \\w and \\s"
    case .unclosedBracket: "the bracket is not closed"
    case .unclosedGroup: "the group is not closed"
    case .unopenedGroup: "the group was not opened"
    case .nothingToRepeat: "there is nothing to repeat before this"
    case .wrongRepetition: "a repetition is {2}, {2,} or {2,5}, at most 255; the character itself is \\{"
    case .wrongRange: "the range goes backwards"
    case .unknownClass: "no such class; there are [:alpha:], [:digit:], [:alnum:], [:space:] and so on"
    }
  }
}
