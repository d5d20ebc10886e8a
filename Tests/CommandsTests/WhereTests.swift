import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

@testable import Commands

@Suite("--where and --metric")
struct WhereTests {
  private let folder: TemporaryFolder
  private let path: String

  /// A minute of requests, one a second, the last of them slow; ten calls with fields; one size, long ago.
  init() throws {
    folder = try TemporaryFolder()
    var text = Self.line("4096", "heap_bytes", bucket: nil, type: "Int", time: 0)
    for second in 1...60 {
      text += Self.line(second == 60 ? "900" : "\(second)", "request_ms", time: Double(second))
      guard second % 6 == 0 else { continue }
      let route = second % 12 == 0 ? "/feed" : "/home"
      let status = second == 60 ? 500 : 200
      text += Self.line(
        #"{"route":"\#(route)","status":\#(status),"wait_ms":\#(second)}"#, "call", type: "Call",
        time: Double(second))
    }
    path = try folder.write(text, to: "m.jsonl")
  }

  private static func line(
    _ value: String, _ name: String, bucket: String? = "api", type: String = "Double", time: Double
  ) -> String {
    let bucket = bucket.map { "\"bucket\":\"\($0)\"," } ?? ""
    let base64 = Data(value.utf8).base64EncodedString()
    return
      "{\"metric\":{\(bucket)\"name\":\"\(name)\",\"valueTypeString\":\"\(type)\"},\"timestamp\":\(time),"
      + "\"value\":\"\(base64)\"}\n"
  }

  /// The output of a command line that ends with the file.
  @MainActor
  private func run(_ arguments: [String]) async -> (out: String, err: [String], code: ExitCode) {
    let (out, err) = (Recorder<String>(), Recorder<String>())
    let context = CommandContext(
      console: Console(write: { out.append($0) }, writeError: { err.append($0) }),
      environment: ProcessEnvironment(variables: [:], now: Timestamp(60), exists: { _ in true }),
      host: NoTerminal(calls: Recorder<String>()))
    let code = await CommandRunner.run(arguments + [path], in: context)
    return (out.all.joined(), err.all, code)
  }

  private func run(_ arguments: String...) async -> (out: String, err: [String], code: ExitCode) {
    await run(arguments)
  }

  /// The names and counts of the rows of `stats`.
  private func rows(_ output: String) -> [String] {
    output.split(separator: "\r\n").dropFirst().map { row in
      let cells = row.split(separator: ",", omittingEmptySubsequences: false)
      return cells[0] + (cells[0].isEmpty ? "" : ".") + cells[1] + " " + cells[3]
    }
  }

  @Test(
    "stats chooses samples by fields and rows by figures",
    arguments: [
      ("api", ["api.call 10", "api.request_ms 60"]), ("p95 > 50ms", ["api.request_ms 60"]),
      ("p95 > 50KB", []),
      ("max >= 4KB", ["heap_bytes 1"]), ("now = 900ms", ["api.request_ms 60"]),
      ("> 0.8s", ["api.request_ms 60"]),
      ("n < 11", ["heap_bytes 1", "api.call 10"]), ("rate >= 1/s", ["api.request_ms 60"]),
      ("age = 1m", ["heap_bytes 1"]),
      ("age < 1s and not *_ms", ["api.call 10"]), ("mean < 50ms and min = 1", ["api.request_ms 60"]),
      ("route = /feed", ["api.call 5"]), ("route = /feed and status >= 500", ["api.call 1"]),
      ("route = /feed or request", ["api.call 5", "api.request_ms 60"]),
      ("status < 500 n > 3", ["api.call 9"]),
      ("not route = /feed api.call", ["api.call 5"]), ("p95 > 1.5 * p50", ["api.request_ms 60"]),
      ("call.count / request_ms.count > 0.1", ["api.call 10"]), ("call and call.n/request_ms.n > 20%", []),
      ("call and call.n/request_ms.n > 10%", ["api.call 10"]), ("p95 > 10 * request_ms.p95", []),
      ("max >= request_ms.max and request", ["api.request_ms 60"]),
      ("api.request_ms = 900", ["api.request_ms 1"]),
    ])
  func stats(query: String, expected: [String]) async {
    let result = await run("stats", "--format", "csv", "--where", query)
    #expect(rows(result.out) == expected)
    #expect(result.code == (expected.isEmpty ? .failed : .success))
    #expect(result.err.isEmpty != expected.isEmpty)
  }

  @Test(
    "stats --fields chooses the fields of structs as rows",
    arguments: [
      ("wait and p95 > 10ms", ["api.call.wait_ms 10"]), ("route = /home max < 0.1s", ["api.call.wait_ms 5"]),
      ("now = 500 and route = /feed", ["api.call.status 5"]),
    ])
  func fields(query: String, expected: [String]) async {
    let result = await run("stats", "--fields", "--format", "csv", "--where", query)
    #expect(rows(result.out) == expected)
  }

  @Test("The figures of several cores and of one are the same", arguments: ["1", "2", "7"])
  func cores(workers: String) async {
    let result = await run(
      "stats", "--threads", workers, "--format", "csv", "--where", "now > 899 and age = 0 and rate = 1")
    #expect(rows(result.out) == ["api.request_ms 60"])
  }

