import Codecs
import Essentials
import Platform

/// A command line split into options and operands.
struct ScannedOptions: Sendable, Equatable {
  /// The options in order; a flag has an empty value.
  var options: [Option] = []
  /// The arguments that are not options, in order.
  var operands: [String] = []

  struct Option: Sendable, Equatable {
    let name: String
    let value: String
  }

  /// The last value given for an option; `nil` if it was not given.
  func value(_ option: CommandOption) -> String? { options.last { $0.name == option.name }?.value }

  /// All values given for an option, in order.
  func values(_ option: CommandOption) -> [String] {
    options.filter { $0.name == option.name }.map(\.value)
  }

  func has(_ option: CommandOption) -> Bool { value(option) != nil }
}

/// Splits a command line like GNU programs: options and operands in any order, only operands after `--`, values as
/// `--name=value` or `--name value`, unambiguous abbreviations of names, and combined short options (`-hV`).
enum OptionScanner {
  /// Splits `arguments` (without the program's name).
  ///
  /// - Throws: `UsageError` for an option that is not in `options` or lacks its value.
  static func scan(_ arguments: [String], options: [CommandOption]) throws(UsageError) -> ScannedOptions {
    var result = ScannedOptions()
    var rest = arguments[...]
    while let argument = rest.popFirst(), argument != "--" {
      if argument.hasBytePrefix("--") {
        result.options.append(try named(argument, options, &rest))
      } else if argument.hasBytePrefix("-"), argument != "-", !isNegativeNumber(argument) {
        result.options += try letters(argument, options)
      } else {
        result.operands.append(argument)
      }
    }
    result.operands += rest
    return result
  }

  private static func named(
    _ argument: String, _ options: [CommandOption], _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> ScannedOptions.Option {
    let text = argument.utf8.dropFirst(2)
    let name = String(Substring(text.prefix { $0 != UInt8(ascii: "=") }))
    let value = text.firstIndex(of: UInt8(ascii: "=")).map { String(Substring(text[$0...].dropFirst())) }
    let meant =
      options.first { $0.name == name }
      ?? options.only { $0.name.hasBytePrefix(name) }
    guard let meant, meant.value != nil || value == nil else { throw unknown(argument, options) }
    guard meant.value != nil else { return .init(name: meant.name, value: "") }
    guard let value = value ?? rest.popFirst() else { throw .missingValue(option: argument) }
    return .init(name: meant.name, value: value)
  }

  private static func letters(
    _ argument: String, _ options: [CommandOption]
  ) throws(UsageError) -> [ScannedOptions.Option] {
    try argument.dropFirst().map { letter throws(UsageError) in
      guard let meant = options.first(where: { $0.letter == letter }) else {
        throw unknown(argument, options)
      }
      return .init(name: meant.name, value: "")
    }
  }

  /// A negative number is an operand: no option starts with a digit.
  private static func isNegativeNumber(_ text: String) -> Bool {
    text.utf8.dropFirst().first.map { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") } == true
  }

  private static func unknown(_ argument: String, _ options: [CommandOption]) -> UsageError {
    let name = argument.drop { $0 == "-" }.prefix { $0 != "=" }
    let meant = Suggestion.closest(to: String(name), among: options.map(\.name))
    return .unknownOption(argument, meant: meant.map { "--" + $0 })
  }
}

extension [CommandOption] {
  /// The only element that satisfies a condition; `nil` if there are none or several.
  fileprivate func only(_ condition: (CommandOption) -> Bool) -> CommandOption? {
    let found = filter(condition)
    return found.count == 1 ? found[0] : nil
  }
}
