import CHeap
import ClickHouse
import Dashboard
import DashboardCore
import Essentials
import History
import JSONLines
import Platform
import Symbolication
import TelemetryCore
import TerminalUI

/// The dashboard on a terminal, from opening it until the user quits.
@MainActor
struct DashboardSession {
  let paths: [String]
  /// The server that is read instead of files; `nil` for files.
  private let server: ServerOperand?
  let context: CommandContext
  /// Runs the simulation that the Sync screen controls; `nil` for a session without one.
  private let simulator: (any Simulator)?
  /// The name of the initial screen; `nil` for the first one.
  private let screen: String?
  /// A message to show at the start; `nil` for none.
  private let message: String?
  /// The named payload files and the other files named with them; empty if there are only metrics files.
  private let operands: [String]
  /// The payload files, or parts of them, that could not be read.
  private let problems: [String]
  /// Marks that appear on their own when their time comes, sorted by time.
  private let story: [HistoryNotes.Mark]

  /// The options from the command line.
  private let options: ViewOptions
  private let file: ConfigurationFile
  /// The command-line options, completed by the configuration.
  private let view: ViewOptions

  init(
    paths: [String], server: ServerOperand? = nil, view: ViewOptions, context: CommandContext,
    simulator: (any Simulator)? = nil,
    screen: String? = nil, message: String? = nil, operands: [String] = [], problems: [String] = [],
    story: [HistoryNotes.Mark] = []
  ) {
    (self.paths, self.server, self.context, options) = (paths, server, context, view)
    (self.simulator, self.screen, self.message, self.operands) = (simulator, screen, message, operands)
    (self.story, self.problems) = (story, problems)
    file = view.configuration(in: context.environment)
    self.view = view.filled(from: file.configuration)
  }

  /// Spools that feed some of the files while they are shown, by operand name.
  var spools: [(name: String, spool: Spool)] = []

  private var environment: ProcessEnvironment { context.environment }

  /// True if the files are stores of nothing but payloads, which open on the overview.
  private var isStoreOfPayloads: Bool {
    view.mapping?.time == nil && PayloadDetection.areStoresOfPayloads(paths)
  }

  /// Runs until the user quits; without a terminal, prints one frame and the reason.
  func run() -> ExitCode {
    let terminal: HostTerminal
    do throws(TerminalUnavailable) {
      terminal = try openTerminal()
    } catch {
      return printFrame(because: error)
    }
    LogFile(path: environment.logFile).redirectMetricLog()
    heap_keep_together()
    Posix.raiseDescriptorLimit()
    let access = HistoryAccess(indexFolder: view.indexFolder)
    let remote = server.map { RemoteFeed($0, name: paths.first ?? "", environment.variables) }
    remote?.start()
    defer { remote?.stop() }
    let ingest = Ingest(
      sources: server == nil ? TailSource.sources(paths: paths) : [], index: access.cache,
      mapping: view.mapping, polling: view.polling)
    let problem = startSpools(reportTo: ingest)
    defer { for entry in spools { entry.spool.stop() } }
    if remote == nil { ingest.start() }
    let history = historyFeed(access)
    history?.start()
    let notebook = Notebook(folder: environment.notesFolder, paths: paths)
    var machine = Program.Environment.machine
    let writer = SessionTestWriter(folder: Posix.workingFolder)
    machine.write = writer.write
    let program = Program(
      backend: terminal.backend, feed: remote ?? ingest, history: history, simulator: simulator,
      model: model(for: terminal, notebook, problem), environment: machine, keep: notebook.keep)
    program.run()
    terminal.backend.perform(.close)
    history?.stop()
    ingest.stop()
    if isKept, program.model.session.isTouched {
      let notes = program.model.keptNotes
      // The screen is gone, so a failure could not be shown.
      if notes != program.model.session.notes { _ = notebook.keep(notes) }
    }
    context.console.write(program.model.receipt.map { $0 + "\n" }.joined())
    return program.hasLostTerminal ? .failed : .success
  }

  private func openTerminal() throws(TerminalUnavailable) -> HostTerminal {
    // No box drawing and no braille, whatever the terminal supports.
    let linear = HostTerminal(
      backend: LinearTerminal(write: context.console.write),
      capabilities: Capabilities(depth: .none, glyphs: .ascii))
    if view.isLinear { return linear }
    do throws(TerminalUnavailable) {
      return try context.host.openTerminal(environment: environment.variables) { sentence in
        context.console.writeError("mistertop: \(sentence)")
      }
    } catch {
      guard !error.isRedirected, environment.variables["TERM"] == "dumb",
        !spools.contains(where: { $0.name == "-" })
      else { throw error }
      return linear
    }
  }

  /// Starts the spools.
  ///
  /// Whatever is missing at the end of a source becomes a feed event.
  ///
  /// - Returns: The reason if a source cannot be spooled.
  private func startSpools(reportTo ingest: Ingest) -> String? {
    var problem: String?
    for (name, spool) in spools {
      let source = name == "-" ? "standard input" : name
      do throws(FileFailure) {
        try spool.start { [weak ingest] text in ingest?.tell(text, of: spool.path) }
      } catch {
        problem = "\(source) \(error.text)"
      }
    }
    return problem
  }

