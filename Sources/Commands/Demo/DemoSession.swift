import DashboardCore
import Essentials
import MisterMetricsCore
import Platform
import Sync
import SyncSimulation
import TerminalUI

/// The dashboard on a sample app, or on a simulation alone, that records into a temporary store beside it.
///
/// Their samples reach the screen as any other program's do: through the file.
@MainActor
struct DemoSession {
  let view: ViewOptions
  let context: CommandContext

  /// Runs the sample app until the user quits.
  ///
  /// - Parameter seed: What makes this run different from others.
  func run(seed: UInt64) async -> ExitCode {
    await withStore { store in
      let recorder = try DemoRecorder(store: store, seed: seed)
      try await recorder.writeHistory()
      // Detached: a task of the main actor would wait until the dashboard, which holds its thread, has ended.
      let recording = Task.detached { try await recorder.run() }
      let driving = Task.detached { await recorder.drivers?.run() }
      defer {
        recording.cancel()
        driving.cancel()
      }
      var view = view
      view.limits = view.limits.over(LimitSet(DemoRecorder.limits))
      return DashboardSession(
        paths: [store.path], view: view, context: context, simulator: recorder.drivers, story: recorder.marks
      ).run()
    }
  }

  /// Runs a scenario, for the user to drive, until they quit.
  ///
  /// - Parameters:
  ///   - name: The name of a scenario or the path of a file.
  ///   - seed: Another seed than the scenario's; `nil` for its own.
  func run(scenario name: String, seed: UInt64?) async -> ExitCode {
    var scenario: AnyScenario
    do throws(ScenarioLibrary.Problem) { scenario = try ScenarioLibrary.anyScenario(name) } catch {
      context.console.writeError("mistertop demo: \(error.message)")
      return .wrongUsage
    }
    if let seed { scenario = scenario.with(seed: seed) }
    return await withStore { [scenario] store in
      let drivers = try SimulationDrivers(playing: [scenario], store: MetricFileStore(file: store))
      let driving = Task.detached { await drivers.run() }
      defer { driving.cancel() }
      return DashboardSession(
        paths: [store.path], view: view, context: context, simulator: drivers, screen: scenario.screen
      ).run()
    }
  }

  private func withStore(_ body: (URL) async throws -> ExitCode) async -> ExitCode {
    do {
      return try await TemporaryStore.with("demo.jsonl", context.host, body)
    } catch Simulation.Failure.unavailable {
      context.console.writeError("mistertop demo: simulations need macOS 15 or later")
      return .failed
    } catch {
      context.console.writeError("mistertop demo: \(error)")
      return .failed
    }
  }

  /// Writes what the app would have recorded in the last ten minutes to a file that nothing is at yet.
  static func writeHistory(seed: UInt64, path: String, console: Console) async -> ExitCode {
    do {
      let file = try NewMetricsFile(path)
      let recorder = try DemoRecorder(store: URL(fileURLWithPath: path), seed: seed)
      let end = Timestamp.now()
      while let part = try await recorder.nextHistory(until: end) { try file.append(part) }
      try file.put()
      return .success
    } catch {
      console.writeError("mistertop demo: \(SafeText.sanitized("\(path): \(NewMetricsFile.problem(error))"))")
      return .failed
    }
  }
}
