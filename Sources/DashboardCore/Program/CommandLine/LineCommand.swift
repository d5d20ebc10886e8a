import TerminalUI

/// A command that can be typed after `:`.
struct LineCommand: Sendable {
  let name: String
  /// A description of the argument for the list of commands; empty without one.
  let argument: String
  let summary: String
  /// Possible arguments, if they can be listed.
  let choices: @Sendable (Model) -> [String]
  /// Runs the command; the text is its argument, trimmed.
  let run: @Sendable (inout Model, String) throws(LineProblem) -> [Effect]

  init(
    _ name: String, _ argument: String = "", _ summary: String,
    choices: @escaping @Sendable (Model) -> [String] = { _ in [] },
    run: @escaping @Sendable (inout Model, String) throws(LineProblem) -> [Effect]
  ) {
    (self.name, self.argument, self.summary) = (name, argument, summary)
    (self.choices, self.run) = (choices, run)
  }

  /// Creates a command that takes one of a few words.
  static func choosing<Choice: Sendable>(
    _ name: String, _ argument: String, _ summary: String, from table: [(name: String, choice: Choice)],
    run: @escaping @Sendable (inout Model, Choice) -> [Effect]
  ) -> LineCommand {
    let names = table.map(\.name)
    return LineCommand(name, argument, summary, choices: { _ in names }) {
      (model, text) throws(LineProblem) in
      guard let found = table.first(where: { $0.name == text.lowercased() }) else {
        throw .unknown(text, for: name, of: names)
      }
      return run(&model, found.choice)
    }
  }
}

/// The reason that a typed line cannot be executed, as a sentence.
struct LineProblem: Error, Equatable {
  let text: String

  init(_ text: String) { self.text = text }

  /// A problem with an argument that is none of the known words.
  static func unknown(_ text: String, for name: String, of known: [String]) -> LineProblem {
    let list = known.prefix(8).joined(separator: ", ")
    guard !text.isEmpty else { return LineProblem("\(name) what? \(list)") }
    let meant = Completion.suggestion(for: text, of: known) ?? "choose one of \(list)"
    return LineProblem("\(name): unknown «\(text)»; \(meant)")
  }
}
