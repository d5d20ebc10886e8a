import Foundation
import MisterMetricsCore
import TestSupport
import Testing

@testable import TelemetryCore

@Suite("Folder of payloads")
struct PayloadFolderTests {
  private let bench: RecorderBench

  init() throws { bench = try RecorderBench() }

  private func write(_ text: String, to name: String) throws {
    _ = try bench.folder.write(text, to: name)
  }

  @Test("names are those of payloads, both ways")
  func names() throws {
    for name in [
      "metric-2026-05-04-app.json", "metric-2026-05-04-disk%53pace.json", "metric-2026-05-04-%2e%2e%2f.json",
      "diagnostic-000001.json", "diagnostic-1234567.json",
    ] {
      #expect(try #require(PayloadFile(name: name)).name == name)
    }
  }

  @Test(
    "other names are left alone",
    arguments: [
      "metric-2026-05-04-.json", "metric-2026-13-04-app.json", "metric-2026-05-04-App.json",
      "metric-app.json",
      "metric-2026-05-04-%.json", "metric-2026-05-04-%6.json", "metric-2026-05-04-%61pp.json",
      "metric-2026-05-04-%ff.json", "metric-2026-05-04-app.JSON", "diagnostic-1.json",
      "diagnostic-000000.json",
      "diagnostic--00001.json", "diagnostic-.json", "-.json", ".json", "notes.json", "",
      "metric-2026-05-04-app.json.unreadable",
    ])
  func otherNames(_ name: String) {
    #expect(PayloadFile(name: name) == nil)
  }

