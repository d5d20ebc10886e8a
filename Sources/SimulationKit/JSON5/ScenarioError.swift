/// Why a text is no scenario: where in it, and what is wrong there.
public struct ScenarioError: Error, Hashable, Sendable {
  /// The place, such as `acts[3].amount`; empty for the text as a whole.
  public let place: String
  /// The problem.
  public let text: String
  /// The line, from 1; `nil` where no line is to blame.
  public let line: Int?
  /// The column, in characters, from 1.
  public let column: Int?

  package init(place: String, text: String, line: Int? = nil, column: Int? = nil) {
    (self.place, self.text, self.line, self.column) = (place, text, line, column)
  }

  /// The problem and its place, in one line; it may hold pieces of the file, which is untrusted.
  public var message: String {
    let words = place.isEmpty ? text : "\(place): \(text)"
    guard let line, let column else { return words }
    return "line \(line), column \(column): \(words)"
  }

  /// The same with the line and column in its text.
  func located(in document: JSON5Document) -> ScenarioError {
    guard let found = document.location(of: place) else { return self }
    return ScenarioError(place: place, text: text, line: found.line, column: found.column)
  }

  init(_ fault: JSON5Document.Fault) {
    self.init(place: "", text: fault.text, line: fault.line, column: fault.column)
  }
}
