import DeliverySimulation
import Essentials
import MisterMetricsCore
package import Platform
import SimulationKit
import SyncSimulation
import TerminalUI

/// `mistertop reproduce FILE`: turns part of an engine's record into a scenario with the same decisions, and a test.
package struct ReproduceCommand: Command {
  package static let name = "reproduce"
  package static let operands = "FILE"
  package static let summary =
    "Turns the record of a sync engine, or of a delivery client, into a scenario with the same decisions, and a test."
  package static let examples = [
    CommandExample(
      "mistertop reproduce night.jsonl",
      "print the last ten minutes as a scenario"),
    CommandExample(
      "mistertop reproduce night.jsonl --window 1h --out LostChange",
      "an app's record as a scenario and a test"),
  ]
  package static let options = [delivery, at, window, out]

  private static let delivery = CommandOption(
    "delivery", help: "use the record of the delivery client if the file has both")

  private static let at = CommandOption(
    "at", "TIME", help: "the time up to which to reproduce (default: the end of the file)")
  private static let window = CommandOption(
    "window", "DURATION",
    help: "the length of time before that which the test covers, such as 90s or 2h (default: 10m)")
  private static let out = CommandOption(
    "out", "NAME",
    help: "write NAME.json5 and NAMETests.swift into this folder (default: print the scenario)")

  package struct Request: Sendable, Equatable {
    /// The metrics file.
    package var path: String
    /// True for the record of the delivery client.
    package var isDelivery = false
    /// The end of the part; `nil` for the end of the file.
    package var end: Timestamp?
    /// The length of the part, in seconds.
    package var window = 600.0
    /// The name of the scenario and of the test; `nil` to print the scenario.
    package var output: String?

    package init(path: String) {
      self.path = path
    }
  }

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    try arguments.rejectOperands(after: 1)
    guard let path = arguments.operands.first else { throw .missingOperand("FILE") }
    var request = Request(path: path)
    request.isDelivery = arguments.has(delivery)
    request.end = try arguments.time(at)
    request.window =
      try arguments.value(window, expecting: "a duration such as 90s, 20m, 2h or 30d") { text in
        TimeArgument.age(text).flatMap { $0 > 0 ? $0 : nil }
      } ?? request.window
    request.output = try arguments.value(out, expecting: SessionTestText.nameRule) { text in
      SessionTestText.isName(text) ? text : nil
    }
    return request
  }

  package static func run(_ request: Request, in context: CommandContext) async -> ExitCode {
    return await ReproduceCommand(request, folder: Posix.workingFolder, console: context.console).run()
  }

  private let request: Request
  private let folder: String
  private let console: Console

  /// - Parameter folder: The folder for the test.
  package init(_ request: Request, folder: String, console: Console) {
    (self.request, self.folder, self.console) = (request, folder, console)
  }

  /// Runs the command.
  ///
  /// - Returns: The result; a failure if the scenario's decisions differ from those of the record.
  package func run() async -> ExitCode {
    do {
      // A store treats a missing file as empty.
      try ReadableFile.seekable(path: request.path).close()
      let (sync, delivery) = try await recorded()
      let isDelivery = request.isDelivery || sync.isEmpty
      guard let last = isDelivery ? delivery.last?.time : sync.last?.time else {
        let engine = request.isDelivery ? "" : "of a sync engine or "
        return complain("\(request.path) holds no record \(engine)of a delivery client")
      }
      let (end, window) = (request.end?.seconds ?? last, request.window)
      let name = request.output ?? "Reproduced"
      return isDelivery
        ? tell { () throws(DeliveryReproduction.Failure) in
          try DeliveryReproduction(of: delivery, until: end, window: window, name: name)
        }
        : tell { () throws(Reproduction.Failure) in
          try Reproduction(of: sync, until: end, window: window, name: name)
        }
    } catch {
      return complain("\(request.path): \(FileErrorFormatter.problem(error, readsInput: false))")
    }
  }

  private func recorded() async throws -> ([RecordedEntry], [RecordedDelivery]) {
    let store = try MetricFileStore.named(request.path)
    var (sync, delivery) = ([RecordedEntry](), [RecordedDelivery]())
    for try await entry in store.entries() {
      if let recorded = RecordedEntry(entry) {
        sync.append(recorded)
      } else if let recorded = RecordedDelivery(entry) {
        delivery.append(recorded)
      }
    }
    return (sync, delivery)
  }

  private func tell<World: HostedWorld>(
    _ reproduce: () throws(RecordReproduction<World>.Failure) -> RecordReproduction<World>
  ) -> ExitCode {
    let found: RecordReproduction<World>
    do throws(RecordReproduction<World>.Failure) { found = try reproduce() } catch {
      switch error {
      case .nothing: return complain("no decision of a \(World.engine.title) was recorded in that time")
      case .noBeginning:
        return complain(
          "the record holds no start of a \(World.engine.title) with an empty disk, where a scenario could begin"
        )
      case .unplayable(let reason): return complain("the scenario cannot be played: \(reason)")
      }
    }
    for assumption in found.assumptions { console.writeError("assumed: \(SafeText.sanitized(assumption))") }
    if found.difference != nil {
      if request.output == nil { console.write(found.scenario.text) }
      // A test would expect what was played, and pass.
      let unwritten = request.output == nil ? "" : "; no test was written"
      return complain(found.words + unwritten)
    }
    if let name = request.output {
      let test = PendingTest<World>(session: found.scenario, name: name, since: found.scenario.expectedFrom)
      do throws(UnwritableTest) {
        console.write(SafeText.sanitized(try SessionTestWriter(folder: folder).save(test)) + "\n")
      } catch {
        return complain("no test was written: \(error.reason)")
      }
    } else {
      console.write(found.scenario.text)
    }
    console.writeError(found.words)
    return .success
  }

  private func complain(_ text: String) -> ExitCode {
    console.writeError("mistertop reproduce: \(SafeText.sanitized(text))")
    return .failed
  }
}
