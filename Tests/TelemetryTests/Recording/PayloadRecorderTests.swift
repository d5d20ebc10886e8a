import Foundation
import MisterMetricsCore
import Platform
import Telemetry
import TestSupport
import Testing

@testable import TelemetryCore

@Suite("Recorder of payloads")
struct PayloadRecorderTests {
  private let bench: RecorderBench

  init() throws { bench = try RecorderBench() }

  @Test("what was recorded lies in one payload when the day is over, and anybody can read it")
  func oneDay() async throws {
    let recorder = try await bench.start()
    recorder.record(.timeToFirstDraw, .milliseconds(412))
    recorder.record(.foregroundTime, .seconds(90))
    recorder.record(.peakMemory, bytes: 80 << 20)
    recorder.record(exit: .background(.memoryPressure))
    let signposter = recorder.makeSignposter(category: "Images")
    signposter.withIntervalSignpost("Decode") {}
    signposter.emitEvent("CacheMiss")
    try await recorder.flush()
    #expect(try bench.files() == ["open-days.json"])
    bench.advance(days: 1)
    try await recorder.flush()
    #expect(try bench.files() == ["metric-2026-05-04-app.json", "open-days.json"])
    guard case .metric(let payload) = try #require(try bench.payloads().first) else { throw Refusal() }
    #expect(payload.latestApplicationVersion == "1.0" && !payload.includesMultipleApplicationVersions)
    #expect(payload.timeStampBegin?.description == "2026-05-04 00:00:00")
    #expect(payload.timeStampEnd?.description == "2026-05-05 00:00:00")
    #expect(payload.metaData?.bundleIdentifier == "org.example.gallery" && payload.metaData?.pid == -1)
    #expect(payload.applicationLaunchMetrics?.histogrammedTimeToFirstDraw?.bins.first?.start == 410)
    #expect(payload.signpostMetrics?.map(\.signpostName) == ["CacheMiss", "Decode"])
    #expect(recorder.counts == PayloadRecorderCounts())
  }

