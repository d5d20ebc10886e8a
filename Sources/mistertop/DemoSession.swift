import Commands
import Foundation
import TerminalNcurses

/// The dashboard on a sample app that records into a temporary store beside it.
///
/// The app's samples reach the screen as any other program's do: through the file.
@MainActor
struct DemoSession {
  let seed: UInt64
  let looks: Looks
  let console: Console
  let surroundings: Surroundings

  /// Runs until the person leaves; the store goes with the session.
  func run() async -> ExitCode {
    let temporary = FileManager.default.temporaryDirectory
    DemoFolder.removeStale(in: temporary, now: Date())
    let folder = DemoFolder.url(process: ProcessInfo.processInfo.processIdentifier, in: temporary)
    let store = folder.appendingPathComponent("demo.jsonl")
    TerminalGuard.setLitter(folder.path)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let recorder = try DemoRecorder(store: store, seed: seed)
      try await recorder.writeHistory()
      // Detached: a task of the main actor would wait until the dashboard, which holds its thread, is over.
      let recording = Task.detached { try await recorder.run() }
      var looks = looks
      looks.limits.merge(DemoRecorder.limits) { given, _ in given }
      let code = DashboardSession(
        paths: [store.path], looks: looks, console: console, surroundings: surroundings
      ).run()
      recording.cancel()
      try FileManager.default.removeItem(at: folder)
      return code
    } catch {
      console.complain("mistertop demo: \(error)")
      return .failed
    }
  }

  /// Writes what the app would have recorded in the last ten minutes.
  static func writeHistory(seed: UInt64, path: String, console: Console) async -> ExitCode {
    do {
      try await DemoRecorder(store: URL(fileURLWithPath: path), seed: seed).writeHistory()
      return .fine
    } catch {
      console.complain("mistertop demo: \(error)")
      return .failed
    }
  }
}
