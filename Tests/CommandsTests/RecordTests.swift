import Commands
import Foundation
import MisterMetrics
import Synchronization
import Testing

/// What a command has written.
private final class Transcript: Sendable {
  private let texts = Mutex<(output: String, errors: [String])>(("", []))

  var console: Console {
    Console(
      write: { text in self.texts.withLock { $0.output += text } },
      complain: { line in self.texts.withLock { $0.errors.append(line) } })
  }

  var output: String { texts.withLock { $0.output } }
  var errors: [String] { texts.withLock { $0.errors } }
}

@Suite("record")
struct RecordTests {
  let file = FileManager.default.temporaryDirectory.appendingPathComponent(
    "record-\(UUID().uuidString).jsonl")

  private func run(
    _ bucket: String?, _ name: String, _ value: String, _ type: String? = nil
  ) async -> (code: ExitCode, errors: [String]) {
    let transcript = Transcript()
    let request = RecordRequest(of: name, in: bucket, value: value, type: type, store: file.path)
    let code = await RecordCommand(request, console: transcript.console).run()
    return (code, transcript.errors)
  }

  private func entries() async throws -> [MetricEntry] {
    try await MetricFileStore(file: file).retrieveAll(from: .distantPast, until: .distantFuture)
  }

  @Test(
    "takes the type that the text has",
    arguments: [
      ("42", "Int", "42"), ("-7", "Int", "-7"), ("428.5", "Double", "428.5"), ("1e3", "Double", "1000"),
      ("9223372036854775808", "Double", "9.223372036854776e+18"), ("true", "Bool", "true"),
      ("de_DE", "String", #""de_DE""#), ("nan", "String", #""nan""#), ("0x10", "String", #""0x10""#),
      ("", "String", #""""#),
    ])
  func inference(text: String, type: String, json: String) async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(await run("app", "metric", text) == (.fine, []))
    let entry = try #require(await entries().first)
    #expect(entry.metric.valueTypeString == type)
    #expect(entry.value == Data(json.utf8))
    #expect(entry.metric.bucket == Bucket("app"))
  }

  @Test("takes the type that it is told, and JSON for a struct")
  func givenType() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(await run(nil, "metric", "42", "Double").code == .fine)
    #expect(await run(nil, "metric", "42", "String").code == .fine)
    #expect(await run(nil, "metric", #"{"totalMs": 1}"#, "Startup").code == .fine)
    let entries = try await entries()
    #expect(entries.map(\.metric.valueTypeString) == ["Double", "String", "Startup"])
    #expect(
      entries.map { String(decoding: $0.value, as: UTF8.self) } == ["42", #""42""#, #"{"totalMs": 1}"#])
    #expect(entries.allSatisfy { $0.metric.bucket == nil })
  }

  @Test(
    "refuses a value that is not of its type",
    arguments: [
      ("4.5", "Int", "record: '4.5' is not an Int"), ("inf", "Double", "record: 'inf' is not a Double"),
      ("yes", "Bool", "record: 'yes' is not a Bool"), ("{", "Startup", "record: '{' is not a Startup"),
    ])
  func wrongValue(value: String, type: String, message: String) async {
    #expect(await run("app", "metric", value, type) == (.wrongUsage, [message]))
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test("refuses an empty name")
  func emptyName() async {
    #expect(await run("app", "", "1") == (.wrongUsage, ["record: the metric's name is empty"]))
  }

  @Test("says why when the file cannot be written")
  func unwritable() async throws {
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: file) }
    let result = await run("app", "metric", "1")
    #expect(result.code == .failed)
    #expect(result.errors.first?.hasPrefix("record: fileUnavailable: cannot open ") == true)
  }
}

@Suite("optimize")
struct OptimizeCommandTests {
  let file = FileManager.default.temporaryDirectory.appendingPathComponent(
    "optimize-\(UUID().uuidString).jsonl")

  @Test("removes what is older than it may be, and says how much")
  func removal() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let now = Date(timeIntervalSinceReferenceDate: 100 * 86_400)
    let metric = Metric<Int>(name: "age")
    try await MetricFileStore(file: file).append(
      (0..<10).map {
        MetricEntry(timestamp: now.addingTimeInterval(-3_600 * Double($0)), metric: metric, value: $0)
      })
    let transcript = Transcript()
    let command = OptimizeCommand(path: file.path, keep: 4 * 3_600, console: transcript.console)
    #expect(await command.run(now: now) == .fine)
    #expect(transcript.output == "\(file.path): 5 removed, 5 kept\n")
    #expect(try await MetricFileStore(file: file).retrieveAll(for: metric).map(\.value) == [0, 1, 2, 3, 4])
  }

  @Test("keeps lines that are no entries, and says how many")
  func unreadable() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("no entry\n".utf8).write(to: file)
    let transcript = Transcript()
    #expect(await OptimizeCommand(path: file.path, keep: 1, console: transcript.console).run() == .fine)
    #expect(transcript.output == "\(file.path): 0 removed, 1 kept (1 of them no entries)\n")
    #expect(try Data(contentsOf: file) == Data("no entry\n".utf8))
  }

  @Test("fails with one line for a file that is not there")
  func missing() async {
    let transcript = Transcript()
    #expect(await OptimizeCommand(path: file.path, keep: 1, console: transcript.console).run() == .failed)
    #expect(transcript.errors == ["optimize: \(file.path): no such file"])
  }
}
