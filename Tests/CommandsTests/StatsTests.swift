import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

@testable import Commands

@Suite("stats")
struct StatsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func line(
    _ value: String, name: String = "n", bucket: String? = "b", type: String = "Double", time: Double = 1
  )
    -> String
  {
    let bucket = bucket.map { "\"bucket\":\"\($0)\"," } ?? ""
    let base64 = Data(value.utf8).base64EncodedString()
    return
      "{\"metric\":{\(bucket)\"name\":\"\(name)\",\"valueTypeString\":\"\(type)\"},\"timestamp\":\(time),"
      + "\"value\":\"\(base64)\"}\n"
  }

  private func run(_ text: String, _ change: (inout StatsCommand.Request) -> Void = { _ in }) async throws
    -> (
      out: String, err: [String], code: ExitCode
    )
  {
    let path = try folder.write(text, to: "m.jsonl")
    let (out, err) = (Recorder<String>(), Recorder<String>())
    var request = StatsCommand.Request(paths: [path])
    request.format = .json
    request.workers = 2
    change(&request)
    let code = await StatsCommand(request).run(
      console: Console(write: { out.append($0) }, writeError: { err.append($0) }))
    return (out.all.joined(), err.all.map { $0.replacingOccurrences(of: path, with: "FILE") }, code)
  }

  private func rows(_ text: String, _ change: (inout StatsCommand.Request) -> Void = { _ in }) async throws
    -> [[String:
    Any]]
  {
    let output = try await run(text, change).out
    return try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]])
  }

  @Test("writes one object for each metric, with null where a type has no number")
  func json() async throws {
    let text = line("1") + line("2.5", time: 3) + line("true", name: "f", bucket: nil, type: "Bool")
    #expect(
      try await run(text).out == """
        [
          {"bucket":null,"name":"f","type":"Bool","count":1,"min":null,"max":null,"mean":null,"stddev":null,"p50":null,"p90":null,"p95":null,"p99":null,"first":1,"last":1,"numbers":0,"error":null},
          {"bucket":"b","name":"n","type":"Double","count":2,"min":1,"max":2.5,"mean":1.75,"stddev":0.75,"p50":1,"p90":2.5,"p95":2.5,"p99":2.5,"first":1,"last":3,"numbers":2,"error":0}
        ]

        """)
  }

  /// Names, and twice as many numbers of one metric as of the other.
  private static let skewed: [(name: String, number: Double)] = (0..<300).map { place in
    guard place < 200 else { return ("even", Double(place - 200)) }
    return ("skewed", 1000 * exp(Double(place * 37 % 200) / 40))
  }

  @Test("percentiles are those of the numbers themselves, as on the screens")
  func exact() async throws {
    let text = Self.skewed.map { line("\($0.1)", name: $0.0) }.joined()
    let rows = try await rows(text)
    for row in rows {
      let name = try #require(row["name"] as? String)
      let sorted = Self.skewed.filter { $0.0 == name }.map(\.1).sorted()
      for percentile in [50, 90, 95, 99] {
        let rank = (percentile * sorted.count + 99) / 100
        // Foundation reads the last digit as it likes.
        let found = try #require(row["p\(percentile)"] as? Double)
        #expect(abs(found / max(1, sorted[rank - 1]) - 1) < 1e-14 || found == sorted[rank - 1], "\(name)")
      }
      #expect(row["error"] as? Double == 0)
    }
    #expect(rows.first?["p50"] as? Double == 49)
  }

  @Test("where there are too many numbers to keep, the bound of what is told stands beside it")
  func rough() async throws {
    let text = Self.skewed.map { line("\($0.1)", name: $0.0) }.joined()
    let rows = try await rows(text) { $0.keptNumbers = 250 }
    // Those with the most are abandoned first.
    #expect(rows.map { $0["name"] as? String } == ["even", "skewed"])
    #expect(rows.map { $0["error"] as? Double } == [0, 0.0079])
    let table = try await run(text) { ($0.keptNumbers, $0.format) = (250, .table) }.out
    #expect(table.contains("  ~") && table.hasSuffix("~ too many numbers to keep them all: within 0.79 %\n"))
    let whole = try await run(text) { $0.format = .table }.out
    #expect(!whole.contains("~"))
  }

  @Test("numbers are counted apart from nulls and texts, which no figure is of")
  func others() async throws {
    let text = line("1") + line("3") + line("null") + line("\"x\"")
    let row = try #require(try await rows(text).first)
    #expect(row["count"] as? Int == 4 && row["numbers"] as? Int == 2 && row["mean"] as? Double == 2)
    let table = try await run(text) { $0.format = .table }.out
    #expect(table.contains("count  numbers"))
    #expect(!(try await run(line("1")) { $0.format = .table }.out.contains("numbers")))
  }

  private static let pino = #"{"level":30,"time":1795454102500,"pid":1,"msg":"a","ms":12.5}"# + "\n"
  private static let other = #"{"at":1795454102.5,"op":"read","ms":12}"# + "\n"

  @Test("other programs' lines have a row for each of their numbers, and what they are is said")
  func foreign() async throws {
    let found = try await run(Self.pino + Self.pino) { $0.format = .table }
    #expect(found.out.contains("pino.ms") && found.out.contains("pino log"))
    #expect(
      found.err == [
        "mistertop stats: FILE: recognized as pino log: numbers are metrics, texts are dimensions"
      ])
    #expect(found.code == .success)
  }

  @Test("a mapping finds time, name and value")
  func mapped() async throws {
    let row = try #require(
      try await rows(Self.other) { $0.mapping = try? LineMapping.parse("time=at,name=op,value=ms") }.first)
    #expect(row["name"] as? String == "read" && row["max"] as? Double == 12)
    #expect(row["first"] as? Double == 817_146_902.5)
  }

  @Test("fails where no line can be read, and says which mapping to try")
  func unreadable() async throws {
    let found = try await run(Self.other + Self.other.replacing(":12}", with: ":13}"))
    #expect(found.code == .failed && found.out == "[]\n")
    #expect(found.err.count == 4)
    #expect(found.err.first?.contains("rejected 2 lines each of which has no metric") == true)
    #expect(
      found.err.last
        == "mistertop stats: FILE: to read it as other JSON lines, try --map time=at,name=op,value=ms"
        + " (it reads 2 of 2 lines tried)")
    #expect(
      try await run("starting\n" + Self.other).err.last?
        .hasSuffix("try --map time=at,name=op,value=ms (it reads 1 of 1 line tried)") == true)
    #expect(try await run(#"{"at":1795454102.5,"op" 1}"#).err.contains { $0.contains("--map") } == false)
    #expect(try await run(Self.other + line("1")).code == .success)
    #expect(try await run("\n\n").code == .success)
  }

  @Test("no mapping is advised for a line that none can read")
  func tooDeep() async throws {
    let nest = String(repeating: #"{"a":"#, count: 5000) + "1" + String(repeating: "}", count: 5000)
    let found = try await run(#"{"level":30,"time":1795454102500,"ms":1,"a":"# + nest + "}\n")
    #expect(found.code == .failed && !found.err.contains { $0.contains("--map") }, "\(found.err)")
    #expect(found.err.first?.contains("is nested more than 512 levels deep") == true, "\(found.err)")
  }

  @Test("fails where the only line is too long, has no end, and spans several parts of the file")
  func endless() async throws {
    let (_, err, code) = try await run(String(repeating: "x", count: RejectionReason.lineLimit + 1))
    #expect(code == .failed)
    #expect(err.contains { $0.contains("rejected 1 line that is longer than 16 MiB") })
  }

  @Test("the limits of Int64 and UInt64 are exact")
  func wideIntegers() async throws {
    let text = line("-9223372036854775808", type: "Int") + line("9223372036854775807", type: "Int")
    #expect(try await run(text).out.contains("\"min\":-9223372036854775808,\"max\":9223372036854775807,"))
    #expect(try await run(line("18446744073709551615")).out.contains("\"max\":18446744073709551615,"))
    let mixed = try await run(line("9007199254740993") + line("1e300")).out
    #expect(mixed.contains("\"min\":9007199254740993,\"max\":1e+300,"))
    let edge = try await run(line("9007199254740993") + line("9007199254740992")).out
    #expect(edge.contains("\"min\":9007199254740992,\"max\":9007199254740993,"))
  }

  @Test("whole numbers beyond 64 bits keep their digits, and so do those of fields and of OTLP")
  func wideIntegersElsewhere() async throws {
    let values = ["18446744073709551617", "-18446744073709551617", "9007199254740993"]
    let far = try await run(values.map { line($0) }.joined()).out
    #expect(far.contains("\"min\":-18446744073709551617,\"max\":18446744073709551617,"), "\(far)")
    let structs = line(#"{"id":9007199254740993}"#, type: "S") + line(#"{"id":9007199254740995}"#, type: "S")
    let fields = try await run(structs) { $0.includesFields = true }.out
    #expect(fields.contains("\"min\":9007199254740993,\"max\":9007199254740995,"), "\(fields)")
    let log = #"{"level":30,"time":1795454102500,"id":9007199254740993}"# + "\n"
    #expect(try await run(log).out.contains("\"min\":9007199254740993,\"max\":9007199254740993,"))
    let point = #"{"timeUnixNano":"1795454102500000000","asInt":"9007199254740993"}"#
    let otlp =
      #"{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"n","gauge":{"dataPoints":["#
      + point + "]}}]}]}]}\n"
    #expect(try await run(otlp).out.contains("\"min\":9007199254740993,\"max\":9007199254740993,"))
  }

  @Test("a whole number in digits goes before one of the same 53 bits with an exponent, and before no other")
  func wideIntegersBesideExponents() async throws {
    let same = try await run(line("1e16") + line("10000000000000001")).out
    #expect(same.contains("\"min\":10000000000000001,\"max\":10000000000000001,"), "\(same)")
    let other = try await run(line("1e16") + line("10000000000000003")).out
    #expect(other.contains("\"min\":1e+16,\"max\":10000000000000003,"), "\(other)")
  }

  @Test("no percentile of whole numbers beyond 53 bits is outside of their extremes")
  func widePercentiles() async throws {
    let same = try await run(String(repeating: line("9007199254740993"), count: 3)).out
    #expect(same.contains("\"p50\":9007199254740993,\"p90\":9007199254740993,"), "\(same)")
    let two = try await run(line("-9007199254740993") + line("9007199254740993")).out
    #expect(two.contains("\"p50\":-9007199254740993,\"p90\":9007199254740993,"), "\(two)")
  }

  @Test("huge, tiny, negative, zero and constant values keep their figures")
  func extremes() async throws {
    let text = ["1e300", "-1e300", "1e-300", "0", "-5"].map { line($0) }.joined()
    let row = try #require(try await rows(text).first)
    #expect(row["min"] as? Double == -1e300)
    #expect(row["max"] as? Double == 1e300)
    #expect(row["mean"] as? Double == -1)
    let constant = try #require(try await rows(String(repeating: line("0.1"), count: 1000)).first)
    #expect(constant["mean"] as? Double == 0.1)
    #expect(constant["stddev"] as? Double == 0)
    #expect(constant["p99"] as? Double == 0.1)
  }

  @Test("counts samples of one name but two types apart")
  func types() async throws {
    let names = try await rows(line("1", type: "Int") + line("1") + line("null", type: "Optional<Double>"))
      .map { $0["type"] as? String }
    #expect(names == ["Double", "Int", "Optional<Double>"])
  }

  @Test("null is counted and is not 0")
  func null() async throws {
    let row = try #require(try await rows(line("null") + line("4")).first)
    #expect(row["count"] as? Int == 2)
    #expect(row["min"] as? Double == 4)
  }

  @Test("fields of structs get rows when asked for")
  func structFields() async throws {
    let text =
      line(#"{"cpu":1.5,"io":{"wait":2},"ok":true,"list":[1]}"#, type: "Load")
      + line(#"{"cpu":2.5}"#, type: "Load")
    #expect(try await rows(text).count == 1)
    let rows = try await rows(text) { $0.includesFields = true }
    #expect(rows.map { $0["name"] as? String } == ["n", "n.cpu", "n.io.wait", "n.ok"])
    #expect(rows[1]["mean"] as? Double == 2)
  }

  @Test("filters by bucket, name and time")
  func filters() async throws {
    let text = line("1", time: 10) + line("2", time: 20) + line("3", name: "m", bucket: nil, time: 30)
    #expect(try await rows(text) { $0.selection.bucket = "b" }.first?["count"] as? Int == 2)
    #expect(try await rows(text) { $0.selection.bucket = "" }.first?["name"] as? String == "m")
    #expect(try await rows(text) { $0.selection.metric = "m" }.count == 1)
    #expect(
      try await rows(text) {
        $0.selection.since = Timestamp(20); $0.selection.until = Timestamp(20)
      }.map { $0["max"] as? Double } == [2])
    #expect(try await run(text) { $0.selection.since = Timestamp(99) }.out == "[]\n")
  }

  @Test("tells rejected lines by reason on standard error, with a place")
  func rejections() async throws {
    let result = try await run("junk\n" + line("1") + "{}\n" + "more junk\n")
    #expect(
      result.err == [
        "mistertop stats: FILE: rejected 2 lines each of which is not valid JSON, first at line 1, byte 0",
        "mistertop stats: FILE: rejected 1 line that has no metric with a name and a type, first at line 3, byte \(5 + line("1").utf8.count)",
      ])
    #expect(result.code == .success)
  }

  @Test("a file that is not there fails with one line")
  func missing() async {
    let err = Recorder<String>()
    let code = await StatsCommand(.init(paths: ["/nowhere/x.jsonl"])).run(
      console: Console(write: { _ in }, writeError: { err.append($0) }))
    #expect(code == .failed)
    #expect(err.all == ["mistertop stats: /nowhere/x.jsonl: no such file"])
  }

  @Test("names are quoted in CSV and made harmless in the table")
  func otherFormats() async throws {
    let text = line("1", name: "a,\\\"b\\u001b[31m")
    #expect(
      try await run(text) { $0.format = .csv }.out.contains(
        "b,\"a,\"\"b\u{1b}[31m\",Double,1,1,1,1,0,1,1,1,1,1,1,1,0\r\n"))
    let table = try await run(text) { $0.format = .table }.out
    #expect(!table.contains("\u{1b}"))
    #expect(table.hasPrefix("bucket  name"))
    let out = Recorder<String>()
    var csv = StatsCommand.Request(paths: [try folder.write(text, to: "t.jsonl")])
    csv.format = .csv
    _ = await StatsCommand(csv).run(
      console: Console(isTerminal: true, write: { out.append($0) }, writeError: { _ in }))
    #expect(out.all.joined().contains("b,\"a,\"\"b\u{FFFD}[31m\",Double"))
  }

  @Test("what a terminal would obey is escaped in JSON, and reads back the same")
  func jsonEscapes() async throws {
    let name = "C1 \u{9b}31m \u{202e}bidi\u{200b} \u{e0041}"
    let text = try await run(line("1", name: name)).out
    #expect(text.contains(#""name":"C1 \u009b31m \u202ebidi\u200b \udb40\udc41""#))
    #expect(try await rows(line("1", name: name)).first?["name"] as? String == name)
  }

  @Test("one endless name does not make every line of the table as long")
  func endlessName() async throws {
    let table = try await run(line("1", name: String(repeating: "n", count: 5000)) + line("2")) {
      $0.format = .table
    }.out
    #expect(table.split(separator: "\n").allSatisfy { $0.count < 200 })
    #expect(table.contains("nnn…  Double"))
  }
}
