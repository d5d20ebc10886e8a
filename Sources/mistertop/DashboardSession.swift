import CHeap
import Commands
import Dashboard
import Foundation
import History
import JSONLines
import TerminalNcurses
import TerminalUI

/// The dashboard on a real terminal, from its opening to the person's leaving.
@MainActor
struct DashboardSession {
  let paths: [String]
  let looks: Looks
  let console: Console
  let surroundings: Surroundings
  /// Who plays what the Sync screen drives; without one it drives nothing.
  var simulator: (any Simulator)?
  /// The screen that it opens on.
  var screen = Screen.live
  /// What the person is to hear first; `nil` for nothing.
  var message: String?
  /// The files of payloads that the person named, and whatever else; empty where what is read was named.
  var operands: [String] = []

  /// Runs until the person leaves; without a terminal one frame is printed instead, with the reason.
  func run() -> ExitCode {
    let terminal: NcursesTerminal
    do throws(TerminalError) {
      terminal = try NcursesTerminal.open(.init(environment: surroundings.environment))
    } catch {
      return printFrame(because: error)
    }
    LogFile(path: surroundings.logFile).takeNotes()
    heap_keep_together()
    let access = HistoryAccess(indexFolder: looks.indexFolder)
    let ingest = Ingest(sources: TailSource.sources(paths: paths), index: access.cache)
    ingest.start()
    let history = historian(access)
    history?.start()
    let notebook = Notebook(folder: surroundings.notesFolder, paths: paths)
    let world = Program.World.machine
    let theme = Theme(capabilities: looks.capabilities(else: terminal.capabilities))
    var model = Model(
      size: terminal.size, now: world.now(), theme: theme, limits: looks.limits, notes: notebook.notes,
      scenarios: simulator?.scenarios)
    model.operands = operands
    if operands.isEmpty { model.show(screen) } else { model.showPayloads() }
    if let problem = message ?? notebook.problem { _ = update(&model, .said(problem)) }
    let program = Program(
      backend: terminal, feed: ingest, historian: history, simulator: simulator, model: model, world: world,
      keep: notebook.keep)
    program.run()
    terminal.perform(.close)
    history?.stop()
    ingest.stop()
    console.write(program.model.receipt.map { $0 + "\n" }.joined())
    return program.hasLostTerminal ? .failed : .fine
  }

  /// Who knows the past of the files; a pipe has none.
  private func historian(_ access: HistoryAccess) -> HistoryFeed? {
    guard paths.contains(where: { $0 != "-" }) else { return nil }
    return HistoryFeed(paths: paths, names: access.names, cache: access.cache)
  }

  /// Who pipes the dashboard wants its picture; whose terminal cannot draw wants to know it.
  private func printFrame(because error: TerminalError) -> ExitCode {
    guard error == .outputIsNoTerminal || error == .noKeyboard else {
      console.complain("mistertop: \(error.message)")
      return .wrongUsage
    }
    console.complain("mistertop: \(error.message), so this is one frame; see mistertop snapshot --help")
    if let message { console.complain("mistertop: \(message)") }
    let size = Size(width: 120, height: 36)
    var request = SnapshotRequest(paths: paths, size: size, form: .text, looks: looks)
    request.screen = operands.isEmpty ? .live : .histogram
    request.histogram.isOverview = !operands.isEmpty
    return Snapshot(request: request, now: { Date().timeIntervalSinceReferenceDate }).run(console: console)
  }
}