  /// True if the view is saved for the next session: not for simulations and payload files, whose data is gone by then.
  private var isKept: Bool { simulator == nil && operands.isEmpty }

  private func model(for terminal: HostTerminal, _ notebook: Notebook, _ problem: String?) -> Model {
    let last = isKept ? notebook.notes.last : LastView()
    var view = view
    view.limits = options.limits.over(file.configuration.limits.with(last.limits))
    view.theme = options.theme ?? last.theme ?? view.theme
    let isLight = BackgroundReply.isLight(colorFGBG: environment.variables["COLORFGBG"])
    let capabilities = view.capabilities(default: terminal.capabilities)
    let theme = view.theme(for: capabilities, isLight: isLight)
    var model = Model(
      size: terminal.backend.size, now: Program.Environment.machine.now(), theme: theme,
      limits: view.limits, notes: notebook.notes, scenarios: simulator?.scenarios ?? [:],
      keys: file.configuration.keys)
    file.configuration.apply(to: &model.session)
    model.restore(last)
    model.session.followsBackground = view.hasAutomaticTheme
    model.session.followsColors = view.colors == nil
    model.session.followsGlyphs = view.glyphs == nil
    terminal.backend.perform(.ask(questions(for: view, capabilities)))
    model.session.alignsToArrival = view.alignsToArrival
    model.session.operands = operands
    for (name, spool) in spools { model.session.spooled[spool.path] = name }
    model.session.symbols = view.symbols.makeSymbolicator()
    model.session.story = story
    if terminal.backend is LinearTerminal { model.linear = LinearReader() }
    model.session.unreadPayloads = problems.map { FeedRejection(payloads: $0) }
    if !operands.isEmpty {
      model.open(.payloads(PayloadOperands(operands).comparedFiles))
    } else if screen == nil, last.screen == nil, file.configuration.start == nil, isStoreOfPayloads {
      model.open(.payloads(nil))
    } else if let screen = screen ?? (last.screen == nil ? file.configuration.start : nil) {
      model.show(screen)
    }
    let problems = [problem ?? message ?? file.sentence ?? notebook.problem].compactMap(\.self)
    let sentences = problems + overriddenChoices(on: terminal)
    if !sentences.isEmpty { _ = update(&model, .said(sentences.joined(separator: "; "))) }
    return model
  }

  /// The facts that the terminal is asked for: those that no choice decides.
  private func questions(for view: ViewOptions, _ capabilities: Capabilities) -> TerminalQuestions {
    var questions: TerminalQuestions = []
    if view.hasAutomaticTheme { questions.insert(.background) }
    if view.colors == nil { questions.insert(.colors) }
    if capabilities.glyphs != .ascii { questions.insert(.signs) }
    return questions
  }

  private func overriddenChoices(on terminal: HostTerminal) -> [String] {
    guard !(terminal.backend is LinearTerminal) else { return options.overriddenWithoutScreen }
    return options.overriddenChoices(
      on: terminal.capabilities, configuration: file.configuration,
      locale: LocaleChoice(environment: environment.variables))
  }

  /// The history of the files; a pipe has none.
  private func historyFeed(_ access: HistoryAccess) -> HistoryFeed? {
    if let server {
      let interruption = ServerReader.Interruption()
      return HistoryFeed(interrupt: { interruption() }) { [variables = environment.variables] in
        ClickHouseSource(of: server, variables, interruption: interruption)
      }
    }
    guard paths.contains(where: { $0 != "-" }) else { return nil }
    return HistoryFeed { [paths, mapping = view.mapping, cache = access.cache] in
      cache?.removeLeftovers(now: .now())
      return IndexMaintainer(paths: paths, cache: cache, mapping: mapping)
    }
  }

  /// Prints a frame if output is redirected; reports an error if the terminal is unsuitable.
  private func printFrame(because error: TerminalUnavailable) -> ExitCode {
    let console = context.console
    guard error.isRedirected else {
      console.writeError("mistertop: \(error.message)")
      return .wrongUsage
    }
    console.writeError("mistertop: \(error.message), so this is one frame; see mistertop snapshot --help")
    if let message { console.writeError("mistertop: \(message)") }
    var request = SnapshotCommand.Request(
      paths: paths, size: SnapshotCommand.usualSize(context.environment), form: .text, view: view)
    request.server = server
    request.configuration = file.configuration
    if !operands.isEmpty || isStoreOfPayloads { request.showPayloads(of: PayloadOperands(operands)) }
    (request.operands, request.problems) = (operands, problems)
    for (name, spool) in spools { request.spooled[spool.path] = name }
    var isWhole = problems.isEmpty
    for (name, spool) in spools {
      do throws(FileFailure) {
        if let note = try spool.run() {
          console.writeError("mistertop: \(name): \(note)")
          isWhole = false
        }
      } catch {
        console.writeError("mistertop: \(name): \(error.text)")
        return .failed
      }
    }
    return Snapshot(request).run(console: console, ofAll: isWhole)
  }
}
