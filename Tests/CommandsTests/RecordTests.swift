import Commands
import Foundation
import MisterMetricsCore
import Platform
import TestSupport
import Testing

@Suite("record")
struct RecordTests {
  let file = FileManager.default.temporaryDirectory.appendingPathComponent(
    "record-\(UUID().uuidString).jsonl")

  private func run(
    _ bucket: String, _ name: String, _ value: String, _ type: RecordCommand.ValueType? = nil
  ) async -> (code: ExitCode, error: String) {
    let lines = Recorder<String>()
    let command = RecordCommand(
      .init(bucket: bucket, name: name, value: value, type: type, store: file.path))
    let code = await command.run(console: Console(write: { _ in }, writeError: { lines.append($0) }))
    return (code, lines.all.joined(separator: "\n"))
  }

  private func entries() async throws -> [MetricEntry] {
    try await MetricFileStore(file: file).retrieveAll(from: .distantPast, until: .distantFuture)
  }

  @Test(
    "takes the type that the text has",
    arguments: [
      ("42", "Int", "42"), ("-7", "Int", "-7"), ("428.5", "Double", "428.5"), ("1e3", "Double", "1000"),
      ("9223372036854775808", "Double", "9.223372036854776e+18"), ("true", "Bool", "true"),
      ("de_DE", "String", #""de_DE""#),
      ("nan", "String", #""nan""#), ("0x10", "String", #""0x10""#), ("", "String", #""""#),
    ])
  func inference(text: String, type: String, json: String) async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(await run("app", "metric", text) == (.success, ""))
    let entry = try #require(await entries().first)
    #expect(entry.metric.valueTypeString == type)
    #expect(entry.value == Data(json.utf8))
    #expect(entry.metric.bucket == Bucket("app"))
  }

  @Test("takes the type that it is told, and no bucket for a dash")
  func givenType() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(await run("-", "metric", "42", .double) == (.success, ""))
    #expect(await run("", "metric", "42", .string) == (.success, ""))
    #expect(try await entries().map(\.metric.valueTypeString) == ["Double", "String"])
    #expect(try await entries().allSatisfy { $0.metric.bucket == nil })
  }

  @Test("refuses a value that is not of its type, and an empty name")
  func wrongUsage() async throws {
    #expect(
      await run("app", "metric", "4.5", .int) == (
        .wrongUsage, "mistertop record: '4.5' is not a value of type int"
      ))
    #expect(
      await run("app", "metric", "inf", .double) == (
        .wrongUsage, "mistertop record: 'inf' is not a value of type double"
      ))
    #expect(
      await run("app", "metric", "yes", .bool) == (
        .wrongUsage, "mistertop record: 'yes' is not a value of type bool"
      ))
    #expect(await run("app", "", "1") == (.wrongUsage, "mistertop record: the name of the metric is empty"))
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test("the file that a command writes is the one that the system opens by that path")
  func links() async throws {
    let folder = try TemporaryFolder()
    for name in ["a", "a/b"] { try #require(mkdir(folder.path(name), 0o700) == 0) }
    try #require(symlink("a/b", folder.path("link")) == 0)
    // A relative path to it, from wherever the tests run.
    let up = try Posix.realPath(".").split(separator: "/").map { _ in "../" }.joined()
    let path = try up + Posix.realPath(folder.url.path).dropFirst() + "/link/../x.jsonl"
    let lines = Recorder<String>()
    let console = Console(write: { lines.append($0) }, writeError: { lines.append($0) })
    let request = RecordCommand.Request(bucket: "app", name: "n", value: "1", type: nil, store: path)
    #expect(await RecordCommand(request).run(console: console) == .success)
    let keep = try #require(Retention("4h"))
    #expect(await OptimizeCommand(paths: [path], keep: keep).run(console: console) == .success)
    #expect(lines.all == ["\(path): 0 removed, 1 kept\n"])
    #expect(!Posix.isTaken(folder.path("x.jsonl")) && Posix.isTaken(folder.path("a/x.jsonl")))
  }

  @Test("nothing is recorded in a packed file, behind whose end no reader looks")
  func packed() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let packed = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    try packed.write(to: file)
    let result = await run("app", "n", "1")
    #expect(result.code == .failed && result.error.hasSuffix(" is packed (gzip); unpack it first"))
    let keep = try #require(Retention("4h"))
    let console = Console(write: { _ in }, writeError: { _ in })
    #expect(await OptimizeCommand(paths: [file.path], keep: keep).run(console: console) == .failed)
    #expect(try Data(contentsOf: file) == packed)
  }

  @Test("says why when the file cannot be written")
  func unwritable() async throws {
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: file) }
    let result = await run("app", "metric", "1")
    #expect(result.code == .failed)
    #expect(result.error.hasPrefix("mistertop record: fileUnavailable: cannot open "))
  }
}

@Suite("optimize")
struct OptimizeCommandTests {
  let file = FileManager.default.temporaryDirectory.appendingPathComponent(
    "optimize-\(UUID().uuidString).jsonl")

