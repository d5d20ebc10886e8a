import Aggregation
import Foundation
import Platform
import QueryLanguage
import TestSupport
import Testing

@testable import Commands

@Suite("stats --incidents")
struct IncidentListingTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    // One value a second; a peak at 04:35:39, with which the queue grows.
    var text = ""
    for second in 0..<600 {
      let isPeak = (300..<309).contains(second)
      let start = 816_928_239.0 - 300
      text += try Self.line("request_ms", start + Double(second), isPeak ? 9750 : 70 + Double(second % 11))
      text += try Self.line("queue_depth", start + Double(second), isPeak ? 135 : Double(second % 4))
    }
    path = try folder.write(text, to: "app.jsonl")
  }

  private static func line(_ name: String, _ time: Double, _ value: Double) throws -> String {
    let metric = #"{"bucket":"net","name":"\#(name)","valueTypeString":"Double"}"#
    return
      #"{"metric":\#(metric),"timestamp":\#(time),"value":"\#(Data("\(value)".utf8).base64EncodedString())"}"#
      + "\n"
  }

  private func run(
    at clock: Double = 1e9, _ change: (inout StatsCommand.Request) -> Void = { _ in }
  ) async -> (ExitCode, String) {
    var request = StatsCommand.Request(paths: [path])
    request.listsIncidents = true
    change(&request)
    let recorder = Recorder<String>()
    let code = await StatsCommand(request, clock: { Timestamp(clock) }).run(
      console: Console(write: { recorder.append($0) }, writeError: { recorder.append($0) }))
    return (code, recorder.all.joined())
  }

  @Test("what began together is one line, with its times and by how much, the worst first")
  func together() async {
    let (code, output) = await run()
    let lines = output.split(separator: "\n")
    #expect(code == .success && lines.count == 1)
    let expected = "net.request_ms 74.5ms → 9.75s (131×) with net.queue_depth 1.50 → 135 (90×)"
    #expect(output.contains(expected), "\(output)")
  }

  @Test("as JSON, with the times of the file")
  func json() async throws {
    let (_, output) = await run { $0.format = .json }
    let list = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]])
    #expect(list.count == 2)
    #expect(list.allSatisfy { $0["start"] as? Double == 816_928_239 && $0["end"] as? Double == 816_928_247 })
    #expect(list.allSatisfy { $0["kind"] as? String == "above" && $0["stays"] as? Bool == false })
  }

  @Test("of one metric, and from a time on")
  func selected() async {
    let (_, one) = await run { $0.selection.metric = "request_ms" }
    #expect(one.contains("request_ms") && !one.contains("queue_depth"))
    let (code, none) = await run { $0.selection.since = .init(816_928_240) }
    #expect(code == .success && none.isEmpty)
  }

  @Test("a file of garbage, or a choice of nothing, says so and fails")
  func nothing() async throws {
    let garbage = try folder.write("no\nnever\n", to: "garbage.jsonl")
    let (unreadable, words) = await run { $0.paths = [garbage] }
    #expect(unreadable == .failed && words.contains("rejected 2 lines"), "\(words)")
    let (unmet, unknown) = await run { $0.selection.metric = "request_m" }
    #expect(unmet == .failed)
    #expect(
      unknown == "mistertop stats: no metric is named request_m; did you mean request_ms?", "\(unknown)")
    let (code, none) = await run { $0.selection.query = try? Query.parse("zzz", knowing: []) }
    #expect(code == .failed && none.contains("no metric matches zzz"), "\(none)")
  }

  @Test("a chosen metric without incidents is no mistake")
  func quiet() async throws {
    let calm = try folder.write(try (0..<9).map { try Self.line("calm_ms", Double($0), 5) }.joined(), to: "b")
    let (code, output) = await run { request in
      request.paths = [calm]
      request.selection.metric = "calm_ms"
    }
    #expect(code == .success && output.isEmpty, "\(output)")
  }

  @Test("lines that cannot be read are told of beside the incidents")
  func halfReadable() async throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let half = try folder.write("no\n" + text, to: "half.jsonl")
    let (code, output) = await run { $0.paths = [half] }
    #expect(
      code == .success && output.contains("rejected 1 line") && output.contains("request_ms"), "\(output)")
  }

  @Test("small changes are found with a high sensitivity, and only large ones with a low one")
  func sensitivity() async throws {
    // Two hours with noise of about 25 %, in which every ten minutes the level is raised by a little more.
    var random = SeededGenerator(seed: 8)
    var text = ""
    for second in 0..<7200 {
      let sum = (0..<6).reduce(-3.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
      let rise = second % 600 < 200 && second > 600 ? 1 + Double(second / 600) * 0.07 : 1
      text += try Self.line("a_ms", Double(second), (80 * rise * exp(0.35 * sum) * 100).rounded() / 100)
    }
    let file = try folder.write(text, to: "small.jsonl")
    var counts: [Int] = []
    for level in ["low", "normal", "high"] {
      let (_, output) = await run { request in
        (request.paths, request.sensitivity) = ([file], .init(rawValue: level) ?? .normal)
      }
      counts.append(output.split(separator: "\n").count)
    }
    #expect(counts == counts.sorted() && counts[0] < counts[2], "\(counts)")
  }

  /// Two metrics with a sample a second up to the clock, and more.
  private func steady(_ more: String = "", until end: Int = 600) throws -> String {
    let lines = try (0..<end).map { second in
      try Self.line("a_ms", Double(second), 70) + Self.line("b_ms", Double(second) + 0.5, 70)
    }
    return try folder.write(lines.joined() + more, to: "steady.jsonl")
  }

  @Test("a line ahead of the clock makes no metric silent")
  func aheadOfClock() async throws {
    let file = try steady(try Self.line("c_ms", 7800, 1))
    let (code, output) = await run(at: 600) { $0.paths = [file] }
    #expect(code == .success && output.isEmpty, "\(output)")
    // When the clock is there it is a silence.
    let (_, later) = await run(at: 7801) { $0.paths = [file] }
    #expect(later.contains("net.a_ms silent for") && later.contains("net.b_ms"), "\(later)")
  }

  @Test("a clock that ran ahead for a minute makes no silence that ends in the future")
  func clockAheadForAMinute() async throws {
    let ahead = try (600..<660).map { try Self.line("a_ms", Double($0) + 7200, 70) }
    let after = try (660..<900).map { try Self.line("a_ms", Double($0), 70) }
    let file = try steady((ahead + after).joined())
    let (_, output) = await run(at: 900) { request in
      request.paths = [file]
      request.format = .json
    }
    let list = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]])
    let own = list.filter { $0["name"] as? String == "a_ms" }
    #expect(own.count == 1 && own.first?["end"] as? Double == 660, "\(output)")
    // The other one is silent from the moment on at which it ended.
    #expect(list.filter { $0["name"] as? String == "b_ms" }.allSatisfy { $0["end"] == nil }, "\(output)")
  }

  @Test("what is piped in is read as a file is")
  func standardInput() throws {
    let descriptor = try Posix.open(path)
    defer { Posix.close(descriptor) }
    var piped = IncidentListing(SampleSelection(), clock: { .now() }, input: descriptor)
    var named = piped
    piped.read(["-"]) { _, _ in }
    named.read([path]) { _, _ in }
    #expect(piped.entries.count == 2 && piped.entries == named.entries)
  }

  @Test(
    "a file that was rotated amid an incident has those of the whole, whether the rotated ones are named or not"
  )
  func rotated() async throws {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { $0 + "\n" }
    let parts = [(".2", 0..<400), (".1", 400..<610), ("", 610..<1200)]
    let paths = try parts.map { try folder.write(lines[$0.1].joined(), to: "rotated.jsonl\($0.0)") }
    let (_, whole) = await run()
    for named in [[paths[2]], [paths[1], paths[2]], [paths[2], paths[1], paths[0]]] {
      let (code, output) = await run { $0.paths = named }
      #expect(code == .success && output == whole, "\(output)")
    }
  }

  @Test("several files have one list, by time, in which what began together is one line")
  func severalFiles() async throws {
    let other = try folder.write(
      try String(contentsOfFile: path, encoding: .utf8).replacing(#""net""#, with: #""disk""#), to: "b.jsonl")
    let (_, output) = await run { $0.paths = [other, path] }
    #expect(output.split(separator: "\n").count == 1 && output.contains("disk.") && output.contains("net."))
    let (code, json) = await run { request in
      (request.paths, request.format) = ([path, other], .json)
    }
    let list = try JSONSerialization.jsonObject(with: Data(json.utf8))
    let buckets = try #require(list as? [[String: Any]]).map { $0["bucket"] as? String }
    #expect(code == .success && buckets == ["disk", "net", "disk", "net"], "\(json)")
  }
}
