package import JSONLines
package import TerminalUI

/// How the user wants the screen drawn; `nil` leaves it to the terminal.
package struct ViewOptions: Sendable, Equatable {
  package var colors: ColorDepth?
  package var glyphs: GlyphTier?
  /// The highest 95th percentile that a metric may have, by `bucket.name`, in the metric's unit.
  package var limits: [String: Double] = [:]
  /// Whether lines of text take the place of the screen.
  package var isLinear = false
  /// Where the indexes of files are kept; `nil` to keep none.
  package var indexFolder: String?
  /// How lines that are not those of MisterMetrics are read; `nil` to recognize them.
  package var mapping: LineMapping?

  package init() {}

  /// What the terminal offers, with what the user chose instead.
  func capabilities(default found: Capabilities) -> Capabilities {
    var result = found
    if let colors { result.depth = colors }
    if let glyphs {
      result.glyphs = glyphs
      if glyphs == .ascii { result.repertoire = .ascii }
    }
    return result
  }
}

// MARK: Command line

extension ViewOptions {
  private static let limit = CommandOption(
    "limit", "NAME=VALUE",
    help: "alert when the 95th percentile of bucket.name is above VALUE (repeatable)")
  private static let linear = CommandOption(
    "linear", help: "lines of text and numbered menus in place of a screen (usual where TERM is dumb)")
  private static let ascii = CommandOption("ascii", help: "draw with ASCII characters only")
  private static let colors = CommandOption(
    "colors", "DEPTH",
    help: "24bit, 256, 16 or none (default: what the terminal offers; NO_COLOR means none)")
  private static let glyphs = CommandOption(
    "glyphs", "TIER", help: "braille, blocks or ascii (default: what the terminal offers)")

  /// The options of what shows the dashboard to a person.
  static let interactive = options + [linear]
  static let options = [limit, ascii, colors, glyphs, .map, .noIndex]

  init(_ arguments: Arguments) throws(UsageError) {
    colors = try arguments.choice(
      Self.colors, of: ["24bit": .trueColor, "256": .indexed256, "16": .indexed16, "none": ColorDepth.none])
    if colors == nil, !(arguments.environment.variables["NO_COLOR"] ?? "").isEmpty {
      colors = ColorDepth.none
    }
    glyphs = try arguments.choice(
      Self.glyphs, of: ["braille": GlyphTier.braille, "blocks": .blocks, "ascii": .ascii])
    isLinear = arguments.has(Self.linear)
    if arguments.has(Self.ascii) { glyphs = .ascii }
    for text in arguments.values(Self.limit) {
      let (name, value) = try Self.limit(text)
      limits[name] = value
    }
    indexFolder = arguments.indexFolder
    mapping = try arguments.mapping
  }

  private static func limit(_ text: String) throws(UsageError) -> (name: String, value: Double) {
    // The last equals sign: a name may contain others.
    guard let sign = text.lastIndex(of: "="), sign > text.startIndex,
      let value = Double(text[text.index(after: sign)...]), value.isFinite
    else {
      throw .invalidValue(
        text, for: limit.flag, expected: "a metric and a number, such as sync.push_ms=400")
    }
    return (String(text[..<sign]), value)
  }
}
