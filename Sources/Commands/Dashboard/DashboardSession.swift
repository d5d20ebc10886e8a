import CHeap
import Dashboard
import History
import JSONLines
import Platform
import TerminalUI

/// The dashboard on a terminal, from its opening until the user quits.
@MainActor
struct DashboardSession {
  let paths: [String]
  let view: ViewOptions
  let context: CommandContext
  /// Runs the simulation that the Sync screen drives; without one it drives nothing.
  var simulator: (any Simulator)?
  /// The name of the screen that it opens on; `nil` for the first one.
  var screen: String?
  /// A message to show first; `nil` for none.
  var message: String?
  /// The payload files that were named, and whatever was named with them; empty for metrics files alone.
  var operands: [String] = []

  /// What is copied into some of the files while they are shown, by the names of the operands.
  var spools: [(name: String, spool: Spool)] = []

  private var environment: ProcessEnvironment { context.environment }

  /// Runs until the user quits; without a terminal, prints one frame and says why.
  func run() -> ExitCode {
    let terminal: HostTerminal
    do throws(TerminalUnavailable) {
      terminal = try openTerminal()
    } catch {
      return printFrame(because: error)
    }
    LogFile(path: environment.logFile).redirectMetricLog()
    heap_keep_together()
    let access = HistoryAccess(indexFolder: view.indexFolder)
    let ingest = Ingest(
      sources: TailSource.sources(paths: paths), index: access.cache, mapping: view.mapping)
    let problem = startSpools(reportTo: ingest)
    defer { for entry in spools { entry.spool.stop() } }
    ingest.start()
    let history = historyFeed(access)
    history?.start()
    let notebook = Notebook(folder: environment.notesFolder, paths: paths)
    let program = Program(
      backend: terminal.backend, feed: ingest, history: history, simulator: simulator,
      model: model(for: terminal, notebook, problem), environment: .machine, keep: notebook.keep)
    program.run()
    terminal.backend.perform(.close)
    history?.stop()
    ingest.stop()
    context.console.write(program.model.receipt.map { $0 + "\n" }.joined())
    return program.hasLostTerminal ? .failed : .success
  }

  private func openTerminal() throws(TerminalUnavailable) -> HostTerminal {
    // No box and no braille, whatever the terminal could show.
    let linear = HostTerminal(
      backend: LinearTerminal(write: context.console.write),
      capabilities: Capabilities(depth: .none, glyphs: .ascii))
    if view.isLinear { return linear }
    do throws(TerminalUnavailable) {
      return try context.host.openTerminal(environment: environment.variables)
    } catch {
      guard !error.isRedirected, environment.variables["TERM"] == "dumb" else { throw error }
      return linear
    }
  }

  /// Begins to copy; what is missing at the end of a source becomes an event of the feed.
  ///
  /// - Returns: Why one cannot be copied.
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

  private func model(for terminal: HostTerminal, _ notebook: Notebook, _ problem: String?) -> Model {
    let theme = Theme(capabilities: view.capabilities(default: terminal.capabilities))
    var model = Model(
      size: terminal.backend.size, now: Program.Environment.machine.now(), theme: theme,
      limits: view.limits, notes: notebook.notes, scenarios: simulator?.scenarios ?? [:])
    model.session.operands = operands
    if terminal.backend is LinearTerminal { model.linear = LinearReader() }
    if !operands.isEmpty {
      model.open(.payloads)
    } else if let screen {
      model.show(screen)
    }
    if let problem = problem ?? message ?? notebook.problem { _ = update(&model, .said(problem)) }
    return model
  }

  /// The past of the files; a pipe has none.
  private func historyFeed(_ access: HistoryAccess) -> HistoryFeed? {
    guard paths.contains(where: { $0 != "-" }) else { return nil }
    return HistoryFeed(paths: paths, names: access.names, cache: access.cache, mapping: view.mapping)
  }

  /// Redirected output is taken for a wish for the frame; an unfit terminal is an error.
  private func printFrame(because error: TerminalUnavailable) -> ExitCode {
    let console = context.console
    guard error.isRedirected else {
      console.writeError("mistertop: \(error.message)")
      return .wrongUsage
    }
    console.writeError("mistertop: \(error.message), so this is one frame; see mistertop snapshot --help")
    if let message { console.writeError("mistertop: \(message)") }
    var request = SnapshotCommand.Request(
      paths: paths, size: Size(width: 120, height: 36), form: .text, view: view)
    if !operands.isEmpty { request.showPayloads() }
    for (name, spool) in spools {
      do throws(FileFailure) {
        if let note = try spool.run() { console.writeError("mistertop: \(name) \(note)") }
      } catch {
        console.writeError("mistertop: \(name): \(error.text)")
        return .failed
      }
    }
    return Snapshot(request).run(console: console)
  }
}
