import CGetopt
import Codecs
import Essentials
import Platform

/// A command line split into options and operands.
struct ScannedOptions: Sendable, Equatable {
  /// The options in order; a flag has an empty value.
  var options: [Option] = []
  /// The arguments that are no options, in order.
  var operands: [String] = []

  struct Option: Sendable, Equatable {
    let name: String
    let value: String
  }

  /// The value of an option that was given last; `nil` if it was not given.
  func value(_ option: CommandOption) -> String? { options.last { $0.name == option.name }?.value }

  /// All values of an option, in order.
  func values(_ option: CommandOption) -> [String] {
    options.filter { $0.name == option.name }.map(\.value)
  }

  /// True if an option was given.
  func has(_ option: CommandOption) -> Bool { value(option) != nil }
}

/// Splits a command line with the system's `getopt_long`.
enum OptionScanner {
  /// `getopt_long` keeps its place in variables of the whole process.
  private static let lock = Locked(())

  /// Splits `arguments` (without the program's name).
  ///
  /// - Throws: `UsageError` for an option that is not in `options` or lacks its value.
  static func scan(_ arguments: [String], options: [CommandOption]) throws(UsageError) -> ScannedOptions {
    try lock.withLock { _ throws(UsageError) in try scanAlone(arguments, options) }
  }

  private static func scanAlone(
    _ arguments: [String], _ options: [CommandOption]
  ) throws(UsageError) -> ScannedOptions {
    // A negative number is an operand: no option starts with a digit.
    let guarded = arguments.map { isNegativeNumber($0) ? negativeMark + $0 : $0 }
    var storage = (["mistertop"] + guarded).map { strdup($0) }
    defer { storage.forEach { free($0) } }
    storage.append(nil)
    let names = options.map { strdup($0.name) }
    defer { names.forEach { free($0) } }
    var table = zip(options, names).map { known, name in
      option(name: UnsafePointer(name), has_arg: known.value == nil ? 0 : 1, flag: nil, val: known.code)
    }
    table.append(option())
    return try walk(&storage, table, options)
  }

  private static let negativeMark = "\u{1}"

  private static func isNegativeNumber(_ text: String) -> Bool {
    text.first == "-" && text.dropFirst().first.map { $0.isASCII && ($0.isNumber || $0 == ".") } == true
  }

  private static func walk(
    _ storage: inout [UnsafeMutablePointer<CChar>?], _ table: [option], _ options: [CommandOption]
  ) throws(UsageError) -> ScannedOptions {
    var result = ScannedOptions()
    let count = Int32(storage.count - 1)
    var place: Int32 = 1
    let letters = ":" + options.compactMap { $0.letter.map { String($0) } }.joined()
    mistertop_getopt_start()
    while true {
      var index: Int32 = -1
      var value: UnsafePointer<CChar>?
      let before = Int(place)
      let found = mistertop_getopt_next(count, &storage, letters, table, &place, &index, &value)
      if found == -1 { break }
      let byLetter = options.first { found != 0 && $0.code == found }
      guard let match = options.indices.contains(Int(index)) ? options[Int(index)] : byLetter,
        found == match.code
      else { throw fault(found, between: before, and: Int(place), storage, options) }
      let text = value.map { String(cString: $0) } ?? ""
      result.options.append(.init(name: match.name, value: unguarded(text)))
    }
    for index in Int(place)..<max(Int(place), Int(count)) {
      result.operands.append(unguarded(storage[index].map { String(cString: $0) } ?? ""))
    }
    return result
  }

  private static func unguarded(_ text: String) -> String {
    text.hasPrefix(negativeMark) ? String(text.dropFirst()) : text
  }

  /// The argument that `getopt_long` could not take: the last one it consumed that looks like an option.
  private static func fault(
    _ found: Int32, between before: Int, and after: Int, _ storage: [UnsafeMutablePointer<CChar>?],
    _ options: [CommandOption]
  ) -> UsageError {
    let taken = [after - 1, after, before].filter { storage.indices.contains($0) && $0 > 0 }
    let texts = taken.compactMap { storage[$0].map { String(cString: $0) } }
    let text = texts.first { $0.hasPrefix("-") } ?? texts.first ?? ""
    if found == Int32(UInt8(ascii: ":")) { return .missingValue(option: text) }
    let name = text.drop { $0 == "-" }.prefix { $0 != "=" }
    let meant = Suggestion.closest(to: String(name), among: options.map(\.name))
    return .unknownOption(text, meant: meant.map { "--" + $0 })
  }
}
