import Codecs
import Foundation
import History
import MisterMetricsCore
import Platform
import TelemetryCore
import TerminalUI
import TestSupport
import Testing

@testable import Commands
@testable import DashboardCore

@Suite("Ways through the payloads of a store")
struct PayloadWaysTests {
  private let fixture: ImportFixture

  init() throws { fixture = try ImportFixture() }

  private func day(_ day: Int, version: String) -> String {
    """
    {"appVersion":"\(version)","timeStampBegin":"2026-03-\(day) 00:00:00","timeStampEnd":"2026-03-\(day) 23:59:00",
    "applicationTimeMetrics":{"cumulativeForegroundTime":"\(600 + day) sec","cumulativeBackgroundTime":"\(day) sec"},
    "memoryMetrics":{"peakMemoryUsage":"\(200_000 + day) kB"},"unknownMember":{"deep":[1,2,"three"]}}
    """
  }

  /// Eight days of two versions in two files.
  private func write() throws -> (a: String, b: String) {
    let lines = { (days: Range<Int>, version: String) in
      days.map { day($0, version: version).replacing("\n", with: "") + "\n" }.joined()
    }
    return (
      try fixture.write(lines(10..<14, "2.1"), to: "in/new.ndjson"),
      try fixture.write(lines(14..<18, "2.0"), to: "in/old.ndjson")
    )
  }

  private func frame(_ screen: String?) -> String {
    var request = SnapshotCommand.Request(
      paths: [fixture.store], size: Size(width: 120, height: 36), form: .text, view: ViewOptions())
    request.screen = screen
    let lines = Recorder<String>()
    let console = Console(write: { lines.append($0) }, writeError: { lines.append($0) })
    #expect(Snapshot(request, now: { Timestamp(796_000_000) }).run(console: console) == .success)
    return lines.all.joined()
  }

  @Test("a store of payloads opens on the overview, and Live shows numbers alone")
  func screens() async throws {
    _ = try write()
    #expect(await fixture.run("in") == .success)
    let overview = frame("histogram")
    #expect(overview.contains("── Payloads ──") && overview.contains("A 2.1 vs B 2.0"), "\(overview)")
    let live = frame("live")
    #expect(live.contains("payload.memoryMe") && !live.contains("appVersion"), "\(live)")
    #expect(!live.contains("payload.kind") && !live.contains("2026-03"), "\(live)")
  }

  @MainActor
  @Test("a store of payloads opens on the overview unless something else is asked for")
  func storeOpens() async throws {
    _ = try write()
    #expect(await fixture.run("in") == .success)
    let context = CommandContext(
      console: fixture.console,
      environment: ProcessEnvironment(variables: [:], now: Timestamp(60), exists: { _ in true }),
      host: NoTerminal(calls: Recorder<String>()))
    #expect(await CommandRunner.run(["snapshot", fixture.store], in: context) == .success)
    #expect(fixture.output.all.last?.contains("── Payloads ──") == true)
    #expect(
      await CommandRunner.run(["snapshot", "--screen", "live", fixture.store], in: context) == .success)
    #expect(fixture.output.all.last?.contains("── Payloads ──") == false)
    try await MetricFileStore(file: URL(fileURLWithPath: fixture.store)).record(
      Metric<Int>(name: "own"), value: 1)
    #expect(!PayloadDetection.areStoresOfPayloads([fixture.store]))
    #expect(!PayloadDetection.areStoresOfPayloads([]) && !PayloadDetection.areStoresOfPayloads(["/none"]))
  }

  @MainActor
  @Test("a frame of uploads of which one is broken is drawn under the folder's name, and fails")
  func brokenUpload() async throws {
    _ = try write()
    let context = CommandContext(
      console: fixture.console,
      environment: ProcessEnvironment(variables: [:], now: Timestamp(60), exists: { _ in true }),
      host: NoTerminal(calls: Recorder<String>()))
    let folder = fixture.folder.path("in")
    #expect(await CommandRunner.run(["snapshot", folder], in: context) == .success)
    try fixture.write("{\"timeStampBegin\":", to: "in/cut.json")
    #expect(await CommandRunner.run(["snapshot", folder], in: context) == .failed)
    let frame = fixture.output.all.last ?? ""
    #expect(frame.contains("── Payloads ──") && frame.contains("bad 1"), "\(frame)")
    #expect(frame.contains(" in ") && !frame.contains("payloads.jsonl"), "\(frame)")
  }

  @MainActor
  @Test("of two payload files the first is A and the second B, unless sides are chosen")
  func twoFiles() async throws {
    let files = try write()
    let context = CommandContext(
      console: fixture.console,
      environment: ProcessEnvironment(variables: [:], now: Timestamp(60), exists: { _ in true }),
      host: NoTerminal(calls: Recorder<String>()))
    #expect(await CommandRunner.run(["snapshot", files.b, files.a], in: context) == .success)
    #expect(
      fixture.text.contains("A file old.ndjson vs B file new.ndjson")
        || fixture.text.contains("old.ndjson vs B"))
    #expect(PayloadOperands([files.a, files.a]).comparedFiles == nil)
    #expect(PayloadOperands([files.a]).comparedFiles == nil)
    let folder = fixture.folder.path("in")
    #expect(PayloadOperands([folder, files.a]).comparedFiles == nil)
  }

  @Test("each payload leads to the JSON that it was read from, and one that is not kept to none")
  func original() async throws {
    _ = try write()
    #expect(await fixture.run("in") == .success)
    let maintainer = IndexMaintainer(paths: [fixture.store], cache: nil)
    _ = maintainer.refresh()
    let payloads = try maintainer.history.payloads().payloads
    #expect(payloads.count == 8)
    for payload in payloads {
      let query = OriginalQuery(source: payload.source, time: payload.time)
      let json = try #require(try maintainer.history.original(of: query))
      let lines = try #require(PayloadOriginal.lines(ofRecorded: json))
      #expect(lines.contains { $0.contains("\"appVersion\" : \"\(payload.version)\"") })
      #expect(lines.contains { $0.contains(payload.begin) } && lines.contains { $0.contains("three") })
    }
    let other = OriginalQuery(source: "other.json#00", time: payloads[0].time)
    #expect(try maintainer.history.original(of: other) == nil)
    #expect(PayloadOriginal.lines(ofRecorded: Array("[1]".utf8)) == nil)
  }

  @Test("so does one that was recorded in pieces")
  func pieces() async throws {
    let long = String(repeating: "n", count: 5_000_000)
    try fixture.write("{\"note\":\"\(long)\"," + ImportFixture.metrics().dropFirst(), to: "in/a.json")
    #expect(await fixture.run("in") == .success)
    let maintainer = IndexMaintainer(paths: [fixture.store], cache: nil)
    _ = maintainer.refresh()
    let payload = try #require(try maintainer.history.payloads().payloads.first)
    let query = OriginalQuery(source: payload.source, time: payload.time)
    let json = try #require(try maintainer.history.original(of: query))
    #expect(try JSONValue(json).fields?["payload"]?.fields?["note"]?.text == long)
  }

}
