import Codecs
import JSONLines
package import QueryLanguage
import TerminalUI

/// An error in a command line.
///
/// The cases hold the facts; only `message` turns them into text.
package enum UsageError: Error, Equatable, Sendable {
  /// - Parameter meant: A command with a similar spelling.
  case unknownCommand(String, meant: String? = nil)
  /// - Parameter meant: An option with a similar spelling.
  case unknownOption(String, meant: String? = nil)
  case missingValue(option: String)
  case missingOption(String)
  case missingOperand(String)
  case unexpectedOperand(String)
  case invalidValue(String, for: String, expected: String)
  /// An address is not repeated: it may have a password.
  case invalidAddress(for: String, reason: String)
  /// An address, for a command that reads only files.
  case readsNoServer
  case invalidMapping(String, reason: String)
  /// - Parameter place: The character at which it was noticed, from 1.
  case invalidCondition(String, for: String, place: Int, reason: String)
  case conflict(String, String)
  /// The first option requires the second one.
  case needs(String, String)
  /// The time of the first option is later than that of the second one.
  case emptyWindow(String, String)
  case invalidQuery(String, for: String, QueryError)

  /// One line for the user, without the program's name.
  package var message: String {
    switch self {
    case .unknownCommand(let name, let meant):
      "'\(name)' is neither a command nor a file" + Suggestion.question(meant)
    case .unknownOption(let option, let meant): "unknown option '\(option)'" + Suggestion.question(meant)
    case .missingValue(let option): "option '\(option)' needs a value"
    case .missingOption(let option): "option \(option) is required"
    case .missingOperand(let name): "missing \(name)"
    case .unexpectedOperand(let operand): "unexpected argument '\(operand)'"
    case .invalidValue(let value, let name, let expected):
      "invalid value '\(value)' for \(name): expected \(expected)"
    case .invalidAddress(let name, let reason): "invalid address for \(name): \(reason)"
    case .readsNoServer:
      "it reads files; a server is read by the dashboard, snapshot, stats, export and doctor"
    case .invalidMapping(let text, let reason):
      "invalid value '\(text)' for --map: \(reason); expected \(LineMappingError.expected)"
    case .invalidCondition(let text, let name, let place, let reason):
      "invalid value '\(text)' for \(name), at character \(place): \(reason)"
    case .conflict(let one, let other): "\(one) cannot be combined with \(other)"
    case .needs(let one, let other): "\(one) needs \(other)"
    case .emptyWindow(let from, let to): "\(from) is after \(to): there is no time between them"
    case .invalidQuery(_, let name, let error): "invalid \(name): \(SafeText.sanitized(error.message))"
    }
  }

  /// Further lines that point at the error; none if the message is enough.
  package var picture: [String] {
    guard case .invalidQuery(let text, _, let error) = self else { return [] }
    return error.caret(in: text) { SafeText.width(of: String($0)) }.split(separator: "\n").map {
      SafeText.sanitized(String($0))
    }
  }

}
