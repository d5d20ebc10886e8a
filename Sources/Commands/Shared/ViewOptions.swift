package import DashboardCore
package import JSONLines
import QueryLanguage
package import TerminalUI

/// The user's choices for drawing the screen; `nil` leaves a choice to the configuration and the terminal.
package struct ViewOptions: Sendable, Equatable {
  package var colors: ColorDepth?
  package var glyphs: GlyphTier?
  /// True to print lines of text instead of drawing a screen.
  package var isLinear = false
  /// One of ``Theme/names``, or ``Theme/automatic``.
  package var theme: String?
  package var limits = LimitSet()
  /// The named configuration file; `nil` for the default one.
  package var configurationFile: String?
  /// The folder of the history indexes; `nil` to keep none.
  package var indexFolder: String?
  /// The mapping for lines in foreign formats; `nil` to recognize the format.
  package var mapping: LineMapping?
  /// True if there are no colors because of the variable `NO_COLOR`.
  var obeysNoColor = false
  /// Sentences about options that others override.
  var overridden: [String] = []
  /// Looks at files whose changes send no events.
  package var polling = PollOptions()
  /// True to draw sources with another clock by arrival.
  package var alignsToArrival = false
  /// The debug symbols that name the functions in call stacks.
  package var symbols = SymbolOptions()

  package init() {}

  /// The capabilities of the terminal, overridden by the user's choices.
  func capabilities(default found: Capabilities) -> Capabilities {
    var result = found
    if let colors { result.depth = min(colors, found.deepest) }
    if let glyphs {
      result.glyphs = found.repertoire == .ascii ? .ascii : glyphs
      if glyphs == .ascii { result.repertoire = .ascii }
    }
    return result
  }
}

// MARK: Command line

extension ViewOptions {
  private static let limit = CommandOption(
    "limit", "LIMIT",
    help:
      "alert when the 95th percentile exceeds bucket.name=400, or when 'api.* and p99 > 5ms for 10s bell' holds (repeatable)"
  )
  private static let linear = CommandOption(
    "linear", help: "lines of text and numbered menus instead of a screen (default if TERM is dumb)")
  private static let theme = CommandOption(
    "theme", "NAME", completion: .words(themes), help: Arguments.list(themes) + " (default: auto)")
  private static let themes = [Theme.automatic] + Theme.names
  private static let ascii = CommandOption("ascii", help: "draw with ASCII characters only")
  private static let colors = CommandOption(
    "colors", "DEPTH", completion: .words(ColorDepth.names.map(\.name)),
    help: "24bit, 256, 16 or none (default: what the terminal offers; NO_COLOR means none)")
  private static let glyphs = CommandOption(
    "glyphs", "TIER", completion: .cases(of: GlyphTier.self),
    help: "braille, blocks or ascii (default: what the terminal offers)")

  private static let align = CommandOption(
    "align", "CLOCK", completion: .words(["stamps", "arrival"]),
    help: "draw sources with another clock by their stamps or by arrival: stamps or arrival (default: stamps)"
  )

  /// The options of commands that show the dashboard interactively.
  static let interactive = options + [linear, .poll]
  static let options = [limit, theme, ascii, colors, glyphs, align, .config, .map, .zone, .texts, .noIndex]

  init(_ arguments: Arguments) throws(UsageError) {
    colors = try arguments.choice(Self.colors).flatMap(ColorDepth.init(name:))
    if colors == nil, !(arguments.environment.variables["NO_COLOR"] ?? "").isEmpty {
      colors = ColorDepth.none
      obeysNoColor = true
    }
    glyphs = try arguments.choice(Self.glyphs)
    isLinear = arguments.has(Self.linear)
    if arguments.has(Self.ascii) {
      if let glyphs, glyphs != .ascii { overridden.append("--ascii overrides --glyphs \(glyphs.rawValue)") }
      glyphs = .ascii
    }
    alignsToArrival = try arguments.choice(Self.align) == "arrival"
    theme = try arguments.choice(Self.theme)
    configurationFile = try arguments.fileName(.config)
    for text in arguments.values(Self.limit) { limits.set(try Self.limit(text)) }
    indexFolder = arguments.indexFolder
    mapping = try arguments.mapping
    polling = try arguments.polling
  }

  /// Parses `NAME=VALUE`, or a query that expresses a limit.
  private static func limit(_ text: String) throws(UsageError) -> MetricLimit {
    // The last equals sign: a name may contain others.
    if let sign = text.lastIndex(of: "="), let before = text[..<sign].last, !"<>!=".contains(before),
      let limit = LimitText.limit(of: String(text[..<sign]), String(text[text.index(after: sign)...]))
    {
      return limit
    }
    let expected =
      "a metric and a number, such as sync.push_ms=400, or a query, such as 'api.* and p95 > 400ms'"
    guard text.contains(where: { $0 == "<" || $0 == ">" }) else {
      throw .invalidValue(text, for: limit.flag, expected: expected)
    }
    let found: MetricLimit?
    do throws(QueryError) { found = try LimitText.limit(where: text) } catch {
      throw .invalidQuery(LimitText.spaced(text), for: limit.flag, error)
    }
    guard let found else { throw .invalidValue(text, for: limit.flag, expected: expected) }
    return found
  }
}

// MARK: Configuration

extension ViewOptions {
  /// The configuration that applies in addition to these options.
  ///
  /// A missing default file is not a problem; a missing named one is.
  func configuration(in environment: ProcessEnvironment) -> ConfigurationFile {
    let isNamed = configurationFile != nil || environment.namesConfiguration
    let path = configurationFile ?? environment.configurationFile
    let file = ConfigurationFile(path: path)
    return file.isThere || isNamed ? file : ConfigurationFile(path: "")
  }

  /// These options, completed by the configuration.
  func filled(from configuration: Configuration) -> ViewOptions {
    var view = self
    view.theme = theme ?? configuration.theme
    view.glyphs = glyphs ?? configuration.glyphs
    view.colors = colors ?? configuration.colors
    view.limits = limits.over(configuration.limits)
    return view
  }

  /// True if the theme is to match the terminal's background.
  var hasAutomaticTheme: Bool { theme ?? Theme.automatic == Theme.automatic }

  /// The theme for a terminal.
  ///
  /// - Parameter isLight: True if its background is light; `nil` if unknown.
  func theme(for capabilities: Capabilities, isLight: Bool? = nil) -> Theme {
    let suiting = Theme.name(isLight: isLight ?? false)
    return Theme(name: hasAutomaticTheme ? suiting : theme ?? suiting, capabilities: capabilities)
  }
}
