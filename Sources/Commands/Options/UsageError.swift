/// What is wrong with a command line.
///
/// These are the facts; `message` is the one place where they become words.
package enum UsageError: Error, Equatable, Sendable {
  case unknownCommand(String)
  case unknownOption(String)
  case missingValue(option: String)
  case missingOperand(String)
  case tooManyOperands(String)
  case badValue(option: String, value: String, expected: String)
  case contradiction(String, String)

  /// One line for the person, without the program's name.
  package var message: String {
    switch self {
    case .unknownCommand(let name): "there is no command or file '\(name)'"
    case .unknownOption(let option): "there is no option '\(option)'"
    case .missingValue(let option): "the option '\(option)' needs a value"
    case .missingOperand(let name): "\(name) is missing"
    case .tooManyOperands(let operand): "'\(operand)' is one argument too many"
    case .badValue(let option, let value, let expected): "'\(value)' is no value for \(option): \(expected)"
    case .contradiction(let one, let other): "\(one) and \(other) do not go together"
    }
  }
}
