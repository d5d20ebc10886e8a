import CQuietStart
import Commands
import Dispatch
import Foundation
import JSONLines
import MisterMetrics
import Platform
import TerminalNcurses
import TerminalUI

/// The program: reads the command line and hands over to what it asks for.
///
/// On the main actor, and so on the main thread: the one that owns the terminal must be the one that signals find.
@main
@MainActor
struct Mistertop {
  static func main() async {
    refuse_crash_prompt()
    exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  private static func run(_ arguments: [String]) async -> ExitCode {
    let surroundings = Surroundings.ofProcess
    // The widths of all but Latin signs are those of the C library's locale; the dashboard then takes the person's own.
    TextLocale.adoptUTF8()
    do throws(UsageError) {
      let invocation = try CommandLineParser(surroundings: surroundings).parse(arguments)
      return await perform(invocation, surroundings, .standard)
    } catch {
      Console.standard.complain("mistertop: \(error.message); try mistertop --help")
      return .wrongUsage
    }
  }

  private static func perform(
    _ invocation: Invocation, _ surroundings: Surroundings, _ console: Console
  ) async -> ExitCode {
    switch invocation {
    case .text(let text):
      console.write(text)
      return .fine
    case .dashboard(let paths, let looks):
      guard paths != [surroundings.defaultStore] || surroundings.exists(surroundings.defaultStore) else {
        console.complain(
          "mistertop: there is no metrics file at \(surroundings.defaultStore) yet; "
            + "name one, or see it at work with: mistertop demo")
        return .failed
      }
      TerminalGuard.split(surroundings.crashReport)
      return await show(paths, looks, surroundings, console)
    case .demo(let seed, let looks):
      TerminalGuard.split(surroundings.crashReport)
      return await DemoSession(seed: seed, looks: looks, console: console, surroundings: surroundings).run()
    case .drive(let scenario, let seed, let looks):
      TerminalGuard.split(surroundings.crashReport)
      return await DemoSession(seed: seed, looks: looks, console: console, surroundings: surroundings)
        .drive(scenario)
    case .demoHistory(let seed, let path):
      return await DemoSession.writeHistory(seed: seed, path: path, console: console)
    case .snapshot(let request): return await snapshot(request, surroundings, console)
    case .stats(let stats, let paths):
      if let refusal = refusal(of: paths, "stats", console) { return refusal }
      return await stats.run(paths: paths, console: console)
    case .export(let request):
      return refusal(of: request.paths, "export", console) ?? export(request, console)
    case .tail(let request): return refusal(of: request.paths, "tail", console) ?? tail(request, console)
    case .doctor(let paths): return Doctor(console: console).run(paths: paths)
    case .importPayloads(let request): return importPayloads(request, surroundings.lockFolder, console)
    case .record(let request):
      let command = RecordCommand(
        store: URL(fileURLWithPath: request.store), bucket: request.bucket, name: request.name,
        value: request.value, type: request.type)
      return await command.run(console: console)
    case .optimize(let path, let keep):
      let command = OptimizeCommand(files: [URL(fileURLWithPath: path)], keep: keep)
      return await command.run(console: console)
    case .simulate(let request): return await SimulateCommand(request: request, console: console).run()
    case .diagram(let diagram): return DiagramCommand(diagram: diagram, console: console).run()
    case .info: return Info(surroundings: surroundings).run(console: console)
    }
  }

  private static func show(
    _ paths: [String], _ looks: Looks, _ surroundings: Surroundings, _ console: Console
  ) async -> ExitCode {
    let operands = PayloadOperands(paths)
    guard operands.payloads.isEmpty else {
      return await PayloadSession(operands: operands, console: console, surroundings: surroundings).show(
        looks)
    }
    return DashboardSession(paths: paths, looks: looks, console: console, surroundings: surroundings).run()
  }

  private static func snapshot(
    _ request: SnapshotRequest, _ surroundings: Surroundings, _ console: Console
  ) async -> ExitCode {
    let operands = PayloadOperands(request.paths)
    guard operands.payloads.isEmpty else {
      // The store of the payloads goes with the command, whatever ends it.
      TerminalGuard.split(surroundings.crashReport)
      return await PayloadSession(operands: operands, console: console, surroundings: surroundings)
        .print(request)
    }
    return Snapshot(request: request, now: { Date().timeIntervalSinceReferenceDate }).run(console: console)
  }

  /// How a command ends whose files hold payloads, which it does not read; nil if they do not.
  private static func refusal(of paths: [String], _ command: String, _ console: Console) -> ExitCode? {
    guard let advice = PayloadOperands(paths).advice else { return nil }
    console.complain("mistertop \(command): \(advice)")
    return .failed
  }

  private static func export(_ request: ExportRequest, _ console: Console) -> ExitCode {
    let stop = WakeSignal()
    // Only a file has to be taken away when a signal comes.
    let signals = request.output.map { _ in EndingSignals(stop: stop) }
    let code = ExportCommand(request: request, console: console).run(stop: stop)
    signals?.dieOfSignal()
    return code
  }

  /// The main thread waits: given up to others it would be one that takes the signals.
  private static func importPayloads(
    _ request: ImportRequest, _ lockFolder: String, _ console: Console
  ) -> ExitCode {
    let stop = WakeSignal()
    // Who waits for a pipe could not end otherwise; nothing of it is recorded before it is read.
    let signals = request.paths.contains("-") ? nil : EndingSignals(stop: stop)
    let code = Locked(ExitCode.failed)
    let end = DispatchSemaphore(value: 0)
    Task.detached {
      let result = await ImportCommand(request: request, console: console, lockFolder: lockFolder)
        .run(stop: stop)
      code.withLock { $0 = result }
      end.signal()
    }
    end.wait()
    signals?.dieOfSignal()
    return code.withLock { $0 }
  }

  private static func tail(_ request: TailRequest, _ console: Console) -> ExitCode {
    let stop = WakeSignal()
    // Without anything to keep, a signal ends it as it ends every filter.
    let signals = request.cursorFile.map { _ in EndingSignals(stop: stop) }
    let code = TailCommand(request: request, console: console).run(stop: stop, output: STDOUT_FILENO)
    signals?.dieOfSignal()
    return code
  }
}

extension Surroundings {
  /// What the guard needs to know to report a crash.
  fileprivate var crashReport: TerminalGuard.Report {
    TerminalGuard.Report(
      program: "mistertop", version: CommandLineParser.version, folder: reportFolder, log: logFile)
  }
}