  @Test(
    "What chooses nothing is said in a sentence, and the output stays valid",
    arguments: [
      (
        ["--where", "p95 > 5s"],
        "no metric matches p95 > 5s; 3 metrics, e.g. api.call; a unit matches metrics named _ms, _bytes or _percent, or listed under units in the configuration"
      ),
      (["--where", "api.requst_ms"], "no metric matches api.requst_ms; did you mean api.request_ms?"),
      (["--where", "firng"], "no metric matches firng; did you mean firing?"),
      (["--where", "rute = /feed"], "no sample has a field named rute; did you mean route?"),
      (["--where", "mea > 5"], "no sample has a field named mea; did you mean mean?"),
      (["--metric", "api.requst_ms"], "no metric is named api.requst_ms; did you mean api.request_ms?"),
      (["--where", "request.n / call.n > 1"], "no metric is named request; did you mean api.request_ms?"),
      (["--where", "call = 5"], "no sample has a field named call; did you mean api.call?"),
      (["--bucket", "nix"], "no bucket is named nix; 3 metrics, e.g. api.call"),
      (["--bucket", "apo"], "no bucket is named apo; did you mean api?"),
      (["--metric", "request"], "no metric is named request; did you mean request_ms?"),
      (
        ["--metric", "request_ms", "--where", "n > 999"],
        "no metric matches n > 999; 3 metrics, e.g. api.call"
      ),
    ])
  func nothing(options: [String], sentence: String) async {
    for (format, output) in [("json", "[]\n"), ("csv", StatsRow.columns.joined(separator: ",") + "\r\n")] {
      let result = await run(["stats", "--format", format] + options)
      #expect(result.out == output)
      #expect(result.err == ["mistertop stats: " + sentence])
      #expect(result.code == .failed)
    }
  }

  @Test("A metric is named with its bucket or without", arguments: ["request_ms", "api.request_ms"])
  func metric(name: String) async {
    #expect(await rows(run("stats", "--format", "csv", "--metric", name).out) == ["api.request_ms 60"])
    #expect(await run("export", "--format", "jsonl", "--metric", name).out.split(separator: "\n").count == 60)
  }

  @Test("A time without samples of a metric is no mistake")
  func time() async {
    let result = await run("stats", "--format", "csv", "--since", "3", "--metric", "heap_bytes")
    #expect(rows(result.out) == [] && result.err == [] && result.code == .success)
  }

  @Test("export writes the samples that a query chooses")
  func export() async {
    let result = await run(
      "export", "--format", "jsonl", "--where", "call route = /feed and not status >= 500")
    #expect(result.out.split(separator: "\n").count == 4)
    #expect(result.err == [] && result.code == .success)
    let none = await run("export", "--format", "csv", "--where", "route = /nothing")
    #expect(none.out.split(separator: "\r\n").count == 1)
    #expect(none.err == ["mistertop export: no sample matches route = /nothing; 3 metrics, e.g. api.call"])
    #expect(none.code == .failed)
  }

  @Test("export of a metric that is not there fails, and leaves no file")
  func exportOfNothing() async {
    let output = folder.path("out.csv")
    let result = await run("export", "--output", output, "--metric", "api.requst_ms")
    #expect(result.code == .failed)
    #expect(
      result.err == ["mistertop export: no metric is named api.requst_ms; did you mean api.request_ms?"])
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test("tail prints the samples that a query chooses")
  func tail() throws {
    var request = TailCommand.Request(paths: ["-"])
    let arguments = Arguments(
      try OptionScanner.scan(["--where", "route = /home wait_ms > 20"], options: TailCommand.options),
      environment: ProcessEnvironment(variables: [:], now: Timestamp(0), exists: { _ in true }))
    request.selection = try TailCommand.request(from: arguments).selection
    let out = Recorder<String>()
    let console = Console(write: { out.append($0) }, writeError: { _ in })
    let file = try #require(FileHandle(forReadingAtPath: path))
    #expect(TailCommand(request, console: console).run(input: file.fileDescriptor) == .success)
    let lines = out.all.joined().split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.contains("  api.call  {\"route\":\"/home\"") })
  }

  @Test(
    "A query that makes no sense is wrong usage, with the place",
    arguments: [
      ("stats", "p90 > 5", "'p90' is not known, only p50, p95 and p99 are; did you mean p95? Try", "^~~"),
      ("stats", "firing", "'firing' is not known here, only where metrics are watched; try", "^~~~~~"),
      (
        "tail", "n > 5",
        "'n' is a figure of a whole metric, which is not known here; try",
        "^"
      ),
      (
        "stats", "api request_ms.max > 2 * heap_bytes.max",
        "'request_ms.max' is a time and '2 * heap_bytes.max' is a size: their units differ; try",
        "    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
      ),
      (
        "tail", "p95 > 2 * p50", "'p95' is a figure of a whole metric, which is not known here; try",
        "^~~~~~~~~~~~~"
      ),
      ("export", "(api", "the parenthesis is not closed; try", "^"),
    ])
  func wrong(command: String, query: String, message: String, mark: String) async {
    let result = await run(command, "--where", query)
    #expect(result.code == .wrongUsage)
    #expect(
      result.err == [
        "mistertop \(command): invalid --where: \(message) mistertop \(command) --help", "  " + query,
        "  " + mark,
      ])
  }

  @Test("Incidents are chosen by names alone")
  func incidents() async {
    #expect(await run("stats", "--incidents", "--where", "p95 > 5").code == .wrongUsage)
    #expect(await run("stats", "--incidents", "--where", "route = /feed").code == .wrongUsage)
    #expect(await run("stats", "--incidents", "--where", "api").code == .success)
    let none = await run("stats", "--incidents", "--where", "zzz")
    #expect(none.code == .failed && none.err.last?.contains("no metric matches zzz") == true, "\(none)")
  }

  @Test(
    "What changes nothing of incidents is refused beside them",
    arguments: [["--fields"], ["--threads", "2"]])
  func incidentOptions(options: [String]) async {
    #expect(await run(["stats", "--incidents"] + options).code == .wrongUsage)
  }
}
