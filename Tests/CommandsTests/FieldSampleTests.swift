import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

@testable import Commands

/// Files as users have them: shapes, encodings, packing and single bad values.
@Suite("Files from the field")
struct FieldSampleTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static func record(_ number: Int, _ extra: String = "") -> String {
    #"{"level":30,"time":\#(1_795_700_000_000 + number * 1000),"msg":"done","responseTime":\#(10 + number)\#(extra)}"#
  }

  private static let records = (0..<20).map { record($0) }

  private struct Result {
    /// `count min max` of a row.
    let figures: [String: String]
    let errors: [String]
    let code: ExitCode
  }

  private func stats(
    _ bytes: [UInt8], name: String = "app.log", map: String? = nil
  ) async throws -> Result {
    let path = folder.path(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let (out, err) = (Recorder<String>(), Recorder<String>())
    var request = StatsCommand.Request(paths: [path])
    (request.format, request.includesFields) = (.csv, true)
    request.mapping = try map.map { try LineMapping.parse($0) }
    let code = await StatsCommand(request).run(
      console: Console(write: { out.append($0) }, writeError: { err.append($0) }))
    var figures: [String: String] = [:]
    for line in out.all.joined().split(whereSeparator: \.isNewline).dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      figures[String(cells[1])] = cells[3...5].joined(separator: " ")
    }
    return Result(figures: figures, errors: err.all.map { $0.replacing(path, with: "FILE") }, code: code)
  }

  static let shapes: [(name: String, text: String)] = [
    ("an array, a record a line", "[\n" + records.joined(separator: ",\n") + "\n]\n"),
    ("an array in one line", "[" + records.joined(separator: ",") + "]"),
    (
      "a pretty-printed array",
      "[\n  " + records.joined(separator: ",\n  ").replacing(",\"", with: ",\n    \"") + "\n]\n"
    ),
    ("two records a line", records.enumerated().map { $1 + ($0 % 2 == 1 ? "\n" : "") }.joined()),
    ("a comma behind each", records.map { $0 + ",\n" }.joined()),
    ("a text sequence", records.map { "\u{1E}\($0)\n" }.joined()),
  ]

  @Test("Every shape gives twenty records", arguments: shapes)
  func shape(name: String, text: String) async throws {
    let result = try await stats(Array(text.utf8))
    #expect(result.figures["pino.responseTime"] == "20 10 29", "\(name)")
    #expect(result.code == .success && result.errors.count == 1, "\(result.errors)")
  }

  @Test("UTF-16 and xz give what the lines give")
  func encodings() async throws {
    let text = Self.records.map { $0 + "\r\n" }.joined()
    let wide: [UInt8] =
      [0xFF, 0xFE] + text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    #expect(try await stats(wide).figures["pino.responseTime"] == "20 10 29")
    guard ChildProcess.isInstalled("xz") else { return }
    let plain = try folder.write(text, to: "plain")
    #expect(try ChildProcess("xz", ["-c", plain], output: folder.path("packed")).wait() == .exited(0))
    let packed = try Array(Data(contentsOf: URL(fileURLWithPath: folder.path("packed"))))
    let result = try await stats(packed, name: "rotated.log")
    #expect(result.figures["pino.responseTime"] == "20 10 29" && result.code == .success)
    let cut = try await stats(packed.dropLast(20), name: "rotated.log")
    #expect(cut.code == .failed && cut.errors.contains { $0.contains("was not unpacked completely by xz") })
  }

  @Test("Bad values cost only themselves, and standard error counts them")
  func flaws() async throws {
    let nan = (0..<20).map { Self.record($0, $0 % 4 == 0 ? ",\"load\":NaN" : "") + "\n" }.joined()
    let first = try await stats(Array(nan.utf8))
    #expect(first.figures["pino.responseTime"] == "20 10 29" && first.code == .success)
    #expect(
      first.errors.last
        == "mistertop stats: FILE: read all but a value of 5 lines each of which has NaN or infinity instead of a number, first at line 1, byte 0"
    )
    var latin: [UInt8] = []
    for number in 0..<20 {
      latin += Array(Self.record(number).utf8).dropLast() + Array(",\"who\":\"caf".utf8)
      if number == 0 { latin.append(0xE9) }
      latin += Array("\"}\n".utf8)
    }
    let second = try await stats(latin)
    #expect(second.figures["pino.responseTime"] == "20 10 29" && second.code == .success)
    #expect(
      second.errors.last?.contains("read all but a value of 1 line that has bytes that are not valid UTF-8")
        == true)
  }

  @Test("Repeated members count once, numbers in quotes as numbers")
  func values() async throws {
    let repeated = (0..<20).map {
      #"{"level":"info","time":\#(1_795_700_000 + $0),"ms":\#($0),"message":"m","ms":\#(1000 + $0)}"# + "\n"
    }
    #expect(try await stats(Array(repeated.joined().utf8)).figures["zerolog.ms"] == "20 1000 1019")
    let quoted = (0..<20).map {
      #"{"time":\#(1_795_700_000 + $0),"level":"info","message":"m","status":"200","request_time":"0.0\#(10 + $0)"}"#
        + "\n"
    }
    let bytes = Array(quoted.joined().utf8)
    let result = try await stats(bytes)
    #expect(
      result.figures["zerolog.request_time"] == "20 0.01 0.029" && result.figures["zerolog.status"] == "20  ")
    #expect(try await stats(bytes, map: "time=time,value=status").figures["mapped"] == "20 200 200")
    #expect(try await stats(bytes, map: "time=time,value=status,as=text").figures["mapped"] == "20  ")
    #expect(try await stats(bytes, map: "as=text").figures["zerolog.request_time"] == "20  ")
  }

  @Test("A list in an object and lines without a time come with a command that works as typed")
  func commands() async throws {
    let cases: [(text: String, program: String, figures: String)] = [
      (#"{"results":[{"ts":1795454102.5,"ms":1},{"ts":1795454103.5,"ms":2}]}"#, ".results[]", "2 1 2"),
      (
        "{\n  \"data\": {\n    \"items\": [\n{\"ts\": 1795454102.5, \"ms\": 3}]}}\n", ".data.items[]", "1 3 3"
      ),
      ("{\"ms\":1}\n{\"ms\":2}\n", "(arrays[] // .) | .time = 1000000000 + input_line_number", "2 1 2"),
      (
        "[\n  {\n    \"ms\": 1\n  }\n]\n", "(arrays[] // .) | .time = 1000000000 + input_line_number", "1 1 1"
      ),
    ]
    for (text, program, figures) in cases {
      let result = try await stats(Array(text.utf8), name: "app.json")
      #expect(result.code == .failed)
      #expect(
        result.errors.last?.hasSuffix(": jq -c '\(program)' FILE | mistertop -") == true,
        "\(result.errors)")
      guard ChildProcess.isInstalled("jq") else { continue }
      let made = folder.path("made of \(text.utf8.count) bytes")
      #expect(
        try ChildProcess("jq", ["-c", program, folder.path("app.json")], output: made).wait() == .exited(0))
      #expect(
        try await stats(Array(Data(contentsOf: URL(fileURLWithPath: made)))).figures["log.ms"] == figures)
    }
  }

  @Test("Text formats without times come with what to read instead")
  func texts() async throws {
    let locust = try await stats(
      Array("Type,Name,Request Count,Failure Count\nGET,/,1,0\n".utf8), name: "a_stats.csv")
    #expect(locust.errors.last?.hasSuffix("/a_stats_history.csv") == true, "\(locust.errors)")
    let scrape = try await stats(Array("# HELP up x\n# TYPE up gauge\nup 1\n".utf8))
    #expect(scrape.errors.last?.contains("OpenTelemetry") == true)
  }

  @Test("doctor gives the reason for a date that may be read in two ways")
  func ambiguous() throws {
    let path = try folder.write(
      #"{"level":"info","msg":"a","time":"11/26/2026 07:51:35"}"# + "\n", to: "app.log")
    let out = Recorder<String>()
    _ = DoctorCommand(console: Console(write: { out.append($0) }, writeError: { _ in })).run(paths: [path])
    #expect(out.all.joined().contains("  rejected  1 × has a date whose order of day and month is uncertain"))
  }

  @Test("doctor lists what was read in part")
  func doctor() throws {
    let path = try folder.write(Self.record(0, ",\"a\":NaN") + "\n" + Self.record(1) + "\n", to: "app.log")
    let out = Recorder<String>()
    let code = DoctorCommand(console: Console(write: { out.append($0) }, writeError: { _ in })).run(paths: [
      path
    ])
    let text = out.all.joined()
    #expect(code == .failed && text.contains("  rejected  none\n"))
    #expect(text.contains("  in part   1 × has NaN or infinity instead of a number\n"))
    #expect(text.contains("app.log:1:0 has NaN or infinity"))
  }

  @Test("tail follows a text that only a stream can read")
  func growing() throws {
    let path = try folder.write("[\n  {\n    \"ts\": 1795454102.5,\n    \"msg\": \"a\"\n  }", to: "app.json")
    let text = try GrowingText(path: path, selection: SampleSelection(), mapping: nil) { _ in }
    var printed = ""
    text.read { printed += $0 }
    #expect(printed.split(separator: "\n").count == 1 && text.canGrow)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data(",\n  {\n    \"ts\": 1795454103.5,\n    \"msg\": \"b\"\n  }\n]\n".utf8))
    text.read { printed += $0 }
    #expect(printed.split(separator: "\n").count == 2)
    let packed = folder.path("packed")
    try Data(Array("PK\u{3}\u{4}rest".utf8)).write(to: URL(fileURLWithPath: packed))
    let problems = Recorder<String>()
    let zip = try GrowingText(path: packed, selection: SampleSelection(), mapping: nil) {
      problems.append($0)
    }
    zip.read { _ in }
    #expect(
      !zip.canGrow && !zip.isWhole && problems.all.first?.hasSuffix("unzip -p FILE | mistertop -") == true)
  }

  @Test("A spool follows what is appended to such a text, until it is stopped")
  func spool() throws {
    let path = try folder.write("{\n\"a\": 1\n}\n", to: "app.json")
    let target = folder.path("target")
    let spool = Spool(.packed(path), to: target)
    try spool.start { _ in }
    func waits(for text: String) -> Bool {
      let end = MonotonicInstant.now() + 20
      while MonotonicInstant.now() < end {
        if (try? String(contentsOfFile: target, encoding: .utf8)) == text { return true }
        usleep(20_000)
      }
      return false
    }
    #expect(waits(for: "{\"a\":1}\n"))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data("{\n\"a\": 2\n}\n".utf8))
    #expect(waits(for: "{\"a\":1}\n{\"a\":2}\n"))
    spool.stop()
  }
}