  @Test("a day that the app closes has its payload at once; what comes later belongs to the next day")
  func closedByHand() async throws {
    let subscriber = KeepingSubscriber()
    let recorder = try await bench.start()
    recorder.manager.add(subscriber)
    recorder.record(.hang, .milliseconds(300))
    recorder.record(.hang, .milliseconds(300), source: .diskSpace)
    try await recorder.closeDay()
    await recorder.manager.deliver()
    #expect(subscriber.calls == ["2026-05-04 2026-05-04"])
    for _ in 0..<2 {
      recorder.record(.hang, .milliseconds(300))
      try await recorder.closeDay()
    }
    await recorder.manager.deliver()
    #expect(subscriber.calls.count == 1 && recorder.counts == PayloadRecorderCounts())
    bench.advance(days: 2)
    try await recorder.flush()
    await recorder.manager.deliver()
    #expect(subscriber.calls == ["2026-05-04 2026-05-04", "2026-05-05"])
    #expect(
      subscriber.metrics.map { $0.applicationResponsivenessMetrics?.histogrammedApplicationHangTime?.count }
        == [1, 1, 2])
  }

  @Test("a closed day stays closed for the next process, and one without figures has no payload")
  func closedForGood() async throws {
    do {
      let recorder = try await bench.start()
      try await recorder.closeDay()
      #expect(try bench.payloads().isEmpty)
      recorder.record(.hang, .milliseconds(300))
      try await recorder.closeDay()
    }
    #expect(try bench.files() == ["metric-2026-05-04-app.json", "open-days.json"])
    let recorder = try await bench.start()
    recorder.record(.hang, .milliseconds(300))
    try await recorder.closeDay()
    #expect(try bench.payloads().count == 1)
    bench.advance(days: 1)
    try await recorder.closeDay()
    #expect(try bench.files().prefix(2) == ["metric-2026-05-04-app.json", "metric-2026-05-05-app.json"])
  }

  @Test("a process that was killed after its figures were saved goes on with the day")
  func killed() async throws {
    for _ in 0..<3 {
      let recorder = try await bench.start()
      recorder.record(.hang, .milliseconds(300))
      try await recorder.flush()
    }
    bench.advance(days: 1)
    try await bench.start().flush()
    let payloads = try bench.payloads()
    guard payloads.count == 1, case .metric(let payload) = payloads[0] else { throw Refusal() }
    #expect(payload.applicationResponsivenessMetrics?.histogrammedApplicationHangTime?.count == 3)
  }

  @Test("a kill loses what was not saved, and nothing else")
  func killedAtOnce() async throws {
    let recorder = try await bench.start()
    recorder.record(.hang, .milliseconds(300))
    try await recorder.flush()
    recorder.record(.hang, .milliseconds(300))
    // A process that is killed now leaves this behind.
    let after = try RecorderBench()
    for name in try bench.files() {
      try FileManager.default.copyItem(
        at: bench.folder.url.appendingPathComponent(name), to: after.folder.url.appendingPathComponent(name))
    }
    after.advance(days: 1)
    try await after.start().flush()
    guard case .metric(let payload) = try #require(try after.payloads().first) else { throw Refusal() }
    #expect(payload.applicationResponsivenessMetrics?.histogrammedApplicationHangTime?.count == 1)
  }

  @Test("the use of the process is counted once, however often it is asked for")
  func usage() async throws {
    let recorder = try await bench.start()
    for _ in 0..<3 { recorder.recordProcessUsage() }
    bench.advance(days: 1)
    try await recorder.flush()
    guard case .metric(let payload) = try #require(try bench.payloads().first) else { throw Refusal() }
    let used = try #require(payload.cpuMetrics?.cumulativeCPUTime?.converted(to: .seconds).value)
    #expect(used <= (Double(ProcessorTime.now()) / 1e9).rounded(.up))
    #expect(try #require(payload.memoryMetrics?.peakMemoryUsage?.value) > 100)
    #if os(Linux)
      #expect(payload.diskIOMetrics?.cumulativeLogicalWrites != nil)
    #endif
  }

  @Test("a payload of a day that the saved ledger has still open is not one: it is made anew")
  func killedBetween() async throws {
    let subscriber = KeepingSubscriber()
    do {
      let recorder = try await bench.start()
      recorder.record(.hang, .milliseconds(300))
      try await recorder.flush()
    }
    let ledger = bench.folder.url.appendingPathComponent("open-days.json")
    let before = try Data(contentsOf: ledger)
    bench.advance(days: 1)
    do { try await bench.start().flush() }
    #expect(try bench.files().count == 2)
    // The moment between: the payload is there, the ledger is that of before.
    try before.write(to: ledger)
    let recorder = try await bench.start()
    recorder.manager.add(subscriber)
    try await recorder.flush()
    await recorder.manager.deliver()
    #expect(subscriber.calls == ["2026-05-04"])
  }

  @Test("thirty days without a subscriber wait, and come in one call")
  func thirtyDays() async throws {
    for _ in 0..<30 {
      let recorder = try await bench.start()
      recorder.record(.timeToFirstDraw, .milliseconds(412))
      try await recorder.flush()
      bench.advance(days: 2)
    }
    let recorder = try await bench.start()
    try await recorder.flush()
    let subscriber = KeepingSubscriber()
    recorder.manager.add(subscriber)
    await recorder.manager.deliver()
    let days = try #require(subscriber.calls.first).split(separator: " ")
    #expect(subscriber.calls.count == 1 && days.count == 30 && days == days.sorted())
    #expect(try bench.files() == ["open-days.json"])
  }

  @Test("an update at noon makes one payload with both versions")
  func update() async throws {
    do {
      let recorder = try await bench.start(version: "1.0")
      recorder.record(.timeToFirstDraw, .milliseconds(412))
      try await recorder.flush()
    }
    let recorder = try await bench.start(version: "1.1")
    recorder.record(.timeToFirstDraw, .milliseconds(312))
    bench.advance(days: 1)
    try await recorder.flush()
    var reader = PayloadReader()
    let name = try #require(try bench.files().first)
    let reading = reader.read(try Data(contentsOf: bench.folder.url.appendingPathComponent(name)))
    guard case .metric(let payload) = try #require(reading.payloads.first) else { throw Refusal() }
    #expect(payload.latestApplicationVersion == "1.1" && payload.includesMultipleApplicationVersions)
    #expect(payload.applicationLaunchMetrics?.histogrammedTimeToFirstDraw?.count == 2)
  }

  @Test("a clock set back after the delivery makes no second payload of the day")
  func setBack() async throws {
    let subscriber = KeepingSubscriber()
    let recorder = try await bench.start()
    recorder.manager.add(subscriber)
    recorder.record(.hang, .milliseconds(300))
    bench.set("2026-05-05 00:05:00")
    try await recorder.flush()
    await recorder.manager.deliver()
    bench.set("2026-05-04 23:30:00")
    recorder.record(.hang, .milliseconds(300))
    for clock in ["2026-05-05 09:00:00", "2026-05-06 09:00:00"] {
      bench.set(clock)
      try await recorder.flush()
      await recorder.manager.deliver()
    }
    #expect(subscriber.calls == ["2026-05-04", "2026-05-05"])
  }

  @Test("the second recorder of a folder is refused, until the first one is gone")
  func twoRecorders() async throws {
    var first: PayloadRecorder? = try await bench.start()
    let error = #expect(throws: MetricError.self) { _ = try bench.startNow() }
    #expect(error?.code == .fileUnavailable)
    #expect(error?.message.hasPrefix("another recorder has ") == true)
    first?.record(.hang, .milliseconds(300))
    try await first?.flush()
    first = nil
    _ = try await bench.start()
  }

  @Test("a recorder that goes saves what it has")
  func gone() async throws {
    do {
      let recorder = try await bench.start()
      try await recorder.flush()
      recorder.record(.hang, .milliseconds(300))
    }
    bench.advance(days: 1)
    try await bench.start().flush()
    #expect(try bench.payloads().count == 1)
  }

  @Test("at the end of the program what waits is saved")
  func exit() async throws {
    let recorder = try await bench.start()
    // The opening, which saves as well, is over then: a file in the making would be listed beside.
    try await recorder.flush()
    recorder.record(.hang, .milliseconds(300))
    recorder.flushBeforeExit()
    #expect(try bench.files() == ["open-days.json"])
  }

  @Test("figures are saved in a while, exits at once, and the day has an end to wait for")
  func wakes() async throws {
    let recorder = try await bench.start()
    try await recorder.flush()
    #expect(bench.wakes.isEmpty)
    recorder.record(.hang, .milliseconds(300))
    recorder.record(.hang, .milliseconds(300))
    #expect(bench.wakes == [.later])
    try await recorder.flush()
    let midnight = try #require(PayloadTime("2026-05-04 22:00:00 +0000")?.date(in: .gmt))
    #expect(bench.wakes == [.later, .at(midnight)])
    try await recorder.flush()
    #expect(bench.wakes.count == 2)
  }

  @Test("exits are saved at once, however many there are")
  func exits() async throws {
    let recorder = try await bench.start()
    for _ in 0..<2_000 { recorder.record(exit: .foreground(.normal)) }
    recorder.record(exit: .background(.watchdog), count: 3)
    // No one asks to save, and no timer comes: the world of this test has none.
    for _ in 0..<10_000 where try bench.files().isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    bench.advance(days: 1)
    try await recorder.flush()
    guard case .metric(let payload) = try #require(try bench.payloads().first) else { throw Refusal() }
    let exits = try #require(payload.applicationExitMetrics)
    #expect(exits.foregroundExitData?.cumulativeNormalAppExitCount == 2_000)
    #expect(exits.backgroundExitData?.cumulativeAppWatchdogExitCount == 3)
  }

  @Test("without being asked, a recorder saves after a while and closes the day at midnight")
  func timers() async throws {
    // The clock stands shortly before midnight until there is something to record.
    let begun = Locked<Date?>(nil)
    let midnight = try #require(PayloadTime("2026-05-05")?.date(in: .gmt))
    let world = RecorderWorld.timed(
      delay: 0.01,
      now: { midnight - 0.1 + (begun.withLock { $0 }.map { Date().timeIntervalSince($0) } ?? 0) },
      zone: { .gmt })
    let recorder = try PayloadRecorder(
      folder: bench.folder.url, origin: FigureOrigin(version: "1.0", PayloadMetaData()), world: world)
    recorder.record(.hang, .milliseconds(300))
    begun.withLock { $0 = Date() }
    for file in ["open-days.json", "metric-2026-05-04-app.json"] {
      // No one waits for a timer longer than that.
      for _ in 0..<10_000 where try !bench.files().contains(file) {
        try await Task.sleep(for: .milliseconds(1))
      }
      #expect(try bench.files().contains(file))
    }
    _ = recorder
  }

  @Test("intervals that broke the rules are counted and left out")
  func misuse() async throws {
    let recorder = try await bench.start()
    let signposter = recorder.makeSignposter(category: "Images")
    let state = signposter.beginInterval("Decode")
    signposter.endInterval("Decode", state)
    signposter.endInterval("Decode", state)
    bench.advance(days: 1)
    try await recorder.flush()
    guard case .metric(let payload) = try #require(try bench.payloads().first) else { throw Refusal() }
    #expect(payload.signpostMetrics?.map(\.totalCount) == [1])
    #expect(recorder.counts.misused == 1)
  }

  @Test("durations below zero and payloads without a diagnostic are refused and counted")
  func belowZero() async throws {
    let recorder = try await bench.start()
    recorder.record(.timeToFirstDraw, .milliseconds(-5))
    recorder.record(.cpuTime, .nanoseconds(-1))
    recorder.record(.timeToFirstDraw, .zero)
    recorder.record(DiagnosticPayload())
    bench.advance(days: 1)
    try await recorder.flush()
    guard case .metric(let payload) = try #require(try bench.payloads().first) else { throw Refusal() }
    #expect(payload.applicationLaunchMetrics?.histogrammedTimeToFirstDraw?.count == 1)
    #expect(payload.cpuMetrics == nil)
    #expect(recorder.counts.refused == 3 && recorder.counts.unreadableFiles == 0)
  }

  @Test("what has no room is counted")
  func refused() async throws {
    let recorder = try await bench.start()
    recorder.record(.hang, .milliseconds(300), source: "")
    recorder.record(.hang, .milliseconds(300), source: PayloadSource(String(repeating: "x", count: 61)))
    recorder.record(.hang, .milliseconds(300), source: "Größe/..%2F")
    bench.advance(days: 1)
    try await recorder.flush()
    #expect(recorder.counts.refused == 2)
    #expect(try bench.files().first == "metric-2026-05-04-%47r%c3%b6%c3%9fe%2f%2e%2e%252%46.json")
    #expect(try bench.payloads().count == 1)
  }

  @Test("many threads record at once and nothing is lost")
  func threads() async throws {
    let recorder = try await bench.start()
    let signposter = recorder.makeSignposter(category: "Images")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<5_000 { signposter.emitEvent("CacheMiss") } }
      }
    }
    bench.advance(days: 1)
    try await recorder.flush()
    guard case .metric(let payload) = try #require(try bench.payloads().first) else { throw Refusal() }
    #expect(payload.signpostMetrics?.map(\.totalCount) == [20_000])
    #expect(recorder.counts == PayloadRecorderCounts())
  }

  @Test("what comes faster than it can be added is counted")
  func overflow() async throws {
    let recorder = try await bench.start()
    let extra = 40_000
    for _ in 0..<(PayloadRecorder.capacity + extra) { recorder.record(.cpuTime, .seconds(1)) }
    bench.advance(days: 1)
    try await recorder.flush()
    guard case .metric(let payload) = try #require(try bench.payloads().first) else { throw Refusal() }
    let added = try #require(payload.cpuMetrics?.cumulativeCPUTime?.value)
    #expect(Int(added) + recorder.counts.overflowed == PayloadRecorder.capacity + extra)
  }

  @Test("a folder that cannot be made is refused")
  func noFolder() throws {
    let file = bench.folder.url.appendingPathComponent("file")
    try Data().write(to: file)
    let folder = file.appendingPathComponent("folder")
    #expect(throws: MetricError.self) { try PayloadRecorder(folder: folder, version: "1.0") }
    let elsewhere = try #require(URL(string: "https://example.org/folder"))
    #expect(throws: MetricError.self) { try PayloadRecorder(folder: elsewhere, version: "1.0") }
  }

  @Test("the system tells enough of itself")
  func metaData() {
    let data = PayloadMetaData.current
    #expect(data.system != nil && data.platformArchitecture?.isEmpty == false)
  }
}
