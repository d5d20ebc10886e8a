import DashboardCore
import Essentials
import MisterMetricsCore
import Platform
import Sync
import SyncSimulation
import TerminalUI

/// The dashboard on a sample app, or on a simulation alone, that records into a temporary store.
///
/// The samples reach the screen like those of any other program: through the file.
@MainActor
struct DemoSession {
  let view: ViewOptions
  let context: CommandContext

  /// Runs the sample app until the user quits.
  ///
  /// - Parameter seed: Makes this run different from others.
  func run(seed: UInt64) async -> ExitCode {
    await withStore { store in
      let recorder = try DemoRecorder(store: store, seed: seed)
      try await recorder.writeHistory()
      // Detached: a task on the main actor would wait until the dashboard, which blocks its thread, has ended.
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

  /// Seconds that each of several devices has been running.
  private static let deviceHistory = Duration.seconds(180)

  /// Runs the app on several devices, each with a file of its own, until the user quits.
  ///
  /// One of them is slow.
  func run(devices: Int, seed: UInt64) async -> ExitCode {
    await withStore { store in
      let folder = store.deletingLastPathComponent()
      var recorders: [DemoRecorder] = []
      for number in 1...max(1, devices) {
        let recorder = try DemoRecorder(
          store: folder.appendingPathComponent("device-\(number < 10 ? "0" : "")\(number).jsonl"),
          seed: seed &+ UInt64(number), history: Self.deviceHistory,
          slowness: number == (devices + 1) / 2 ? 3 : 1,
          hasEngines: false)
        try await recorder.writeHistory()
        recorders.append(recorder)
      }
      let recordings = recorders.map { recorder in Task.detached { try await recorder.run() } }
      defer { recordings.forEach { $0.cancel() } }
      return DashboardSession(paths: [folder.path], view: view, context: context, screen: "hosts")
        .run()
    }
  }

  /// Runs a scenario under the user's control until they quit.
  ///
  /// - Parameters:
  ///   - name: The name of a scenario or the path of a file.
  ///   - seed: Replaces the scenario's own seed; `nil` to keep it.
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

  /// Writes the last ten minutes of the sample app to a new file.
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
