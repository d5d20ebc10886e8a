import Codecs
import JSONLines
import Platform

/// The arguments of one command: its options and operands, and the environment in which they are interpreted.
package struct Arguments: Sendable {
  private let scanned: ScannedOptions
  let environment: ProcessEnvironment

  init(_ scanned: ScannedOptions, environment: ProcessEnvironment) {
    self.scanned = scanned
    self.environment = environment
  }

  /// The remaining arguments after the options are removed, in order.
  var operands: [String] { scanned.operands }

  /// The last value given for an option; `nil` if it was not given.
  func value(_ option: CommandOption) -> String? { scanned.value(option) }

  /// All values given for an option, in order.
  func values(_ option: CommandOption) -> [String] { scanned.values(option) }

  func has(_ option: CommandOption) -> Bool { scanned.has(option) }
}

// MARK: Operands

extension Arguments {
  /// The named files and folders, each once.
  var namedFiles: [String] { FileOperands.unique(operands) }

  /// The named files, or else the default store.
  var files: [String] { operands.isEmpty ? [environment.defaultStore] : namedFiles }

  /// The metrics file given with `--store`, or else the default store.
  var store: String { value(.store) ?? environment.defaultStore }

  func rejectOperands(after count: Int = 0) throws(UsageError) {
    if operands.count > count { throw .unexpectedOperand(operands[count]) }
  }
}

// MARK: Values

extension Arguments {
  /// The value of an option, parsed by a function.
  ///
  /// - Parameters:
  ///   - expected: What the function accepts, for the error message.
  ///   - read: Returns `nil` for text that it cannot parse.
  func value<Value>(
    _ option: CommandOption, expecting expected: String, _ read: (String) -> Value?
  ) throws(UsageError) -> Value? {
    guard let text = value(option) else { return nil }
    guard let value = read(text) else {
      throw .invalidValue(text, for: option.flag, expected: expected)
    }
    return value
  }

  /// The accepted values of an option, with a suggestion for a misspelled one.
  private func expected(_ option: CommandOption) -> String {
    let question = value(option).map { Suggestion.question(about: $0, among: option.words) }
    return Self.list(option.words) + (question ?? "")
  }

  /// One of the option's words.
  func choice(_ option: CommandOption) throws(UsageError) -> String? {
    try value(option, expecting: expected(option)) { option.words.contains($0) ? $0 : nil }
  }

  /// The value whose raw value is one of the option's words.
  func choice<Value: RawRepresentable<String>>(_ option: CommandOption) throws(UsageError) -> Value? {
    try value(option, expecting: expected(option)) { Value(rawValue: $0) }
  }

  /// A nonempty file name.
  func fileName(_ option: CommandOption) throws(UsageError) -> String? {
    try value(option, expecting: "a file name") { $0.isEmpty ? nil : $0 }
  }

  func seed(_ option: CommandOption) throws(UsageError) -> UInt64? {
    try value(option, expecting: "a whole number from 0") { UInt64($0) }
  }

  /// A wall-clock time.
  func time(_ option: CommandOption) throws(UsageError) -> Timestamp? {
    try value(option, expecting: TimeArgument.expected) { TimeArgument.moment($0, now: environment.now) }
  }

  /// Seconds between two looks at the files; `nil` to wait for events where there are any.
  var polling: PollOptions {
    get throws(UsageError) {
      let allowed = PollOptions.allowed
      let seconds = try value(.poll, expecting: "a number of seconds from 0.1 to 3600") { text in
        Double(text).flatMap { allowed.contains($0) ? $0 : nil }
      }
      return PollOptions(forced: seconds)
    }
  }

  /// A time zone, by name or as an offset from UTC.
  func zone(_ option: CommandOption) throws(UsageError) -> ZoneOffsets? {
    guard let text = value(option) else { return nil }
    guard let zone = ZoneOffsets(text: text) else {
      let meant = Suggestion.question(ZoneName.closest(to: text))
      throw .invalidValue(text, for: option.flag, expected: ZoneOffsets.expected + meant)
    }
    return zone
  }

  /// The mapping for lines in foreign formats, with the zone of their times; `nil` to recognize the format.
  ///
  /// A word without an equals sign names one of the maps in the configuration.
  var mapping: LineMapping? {
    get throws(UsageError) {
      let keepsTexts = try choice(.texts) != nil
      let (given, zone) = (try givenMapping, try zone(.zone))
      guard keepsTexts || zone != nil else { return given }
      var mapping = given ?? LineMapping()
      if keepsTexts { mapping.keepsTexts = true }
      // A map that names a zone of its own keeps it.
      if mapping.zone == nil { mapping.zone = zone }
      return mapping
    }
  }

  private var givenMapping: LineMapping? {
    get throws(UsageError) {
      guard let given = value(.map) else { return nil }
      let text = try given.contains("=") ? given : map(named: given)
      do throws(LineMappingError) { return try LineMapping.parse(text) } catch {
        throw .invalidMapping(text, reason: error.message)
      }
    }
  }

  /// The folder of the history indexes; `nil` to keep none.
  var indexFolder: String? { has(.noIndex) ? nil : environment.indexFolder }

  /// `a, b or c`.
  static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}
