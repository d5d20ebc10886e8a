import Platform
import TerminalUI

/// `mistertop completions SHELL [-- WORD…]`: the script with which a shell completes words, and its answers.
package enum CompletionsCommand: Command {
  package static let name = "completions"
  package static let operands = "bash | zsh | fish"
  package static let summary =
    "Prints the script with which a shell completes command lines: commands, options, their values, and the names of "
    + "buckets and metrics in the files on the line."
  package static let isIndependent = true
  package static let examples = [
    CommandExample(
      #"eval "$(mistertop completions bash)""#, "in ~/.bashrc, where no installation brings the script"),
    CommandExample(
      "mistertop completions fish > ~/.config/fish/completions/mistertop.fish", "once, for fish"),
  ]

  package enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

  package struct Request: Sendable, Equatable {
    package var shell: Shell
    /// The words behind the program's name up to the cursor, or for bash its word breaks and the line; `nil` to print
    /// the script.
    package var words: [String]?
  }

  package static func completion(ofOperand place: Int) -> Completion {
    place == 0 ? .cases(of: Shell.self) : .nothing
  }

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    let shells = Shell.allCases.map(\.rawValue)
    guard let name = arguments.operands.first else {
      throw .missingOperand("shell: \(Arguments.list(shells))")
    }
    guard let shell = Shell(rawValue: name) else {
      throw .invalidValue(name, for: "the shell", expected: Arguments.list(shells))
    }
    let words = Array(arguments.operands.dropFirst())
    return Request(shell: shell, words: words.isEmpty ? nil : words)
  }

  package static func run(_ request: Request, in context: CommandContext) -> ExitCode {
    guard let words = request.words else {
      context.console.write(CompletionScript.text(for: request.shell))
      return .success
    }
    let line = request.shell == .bash ? BashLine(words[words.count - 1], breaks: words[0]) : nil
    let answer = WordCompleter(environment: context.environment, readNames: { NamesInFiles.read($0) })
      .answer(to: line.map { Array($0.words.dropFirst()) } ?? words)
    context.console.write(answer.offersFiles ? "files\n" : "words\n")
    for candidate in answer.candidates {
      let help = request.shell == .bash ? "" : "\t" + candidate.help
      context.console.write((line?.insertion(of: candidate.text) ?? candidate.text) + help + "\n")
    }
    return .success
  }
}
