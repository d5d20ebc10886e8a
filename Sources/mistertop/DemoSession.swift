import Commands
import Dashboard
import Foundation
import MisterMetrics
import Sync

/// The dashboard on a sample app, or on a simulation alone, that records into a temporary store beside it.
///
/// What they record reaches the screen as any other program's samples do: through the file.
@MainActor
struct DemoSession {
  /// What makes this run different from others; `nil` for the usual course.
  let seed: UInt64?
  let looks: Looks
  let console: Console
  let surroundings: Surroundings

  /// Runs the sample app until the person leaves; the store goes with the session.
  func run() async -> ExitCode {
    await withStore { store in
      let recorder = try DemoRecorder(store: store, seed: seed ?? 42)
      try await recorder.writeHistory()
      // Detached: a task of the main actor would wait until the dashboard, which holds its thread, is over.
      let recording = Task.detached { try await recorder.run() }
      let driving = Task.detached { await recorder.driver?.run() }
      defer {
        recording.cancel()
        driving.cancel()
      }
      var looks = looks
      looks.limits.merge(DemoRecorder.limits) { given, _ in given }
      return DashboardSession(
        paths: [store.path], looks: looks, console: console, surroundings: surroundings,
        simulator: recorder.driver
      ).run()
    }
  }

  /// Plays a scenario, for the person to drive, until they leave.
  func drive(_ name: String) async -> ExitCode {
    var scenario: Scenario
    do throws(ScenarioShelf.Problem) { scenario = try ScenarioShelf.scenario(name) } catch {
      console.complain("mistertop demo: \(error.message)")
      return .wrongUsage
    }
    if let seed { scenario.seed = seed }
    return await withStore { [scenario] store in
      let driver = try SimulationDriver(playing: scenario, store: MetricFileStore(file: store))
      let driving = Task.detached { await driver.run() }
      defer { driving.cancel() }
      return DashboardSession(
        paths: [store.path], looks: looks, console: console, surroundings: surroundings,
        simulator: driver, screen: .sync
      ).run()
    }
  }

  private func withStore(_ body: (URL) async throws -> ExitCode) async -> ExitCode {
    do {
      return try await TemporaryStore.with("demo.jsonl", body)
    } catch Simulation.Failure.unavailable {
      console.complain("mistertop demo: simulations need macOS 15 or later")
      return .failed
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
