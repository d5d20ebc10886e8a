package import ClickHouse
import Essentials
package import JSONLines
import MisterMetricsCore
import Platform
import TerminalUI

/// `mistertop ship FILE… --to ADDRESS --cursor-file F`: sends samples to ClickHouse as they are written.
///
/// The file is the spool: the server may be away for as long as the file is kept. After any failure the server is asked
/// how far it came, so that every sample is stored once.
package struct ShipCommand: Command {
  package static let name = "ship"
  package static let operands = "FILE | FOLDER…"
  package static let summary = "Sends samples to a ClickHouse server as they are written, each once."
  package static let examples = [
    CommandExample(
      "mistertop ship --to clickhouse://db.example.com/metrics --schema",
      "print the statements that create the tables"),
    CommandExample(
      "mistertop ship --to clickhouse://db.example.com/metrics --cursor-file position metrics.jsonl",
      "send each sample once, over all runs"),
  ]
  package static let options = [
    to, hostName, cursorFile, .authorities, schema, repair, .store, .map, .zone, .texts, .poll,
  ]

  private static let to = CommandOption(
    "to", "ADDRESS",
    help: "clickhouse[s]://[USER@]HOST[:PORT]/DATABASE; the password is $CLICKHOUSE_PASSWORD or in ~/.netrc")
  private static let hostName = CommandOption(
    "host", "NAME", help: "the name under which the samples are stored (default: this machine's)")
  private static let cursorFile = CommandOption(
    "cursor-file", "FILE", help: "where the position in each file is kept between runs")
  private static let schema = CommandOption(
    "schema", help: "print the statements that create the tables (for a cluster: …/DATABASE?cluster=NAME)")
  private static let repair = CommandOption(
    "repair", help: "print the statements that complete the rollups after a server has crashed, and exit")

  package struct Request: Sendable, Equatable {
    package var paths: [String] = []
    package var address: ServerAddress?
    package var host = ""
    package var cursorFile = ""
    package var authorities: String?
    /// The store for the shipper's own figures; `nil` for none.
    package var store: String?
    package var mapping: LineMapping?
    package var polling = PollOptions()
    /// The statements to print instead of sending anything.
    package var printed: Statements?
  }

  package enum Statements: Sendable {
    case schema, repair
  }

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    var request = Request(paths: arguments.namedFiles)
    request.printed = arguments.has(schema) ? .schema : arguments.has(repair) ? .repair : nil
    request.address = try arguments.value(to).map { text throws(UsageError) in
      try ServerAddress(text, for: to.flag)
    }
    guard request.printed == nil else { return request }
    if request.address == nil { throw .missingOption(to.flag) }
    guard let cursorFile = try arguments.fileName(cursorFile) else { throw .missingOption(cursorFile.flag) }
    if request.paths.isEmpty { throw .missingOperand("FILE") }
    if request.paths.contains("-") { throw .unexpectedOperand("-") }
    request.cursorFile = cursorFile
    request.host =
      try arguments.value(hostName, expecting: "a name") { $0.isEmpty ? nil : $0 }
      ?? ProcessInfo.processInfo.hostName
    request.authorities = try arguments.fileName(.authorities)
    request.store = try arguments.fileName(.store)
    request.mapping = try arguments.mapping
    request.polling = try arguments.polling
    return request
  }

  package static func run(_ request: Request, in context: CommandContext) -> ExitCode {
    guard let address = request.address, request.printed == nil else {
      let schema = Schema(
        database: request.address?.database ?? "mistertop", cluster: request.address?.cluster)
      context.console.write(request.printed == .repair ? schema.repair : schema.tables)
      return .success
    }
    let report = { @Sendable (text: String) in context.console.writeError("mistertop ship: \(text)") }
    #if os(Linux)
      let stop = WakeSignal()
      let signals = TerminationSignals(stop: stop)
      do throws(Problem) {
        let link = try link(address, request, context.environment, stop)
        let run = try run(request, stop, report)
        run.run(TailSource.sources(paths: request.paths), to: link, address)
        report("\(Plural.count(run.delivered, "sample")) delivered")
      } catch {
        report(error.text)
        return .failed
      }
      signals.dieOfSignal()
      return .success
    #else
      report("only Linux can send yet")
      return .failed
    #endif
  }

  private struct Problem: Error {
    let text: String
  }

  #if os(Linux)
    private static func link(
      _ address: ServerAddress, _ request: Request, _ environment: ProcessEnvironment, _ stop: WakeSignal
    ) throws(Problem) -> HTTPServerLink {
      do throws(ServerFailure) {
        return try ServerOperand(address, authorities: request.authorities).link(environment, stop: stop)
      } catch {
        throw Problem(text: "\(address.server) \(error.sentence)")
      }
    }

    private static func run(
      _ request: Request, _ stop: WakeSignal, _ report: @escaping @Sendable (String) -> Void
    ) throws(Problem) -> ShipRun {
      let path = request.cursorFile
      guard !PositionStore.isFollowed(path, by: TailSource.sources(paths: request.paths), streams: []) else {
        throw Problem(text: "\(path): is in use as input, so it cannot be the cursor file")
      }
      let cursor: CursorWriter
      do throws(PositionStore.Refusal) { cursor = try CursorWriter(path: path, report: report) } catch {
        throw Problem(text: "\(path): \(error.text)")
      }
      do throws(MetricError) {
        let store = try request.store.map { path throws(MetricError) in try MetricFileStore.named(path) }
        return ShipRun(
          request, cursor: cursor, store: store.map(AnyMetricStore.init), stop: stop, report: report)
      } catch {
        throw Problem(text: "\(error)")
      }
    }
  #endif
}
