/// The reason why a text is not a valid scenario, with its location.
public struct ScenarioError: Error, Hashable, Sendable {
  /// The path, such as `acts[3].amount`; empty for the whole text.
  public let place: String
  /// A description of the problem.
  public let text: String
  /// The line, from 1; `nil` if it is not specific to a line.
  public let line: Int?
  /// The column, in characters, from 1.
  public let column: Int?

  package init(place: String, text: String, line: Int? = nil, column: Int? = nil) {
    (self.place, self.text, self.line, self.column) = (place, text, line, column)
  }

  /// The problem and its location in one line; may contain untrusted pieces of the file.
  public var message: String {
    let words = place.isEmpty ? text : "\(place): \(text)"
    guard let line, let column else { return words }
    return "line \(line), column \(column): \(words)"
  }

  /// The same with its line and column in a document.
  func located(in document: JSON5Document) -> ScenarioError {
    guard let found = document.location(of: place) else { return self }
    return ScenarioError(place: place, text: text, line: found.line, column: found.column)
  }

  init(_ fault: JSON5Document.Fault) {
    self.init(place: "", text: fault.text, line: fault.line, column: fault.column)
  }
}
