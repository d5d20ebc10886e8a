import CGetopt
import Foundation

/// An option of a subcommand, as it is parsed and as it is explained.
struct OptionSpec: Sendable {
  /// The name behind `--`.
  let name: String
  /// What its value is called in the help; `nil` for an option without one.
  let value: String?
  /// What it does, in a few words.
  let help: String
  /// A letter that stands for the name.
  let letter: Character?

  init(_ name: String, _ value: String? = nil, letter: Character? = nil, help: String) {
    self.name = name
    self.value = value
    self.letter = letter
    self.help = help
  }

  /// The letter as `getopt_long` has it; 0 without one.
  var code: Int32 { letter?.asciiValue.map(Int32.init) ?? 0 }
}

/// What a command line consists of once the options are taken out.
struct ScannedOptions: Equatable {
  /// The options in order; a flag has an empty value.
  var options: [Option] = []
  /// What is left, in order.
  var operands: [String] = []

  struct Option: Equatable {
    let name: String
    let value: String
  }

  /// The value of an option that was given last, `nil` if it was not given.
  func value(_ name: String) -> String? { options.last { $0.name == name }?.value }

  /// Whether an option was given.
  func has(_ name: String) -> Bool { value(name) != nil }
}

/// Splits a command line with the system's `getopt_long`.
enum OptionScanner {
  /// `getopt_long` keeps its place in variables of the whole process.
  private static let lock = NSLock()

  /// Splits `arguments` (without the program's name).
  ///
  /// - Throws: `UsageError` for an option that is not in `specs` or lacks its value.
  static func scan(_ arguments: [String], specs: [OptionSpec]) throws(UsageError) -> ScannedOptions {
    lock.lock()
    defer { lock.unlock() }
    // A number below zero is an operand: no option of ours begins with a digit.
    let guarded = arguments.map { isNegativeNumber($0) ? negativeMark + $0 : $0 }
    var storage = (["mistertop"] + guarded).map { strdup($0) }
    defer { storage.forEach { free($0) } }
    storage.append(nil)
    let names = specs.map { strdup($0.name) }
    defer { names.forEach { free($0) } }
    var table = zip(specs, names).map { spec, name in
      option(name: UnsafePointer(name), has_arg: spec.value == nil ? 0 : 1, flag: nil, val: spec.code)
    }
    table.append(option())
    return try walk(&storage, table, specs)
  }

  private static let negativeMark = "\u{1}"

  private static func isNegativeNumber(_ text: String) -> Bool {
    text.first == "-" && text.dropFirst().first.map { $0.isASCII && ($0.isNumber || $0 == ".") } == true
  }

  private static func walk(
    _ storage: inout [UnsafeMutablePointer<CChar>?], _ table: [option], _ specs: [OptionSpec]
  ) throws(UsageError) -> ScannedOptions {
    var result = ScannedOptions()
    let count = Int32(storage.count - 1)
    var place: Int32 = 1
    let letters = ":" + specs.compactMap { $0.letter.map { String($0) } }.joined()
    mistertop_getopt_start()
    while true {
      var index: Int32 = -1
      var value: UnsafePointer<CChar>?
      let before = Int(place)
      let found = mistertop_getopt_next(count, &storage, letters, table, &place, &index, &value)
      if found == -1 { break }
      let byLetter = specs.first { found != 0 && $0.code == found }
      guard let spec = specs.indices.contains(Int(index)) ? specs[Int(index)] : byLetter,
        found == spec.code
      else { throw fault(found, between: before, and: Int(place), storage) }
      let text = value.map { String(cString: $0) } ?? ""
      result.options.append(.init(name: spec.name, value: unguarded(text)))
    }
    for index in Int(place)..<max(Int(place), Int(count)) {
      result.operands.append(unguarded(storage[index].map { String(cString: $0) } ?? ""))
    }
    return result
  }

  private static func unguarded(_ text: String) -> String {
    text.hasPrefix(negativeMark) ? String(text.dropFirst()) : text
  }

  /// Which argument `getopt_long` stumbled over: the last one that it took which looks like an option.
  private static func fault(
    _ found: Int32, between before: Int, and after: Int, _ storage: [UnsafeMutablePointer<CChar>?]
  ) -> UsageError {
    let taken = [after - 1, after, before].filter { storage.indices.contains($0) && $0 > 0 }
    let texts = taken.compactMap { storage[$0].map { String(cString: $0) } }
    let text = texts.first { $0.hasPrefix("-") } ?? texts.first ?? ""
    return found == Int32(UInt8(ascii: ":")) ? .missingValue(option: text) : .unknownOption(text)
  }
}
