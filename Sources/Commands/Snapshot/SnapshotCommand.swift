import DashboardCore
import Essentials
package import HistogramScreen
import JSONLines
package import Platform
import QueryLanguage
package import TerminalUI

/// `mistertop snapshot [FILE]…`: prints one frame of the dashboard without a terminal.
package enum SnapshotCommand: Command {
  package static let name = "snapshot"
  package static let operands = "[FILE | FOLDER | ADDRESS]…"
  package static let summary = "Prints one frame of a screen as text."
  package static let examples = [
    CommandExample(
      "mistertop snapshot --size 80x24 metrics.jsonl",
      "one frame as text; --ansi or --svg for color"),
    CommandExample(
      "mistertop snapshot --screen history --window 20m --metric sync.push_ms metrics.jsonl",
      "the history of one metric"),
  ]
  package static let options =
    [screen, at, metric, SampleSelection.whereOption, sort, window, from, log, pin] + HistogramArguments.all
    + [size, ansi, svg, format]
    + ViewOptions.options + SymbolOptions.options + [.authorities]

  package static let readsServers = true

  private static let screen = CommandOption(
    "screen", "NAME", completion: .words(SnapshotScreen.names),
    help: "\(SnapshotScreen.help) (default: live; histogram for payloads)")
  private static let at = CommandOption(
    "at", "TIME", help: "the moment to show, as for --since of stats (default: the newest)")
  private static let metric = CommandOption(
    "metric", "NAME", completion: .metrics,
    help: "the metric that the screen shows, as name or bucket.name (default: the most significant one)")
  private static let sort = CommandOption(
    "sort", "ORDER", help: "the order of the rows, on live and history: a column; largest or smallest")
  private static let window = CommandOption(
    "window", "AGE", help: "how much time it shows, such as 20m (default: all; 2m on live)")
  private static let from = CommandOption(
    "from", "TIME", help: "where the time of --window begins, on history (default: around the moment)")
  private static let log = CommandOption("log", help: "a logarithmic value axis, on live and history")
  private static let pin = CommandOption(
    "pin", "NAME", completion: .metrics,
    help: "a bucket.name whose curve is drawn too, on live and history (repeatable)")
  private static let size = CommandOption(
    "size", "WxH", help: "columns and rows (default: those of the output or $COLUMNS and $LINES, or 120x36)")
  private static let ansi = CommandOption("ansi", help: "in color, as escape sequences")
  private static let svg = CommandOption("svg", help: "as an SVG image")

  private static let format = CommandOption(
    "format", "FORMAT", completion: .cases(of: TableFormat.self),
    help: "with --overview: its figures and all call trees as json, csv or markdown")

  package enum Form: Sendable, Equatable { case text, ansi, svg, table(TableFormat) }

  package struct Request: Sendable, Equatable {
    package var paths: [String]
    /// The server that is read instead of files.
    package var server: ServerOperand?
    package var size: Size
    package var form: Form
    package var view: ViewOptions
    /// The files as named on the command line, where they are not those that are read.
    package var operands: [String] = []
    /// The operands that are read from other files, by the paths of those.
    package var spooled: [String: String] = [:]
    /// The payload files, or parts of them, that could not be read.
    package var problems: [String] = []
    /// The name of the requested screen; `nil` for the one that suits the files.
    package var screen: String?
    /// The time that the screen shows; `nil` for the latest.
    package var moment: Timestamp?
    /// The `bucket.name` that the history or the histogram shows; `nil` for the first one.
    package var metric: String?
    /// The options of the histogram.
    package var histogram = HistogramOptions()
    /// True if everything that payloads contain is shown, instead of one histogram.
    package var isOverview = false
    /// The filter and the order of the rows; `nil` for the default.
    package var filter: String?
    package var sort: String?
    /// The length of the history's window in seconds; `nil` for the whole history.
    package var window: Double?
    /// The start of the history's window; `nil` for a window around the requested time.
    package var start: Timestamp?
    /// True if the value axis of charts is logarithmic.
    package var isLogarithmic = false
    /// The configuration that completes the options.
    package var configuration = Configuration()
    /// The `bucket.name` of each metric whose curve is drawn beside the shown one.
    package var pins: [String] = []

    package init(paths: [String], size: Size, form: Form, view: ViewOptions) {
      self.paths = paths
      self.size = size
      self.form = form
      self.view = view
    }
  }

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    let table: TableFormat? = try arguments.choice(format)
    let form = table.map(Form.table) ?? (arguments.has(svg) ? .svg : arguments.has(ansi) ? .ansi : .text)
    var request = Request(
      paths: arguments.files, size: try size(arguments), form: form, view: try ViewOptions(arguments))
    request.server = try arguments.server
    request.view.symbols = try SymbolOptions(arguments)
    request.metric = arguments.value(metric)
    request.histogram = try HistogramArguments.options(arguments)
    request.histogram.metric = request.metric
    request.isOverview = arguments.has(HistogramArguments.overview)
    request.filter = try arguments.query(SampleSelection.whereOption, knowing: .screen)?.text
    request.sort = arguments.value(sort)
    (request.isLogarithmic, request.pins) = (arguments.has(log), arguments.values(pin))
    request.screen = try screen(arguments)
    if request.filter != nil, let chosen = request.screen, !["live", "history", "delivery"].contains(chosen) {
      throw .conflict("--where", "--screen \(chosen), which has no rows")
    }
    request.moment = try arguments.time(at)
    request.start = try arguments.time(from)
    request.window = try arguments.value(window, expecting: "a duration such as 90s, 20m, 2h or 30d") {
      text in
      TimeArgument.age(text).flatMap { $0 > 0 ? $0 : nil }
    }
    try checkStart(of: request)
    return request
  }

  /// The options that apply only to some screens, with those screens.
  private static let screensOfOptions: [(option: CommandOption, screens: [String])] =
    HistogramArguments.all.map { ($0, [HistogramArguments.screen]) } + [
      (from, ["history"]), (log, ["live", "history"]), (pin, ["live", "history"]),
      (window, ["live", "history", "histogram"]),
    ]

  /// The named screen, or else the only one that an option applies to.
  ///
  /// - Throws: `UsageError` if an option does not apply to the screen, because it would be ignored silently.
  private static func screen(_ arguments: Arguments) throws(UsageError) -> String? {
    var chosen = try arguments.choice(screen)
    var reason = screen.flag + " " + (chosen ?? "")
    for (option, screens) in screensOfOptions where arguments.has(option) {
      if let chosen {
        guard screens.contains(chosen) else { throw .conflict(option.flag, reason) }
      } else if screens.count == 1 {
        (chosen, reason) = (screens[0], option.flag)
      }
    }
    return chosen
  }

  /// A start without a length is not a window, and a window must contain the requested time to be shown.
  private static func checkStart(of request: Request) throws(UsageError) {
    guard let start = request.start else { return }
    guard let length = request.window else { throw .needs(from.flag, window.flag) }
    guard let moment = request.moment, moment < start || moment > start + length else { return }
    throw .conflict(from.flag, "an \(at.flag) that is not in that time")
  }

  private static func size(_ arguments: Arguments) throws(UsageError) -> Size {
    let expected = "columns x rows, each from 1 to 1000, such as 80x24"
    return try arguments.value(size, expecting: expected) { text in
      let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
      guard parts.count == 2, let width = parts[0], let height = parts[1] else { return nil }
      guard (1...1000).contains(width), (1...1000).contains(height) else { return nil }
      return Size(width: width, height: height)
    } ?? usualSize(arguments.environment)
  }

  /// The size where none is given: that of the output, if it is known.
  static func usualSize(_ environment: ProcessEnvironment) -> Size {
    Size(width: environment.columns ?? 120, height: environment.rows ?? 36)
  }

  package static func run(_ request: Request, in context: CommandContext) async -> ExitCode {
    let operands = PayloadOperands(request.view.mapping?.time == nil ? request.paths : [])
    let file = request.view.configuration(in: context.environment)
    if let sentence = file.sentence { context.console.writeError("mistertop snapshot: \(sentence)") }
    var request = request
    request.view = request.view.filled(from: file.configuration)
    request.configuration = file.configuration
    if request.server != nil { return Snapshot(request).run(console: context.console) }
    guard operands.payloads.isEmpty else {
      // The temporary store of the payloads is removed however the command ends.
      context.startGuard()
      return await PayloadSession(operands: operands, context: context).print(request)
    }
    if request.mayOpenOverview, PayloadDetection.areStoresOfPayloads(request.paths) {
      request.showPayloads(of: operands)
    }
    guard SpooledOperands.isNeeded(for: request.paths) else {
      return Snapshot(request).run(console: context.console)
    }
    context.startGuard()
    return await spooled(request, in: context)
  }

  /// Prints a frame of standard input and packed files through spool files.
  @MainActor private static func spooled(_ request: Request, in context: CommandContext) async -> ExitCode {
    // Makes the file size limit an error instead of a fatal signal that leaves the folder behind.
    signal(SIGXFSZ, SIG_IGN)
    do {
      return try await TemporaryStore.with("", context.host) { folder in
        let operands = SpooledOperands(request.paths, in: folder)
        var isWhole = true
        for (name, spool) in operands.spools {
          if let note = try spool.run() {
            context.console.writeError("mistertop snapshot: \(SafeText.sanitized(name)): \(note)")
            isWhole = false
          }
        }
        var request = request
        request.paths = operands.paths
        for (name, spool) in operands.spools { request.spooled[spool.path] = name }
        if operands.spools.count == operands.paths.count { request.view.indexFolder = nil }
        return Snapshot(request).run(console: context.console, ofAll: isWhole)
      }
    } catch {
      context.console.writeError("mistertop snapshot: \(FileErrorFormatter.sentence(error))")
      return .failed
    }
  }
}