  @Test("a link or a pipe in the place of its lock leads nowhere", arguments: Planted.allCases)
  func planted(_ planted: Planted) throws {
    let folder = try TemporaryFolder()
    let victim = try folder.write("keys", to: "victim")
    try FileManager.default.createDirectory(
      atPath: folder.path("payloads"), withIntermediateDirectories: false)
    #expect(chmod(folder.path("payloads"), 0o777) == 0)
    try planted.put(at: folder.path("payloads/recorder.lock"), victim: victim)
    #expect(throws: MetricError.self) { _ = try PayloadFolder(folder.path("payloads")) }
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "keys")
    #expect(!FileManager.default.fileExists(atPath: victim + "-new"))
  }

  @Test("payloads that cannot be read are set aside and counted, the others delivered")
  func unreadable() async throws {
    try write("{", to: "metric-2026-05-01-app.json")
    try write("", to: "metric-2026-05-02-app.json")
    try write("{\"appVersion\" : \"1.0\", \"cpuMetrics\" : {}}", to: "metric-2026-05-03-app.json")
    try write("\u{0}\u{1}", to: "diagnostic-000004.json")
    try FileManager.default.createDirectory(
      at: bench.folder.url.appendingPathComponent("diagnostic-000005.json"),
      withIntermediateDirectories: false)
    #expect(mkfifo(bench.folder.path("diagnostic-000006.json"), 0o600) == 0)
    try write("not ours", to: "notes.json")
    let recorder = try await bench.start()
    let subscriber = KeepingSubscriber()
    recorder.manager.add(subscriber)
    await recorder.manager.deliver()
    #expect(subscriber.metrics.map(\.latestApplicationVersion) == ["1.0"])
    #expect(recorder.counts.unreadableFiles == 5)
    #expect(try bench.files().filter { $0.hasSuffix(".unreadable") }.count == 5)
    #expect(try bench.files().filter { !$0.hasSuffix(".unreadable") } == ["notes.json"])
  }

  @Test("a ledger that cannot be read is set aside, and closed days stay closed by their payloads")
  func damagedLedger() async throws {
    do {
      let recorder = try await bench.start()
      recorder.record(.hang, .milliseconds(300))
      bench.advance(days: 1)
      try await recorder.flush()
    }
    try write("{\"format\":1", to: "open-days.json")
    bench.advance(days: -1)
    let recorder = try await bench.start()
    #expect(recorder.counts.unreadableFiles == 1)
    recorder.record(.hang, .milliseconds(300))
    bench.advance(days: 2)
    try await recorder.flush()
    #expect(
      try bench.files() == [
        "metric-2026-05-04-app.json", "metric-2026-05-05-app.json", "open-days.json",
        "open-days.json.unreadable",
      ])
  }

  @Test("no prefix and no changed byte of a ledger stops a recorder, and what is read can be counted on")
  func hostileLedgers() throws {
    let bench = LedgerBench()
    bench.launch("2026-05-04 10:00:00")
    bench.launch("2026-05-05 10:00:00", source: "other")
    let test = TestSignposter(category: "Gallery")
    let state = test.make(snapshots: true).beginAnimationInterval("Scroll")
    test.make().endInterval("Scroll", state)
    test.make(snapshots: true).withIntervalSignpost("Decode") {}
    for record in test.records { _ = bench.record(.signpost(record)) }
    _ = bench.record(.exit(.foreground(.normal), 2))
    let bytes = Array(try JSONEncoder().encode(bench.ledger))
    var texts = bytes.indices.map { Array(bytes[..<$0]) }
    var random = SeededGenerator(seed: 7)
    let signs = Array("0123456789-.eE\"{}[],:nul ".utf8)
    for _ in 0..<4_000 {
      var changed = bytes
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        changed[Int.random(in: bytes.indices, using: &random)] = signs.randomElement(using: &random) ?? 0
      }
      texts.append(changed)
    }
    var read = 0
    for text in texts {
      guard var ledger = try? JSONDecoder().decode(DayLedger.self, from: Data(text)) else { continue }
      read += 1
      let origin = FigureOrigin(version: "9", PayloadMetaData())
      let moment = Date(timeIntervalSince1970: 1_780_000_000)
      for figure in [
        RecordedFigure.duration(.timeToFirstDraw, .milliseconds(412)), .exit(.foreground(.normal), .max),
        .bytes(.logicalWrites, .max), .time(.cpuTime, .seconds(Int64.max)),
      ] {
        _ = ledger.recorded(figure, source: "app", at: moment, in: .gmt, from: origin)
      }
      for case .keep(let key, let payload) in ledger.clockShowed(moment + 90_000, in: .gmt) {
        var reader = PayloadReader()
        let reading = reader.read(payload.jsonRepresentation())
        #expect(reading.errors.isEmpty)
        ledger.payloadKept(key)
      }
    }
    #expect(read > 100)
  }

  @Test("a recorder whose folder was removed keeps its hands off the one that comes in its place")
  func removed() async throws {
    let first = try await bench.start()
    try await first.flush()
    try FileManager.default.removeItem(at: bench.folder.url)
    first.record(.hang, .milliseconds(300))
    await #expect(throws: MetricError.self) { try await first.flush() }
    let second = try await bench.start()
    second.record(.crash(signal: 6))
    try await second.flush()
    await #expect(throws: MetricError.self) { try await first.flush() }
    await first.manager.deliver()
    #expect(try bench.files() == ["diagnostic-000001.json"])
  }

  @Test("what a killed process left half written goes")
  func leftovers() async throws {
    try write("{", to: ".open-days.json.optimizing")
    try write("{", to: ".metric-2026-05-04-app.json.optimizing")
    try write("{", to: ".notes.json.optimizing")
    try write("{", to: ".hidden")
    _ = try await bench.start()
    #expect(try bench.files() == [".hidden", ".notes.json.optimizing"])
  }

  @Test("a disk that takes nothing loses nothing that the process remembers")
  func noDisk() async throws {
    let recorder = try await bench.start()
    let subscriber = KeepingSubscriber()
    recorder.record(.hang, .milliseconds(300))
    try await recorder.flush()
    // A folder in the place of a file cannot be written over, whoever asks.
    for name in [
      ".open-days.json.optimizing", ".metric-2026-05-04-app.json.optimizing",
      ".diagnostic-000001.json.optimizing",
    ] {
      try FileManager.default.createDirectory(
        at: bench.folder.url.appendingPathComponent(name), withIntermediateDirectories: false)
    }
    recorder.record(.hang, .milliseconds(300))
    bench.advance(days: 1)
    await #expect(throws: MetricError.self) { try await recorder.flush() }
    recorder.record(.crash(signal: 11))
    recorder.manager.add(subscriber)
    try? await recorder.flush()
    await recorder.manager.deliver()
    #expect(subscriber.calls == ["1 of 1"])
    #expect(recorder.counts.failedWrites >= 2)
    #expect(bench.wakes.contains(.later))
    for name in try bench.files() where name.hasSuffix(".optimizing") {
      try FileManager.default.removeItem(at: bench.folder.url.appendingPathComponent(name))
    }
    try await recorder.flush()
    await recorder.manager.deliver()
    #expect(subscriber.calls == ["1 of 1", "2026-05-04"])
    #expect(
      subscriber.metrics.first?.applicationResponsivenessMetrics?.histogrammedApplicationHangTime?.count == 2)
  }
}
