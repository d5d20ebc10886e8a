/// An option of a command, for parsing and for the help.
package struct CommandOption: Sendable, Equatable {
  /// The name after `--`.
  let name: String
  /// The placeholder of its value in the help; `nil` for a flag.
  let value: String?
  /// A short description for the help.
  let help: String
  /// The short form, a single letter.
  let letter: Character?
  /// The values that a shell offers.
  let completion: Completion

  /// - Parameter completion: By default files for a placeholder that names them, and nothing for others.
  init(
    _ name: String, _ value: String? = nil, letter: Character? = nil, completion: Completion? = nil,
    help: String
  ) {
    self.name = name
    self.completion = completion ?? (["FILE", "FOLDER", "PATH"].contains(value) ? .files : .nothing)
    self.value = value
    self.letter = letter
    self.help = help
  }

  /// The option as typed.
  var flag: String { "--" + name }

  /// The option as the help shows it, with its letter and its value.
  var title: String { (letter.map { "-\($0), " } ?? "") + flag + (value.map { "=" + $0 } ?? "") }

  /// The accepted words; none for other values.
  var words: [String] { if case .words(let words) = completion { words } else { [] } }
}

// MARK: Shared options

extension CommandOption {
  static let help = CommandOption("help", letter: "h", help: "show this help and exit")

  static let version = CommandOption("version", letter: "V", help: "print the version and exit")

  static let store = CommandOption(
    "store", "FILE", help: "the metrics file to use instead of $MISTERTOP_STORE or the default store")

  static let noIndex = CommandOption(
    "no-index", help: "do not read or write indexes of files")

  static let config = CommandOption(
    "config", "FILE", help: "the configuration to use instead of $MISTERTOP_CONFIG or the default one")

  static let zone = CommandOption(
    "zone", "ZONE", completion: .zones,
    help: "the time zone of times without one: a name such as Europe/Berlin, or +hh:mm (default: UTC)")

  static let map = CommandOption(
    "map", "MAPPING",
    help:
      "how to read other JSON lines: time=MEMBER[:s|ms|us|ns|iso] and, after commas, name=MEMBER, value=MEMBER, zone=ZONE or as=text; or a name of the configuration"
  )

  static let poll = CommandOption(
    "poll", "SECONDS",
    help: "look at the files this often instead of waiting for events (default on network mounts: 1)")

  static let texts = CommandOption(
    "as", "text", completion: .words(["text"]),
    help: "keep numbers and durations in quotes as texts, in logs and mapped lines")

  static let authorities = CommandOption(
    "ca", "FILE", help: "the trusted certificates of the server, instead of the system's")

  static func seed(_ help: String) -> CommandOption { CommandOption("seed", "N", help: help) }
}
