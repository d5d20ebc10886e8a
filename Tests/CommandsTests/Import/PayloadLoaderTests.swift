import Codecs
import Commands
import Foundation
import MisterMetricsCore
import TestSupport
import Testing

@Suite("Opening files of payloads")
struct PayloadOpeningTests {
  private let fixture: ImportFixture

  init() throws {
    fixture = try ImportFixture()
  }

  /// The payloads and the metrics files among some names, by their names.
  private func split(_ names: String...) -> [[String]] {
    let operands = PayloadOperands(names.map { $0 == "-" ? $0 : fixture.folder.path($0) })
    return [operands.payloads, operands.metrics].map { paths in
      paths.map { $0.replacingOccurrences(of: fixture.folder.url.path + "/", with: "") }
    }
  }

  private func writeMetrics(to name: String) async throws {
    try await MetricFileStore(file: URL(fileURLWithPath: fixture.folder.path(name)))
      .record(Metric<Int>(name: "payload"), value: 1)
  }

  private func open(_ names: String...) async -> PayloadLoader.Outcome {
    await PayloadLoader(
      names.map { fixture.folder.path($0) }, into: fixture.store, timeZone: .utc
    ).run(console: fixture.console)
  }

  @Test("files are told by how they begin, whatever their names")
  func files() async throws {
    try fixture.write(ImportFixture.metrics(), to: "day.txt")
    try fixture.write(ImportFixture.crash, to: "crash")
    let packed = try #require(Data(base64Encoded: ImportFixture.packedCrash))
    try packed.write(to: fixture.folder.url.appendingPathComponent("packed.gz"))
    try await writeMetrics(to: "app.json")
    try fixture.write("", to: "empty.jsonl")
    try fixture.write("notes\n", to: "notes.txt")
    mkfifo(fixture.folder.path("fifo"), 0o600)
    #expect(
      split("day.txt", "-", "app.json", "packed.gz", "none.json", "crash", "empty.jsonl", "notes.txt", "fifo")
        == [
          ["day.txt", "packed.gz", "crash"],
          ["-", "app.json", "none.json", "empty.jsonl", "notes.txt", "fifo"],
        ])
  }

  @Test("of a large tree so much is looked at, and no more: it may be a whole disk")
  func largeTree() throws {
    for number in 0..<1_900 { try fixture.write("{\"a\":1}", to: "tree/a/\(number).json") }
    try fixture.write(ImportFixture.crash, to: "tree/b/crash.json")
    #expect(split("tree") == [["tree"], []])
    for number in 0..<200 { try fixture.write("{\"a\":1}", to: "tree/a/more\(number).json") }
    #expect(split("tree") == [[], ["tree"]])
  }

  @Test("beside payloads, what ends with .json and is nothing is a broken one; alone, another program's")
  func broken() async throws {
    try fixture.write("{\"a\":[", to: "broken.json")
    try fixture.write("", to: "empty.json")
    try fixture.write(ImportFixture.crash, to: "crash.json")
    #expect(split("broken.json", "empty.json") == [[], ["broken.json", "empty.json"]])
    #expect(split("broken.json", "empty.json", "crash.json").first?.count == 3)
  }

  static let others = [
    #"{"type":"Metric","data":{"name":"http_reqs","type":"counter"},"metric":"http_reqs"}"#,
    #"{"__REALTIME_TIMESTAMP":"1795454102500000","MESSAGE":"m"}"#,
    "[\n" + #"{"level":30,"time":1795454102500,"msg":"m","n":1}"#,
    #"{"results":[{"command":"a","times":[1]}]}"#,
    #"{"_aws":{"Timestamp":1,"CloudWatchMetrics":[]}}"#,
  ]

  @Test("a name in .json does not make payloads of other programs' lines", arguments: others)
  func otherPrograms(text: String) throws {
    try fixture.write(text + "\n", to: "results.json")
    try fixture.write("{\"appVersion\":", to: "truncated.json")
    #expect(split("results.json") == [[], ["results.json"]])
    #expect(split("truncated.json") == [["truncated.json"], []])
    #expect(PayloadOperands([fixture.folder.path("results.json")]).advice == nil)
  }

  @Test("a folder holds payloads if one file in it does, however deep, and none is a metrics file")
  func folders() async throws {
    #expect(split("in") == [[], ["in"]])
    try fixture.write("no payload", to: "in/notes.json")
    try fixture.write(ImportFixture.crash, to: "in/2025/03/crash.json")
    #expect(split("in", "in/2025") == [["in", "in/2025"], []])
    try await writeMetrics(to: "in/app.jsonl")
    #expect(split("in") == [[], ["in"]])
    try fixture.write(ImportFixture.crash, to: "in/a.json")
    #expect(split("in") == [[], ["in"]])
  }

  @Test("what is in the files is in the store, and what cannot be read is told without more ado")
  func opening() async throws {
    try fixture.write(ImportFixture.metrics(), to: "in/a.json")
    try fixture.write("{\n", to: "in/b\u{1B}[2J.json")
    try fixture.write(ImportFixture.crash, to: "crash.json")
    let outcome = await open("in", "crash.json")
    #expect(outcome.hasPayloads && outcome.problems.count == 1)
    #expect(outcome.message?.hasSuffix(".json: line 2, column 1 (byte 2): the JSON ends too early") == true)
    #expect(outcome.message?.contains("\u{1B}") == false)
    #expect(try await fixture.entries().count == 8)
    #expect(fixture.output.all.isEmpty && fixture.complaints.all.isEmpty)
  }

  @Test("of many problems the first is told, and how many more there are")
  func problems() async throws {
    for name in ["a", "b", "c"] { try fixture.write("{", to: "in/\(name).json") }
    let outcome = await open("in")
    #expect(!outcome.hasPayloads && outcome.problems.count == 3)
    #expect(
      outcome.message
        == "\(fixture.folder.path("in/a.json")): line 1, column 2 (byte 1): the JSON ends too early; "
        + "2 more in the log")
  }

  @Test("commands that read metrics files say how payloads become one")
  func advice() async throws {
    try fixture.write(ImportFixture.crash, to: "crash.json")
    try await writeMetrics(to: "app.jsonl")
    let (payload, metrics) = (fixture.folder.path("crash.json"), fixture.folder.path("app.jsonl"))
    #expect(PayloadOperands([metrics]).advice == nil)
    #expect(
      PayloadOperands([metrics, payload]).advice
        == "\(payload) contains MetricKit payloads; import them first with: "
        + "mistertop import \(payload) --store metrics.jsonl")
  }
}
