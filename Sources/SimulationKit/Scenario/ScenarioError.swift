package import Essentials

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

  /// The same with the line and column in the text: where that stops being JSON5, if it does.
  package func located(in data: Data) -> ScenarioError {
    let places = JSON5Places(String(decoding: data, as: UTF8.self))
    if place.isEmpty, let fault = places.fault {
      return ScenarioError(place: place, text: fault.sentence, line: fault.line, column: fault.column)
    }
    guard let found = places.location(of: place) else { return self }
    return ScenarioError(place: place, text: text, line: found.line, column: found.column)
  }
}