  @Test("removes what is older than it shall keep, and says how much")
  func removal() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let now = Date(timeIntervalSinceReferenceDate: 100 * 86_400)
    let metric = Metric<Int>(name: "age")
    try await MetricFileStore(file: file).append(
      (0..<10).map {
        MetricEntry(timestamp: now.addingTimeInterval(-3_600 * Double($0)), metric: metric, value: $0)
      })
    let keep = try #require(Retention("4h"))
    let output = Recorder<String>()
    let code = await OptimizeCommand(paths: [file.path], keep: keep)
      .run(console: Console(write: { output.append($0) }, writeError: { _ in }), now: now)
    #expect(code == .success)
    #expect(output.all == ["\(file.path): 5 removed, 5 kept\n"])
  }

  @Test("rotated files that are packed, behind a gap or have foreign names stay as they are, and are named")
  func leftOut() async throws {
    let folder = try TemporaryFolder()
    let old = MetricEntry(
      timestamp: Date(timeIntervalSinceReferenceDate: 0), metric: Metric<Int>(name: "n"), value: 1)
    try await MetricFileStore(path: folder.path("a.jsonl")).append([old])
    let line = try String(contentsOfFile: folder.path("a.jsonl"), encoding: .utf8)
    let numbered = ["a.jsonl.1", "a.jsonl.2"]
    let others = [
      "a.1.jsonl", "a.jsonl-2026-11-20", "a.jsonl.3.gz", "a.jsonl.5", "a.jsonl.old", "a.jsonl.old.gz",
    ]
    for name in numbered + others + ["b.jsonl.1.gz"] { _ = try folder.write(line, to: name) }
    try #require(symlink("a.jsonl", folder.path("link")) == 0)
    let keep = try #require(Retention("1d"))
    let (output, errors) = (Recorder<String>(), Recorder<String>())
    let console = Console(write: { output.append($0) }, writeError: { errors.append($0) })
    #expect(
      await OptimizeCommand(paths: [folder.path("a.jsonl"), folder.path("link")], keep: keep)
        .run(console: console) == .success)
    let remark =
      others.joined(separator: ", ")
      + ": left as they are; only a.jsonl and its numbered files from a.jsonl.1 on, up to a gap of two, are compacted\n"
    #expect(
      output.all == [
        "\(folder.path("a.jsonl")): 3 removed, 0 kept\n" + remark,
        "\(folder.path("link")): 0 removed, 0 kept\n" + remark,
      ])
    #expect(errors.all.isEmpty)
    for name in others {
      #expect(try String(contentsOfFile: folder.path(name), encoding: .utf8) == line)
      if name != others[0] { try FileManager.default.removeItem(atPath: folder.path(name)) }
    }
    #expect(
      await OptimizeCommand(paths: [folder.path("a.jsonl")], keep: keep).run(console: console) == .success)
    #expect(output.all.last?.contains("\na.1.jsonl: left as it is; only ") == true)
  }

  @Test("names a file that is not there, and goes on with the others")
  func missing() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("no entry\n".utf8).write(to: file)
    let keep = try #require(Retention("30d"))
    let (output, errors) = (Recorder<String>(), Recorder<String>())
    let missing = file.appendingPathExtension("missing")
    let code = await OptimizeCommand(paths: [missing.path, file.path], keep: keep)
      .run(console: Console(write: { output.append($0) }, writeError: { errors.append($0) }))
    #expect(code == .failed)
    #expect(errors.all == ["mistertop optimize: \(missing.path): no such file"])
    #expect(output.all == ["\(file.path): 0 removed, 1 kept (1 of them unreadable)\n"])
    let loop = file.appendingPathExtension("loop")
    try FileManager.default.createSymbolicLink(at: loop, withDestinationURL: loop)
    defer { try? FileManager.default.removeItem(at: loop) }
    let again = await OptimizeCommand(paths: [loop.path], keep: keep)
      .run(console: Console(write: { output.append($0) }, writeError: { errors.append($0) }))
    #expect(
      again == .failed
        && errors.all.last == "mistertop optimize: \(loop.path): Too many levels of symbolic links")
  }

  @Test("understands hours, days and weeks")
  func retention() throws {
    let now = Date(timeIntervalSinceReferenceDate: 100 * 86_400 + 40_000)
    func cutoff(_ text: String) -> Date? { Retention(text).map { $0.cutoff(before: now) } }
    #expect(cutoff("12h") == now.addingTimeInterval(-43_200))
    let calendar = Calendar.current
    for (text, days) in [("30d", 30), ("2w", 14), ("0d", 0), ("1000000d", 1_000_000)] {
      let day = try #require(calendar.date(byAdding: .day, value: -days, to: now))
      #expect(days > 1_000 || cutoff(text) == calendar.startOfDay(for: day), "\(text)")
      #expect(cutoff(text).map { $0 <= now } == true, "\(text)")
    }
    for text in ["", "30", "d", "-1d", "3.5d", "30 d", "30x", "٣d", "99999999999999999999d", "1000001d"] {
      #expect(Retention(text) == nil, "\(text)")
    }
  }
}
