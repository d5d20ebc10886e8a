import Foundation
import MisterMetricsCore
import Platform
import Telemetry
import TestSupport
import Testing

// The snippets of Telemetry.docc, as they stand there, and what they leave open.

private struct Image: Sendable {
  var width = 512

  func scaled(to width: Int) throws -> Image { Image(width: width) }
}

private func download() async throws -> Image { Image() }

private enum Images {
  static let signposter = Signposter(category: "Images")
}

private func thumbnail(of image: Image) throws -> Image {
  try Images.signposter.withIntervalSignpost("Scale") { try image.scaled(to: 128) }
}

@Suite("The snippets of the documentation")
struct SnippetTests {
  @Test("measuring")
  func measuring() async throws {
    #expect(try thumbnail(of: Image()).width == 128)
    let state = Images.signposter.beginInterval("Download")
    let image = try await download()
    Images.signposter.endInterval("Download", state, "\(image.width) pixels wide")
    let scroll = Images.signposter.beginAnimationInterval("Scroll")
    scroll.noteHitch(.milliseconds(16))
    Images.signposter.endInterval("Scroll", scroll)
    Images.signposter.emitEvent("CacheMiss", count: 3)
  }

  @Test("payloads")
  func payloads() {
    let bytes = Data(PayloadSamples.modern.utf8)
    var reader = PayloadReader()
    let reading = reader.read(bytes)
    var lines: [String] = []
    for case .metric(let payload) in reading.payloads where !payload.isSimulated {
      lines.append("\(payload.latestApplicationVersion ?? "unknown") \(payload.signpostMetrics?.count ?? 0)")
    }
    for note in reading.notes { lines.append("\(note.place): \(note.text)") }
    for error in reading.errors { lines.append("\(error.place): \(error.text)") }
    #expect(lines.count == 5 && lines.first == "9.0.1 1")
  }

  @Test("payloads of one's own")
  func recording() async throws {
    let temporary = try TemporaryFolder()
    let (folder, image) = (temporary.url, Image())
    let recorder = try PayloadRecorder(folder: folder, version: "2.4")
    let logging = MetricsSubscriber()
    recorder.manager.add(logging)

    let signposter = recorder.makeSignposter(category: "Images", snapshots: true)
    let thumbnail = try signposter.withIntervalSignpost("Scale") { try image.scaled(to: 128) }
    recorder.record(.timeToFirstDraw, .milliseconds(412))
    recorder.record(.hang, .milliseconds(730))
    recorder.recordProcessUsage()
    recorder.record(exit: .background(.memoryPressure))
    try await recorder.closeDay()
    await recorder.manager.deliver()
    #expect(recorder.manager.pastPayloads.count == 1)
    #expect(thumbnail.width == 128 && recorder.counts.failedWrites == 0)
  }

  @Test("averages of payloads")
  func averages() {
    let payloads: [MetricPayload] = []
    let launch = payloads.estimatedAverage(for: \.applicationLaunchMetrics, applicationVersion: "2.4")
    #expect(launch == nil)
  }

  @Test("a log of payloads")
  func log() {
    let log = Locked<[String]>([])
    let subscriber = MetricsSubscriber { summary in
      log.withLock { lines in
        lines.append("\(summary.kind) of \(summary.applicationVersion): \(summary.crashCount ?? 0) crashes")
      }
    }
    var reader = PayloadReader()
    for case .diagnostic(let payload) in reader.read(Data(PayloadSamples.diagnostics.utf8)).payloads {
      subscriber.didReceive([payload])
    }
    #expect(log.withLock { $0 } == ["diagnostic of 9.0.1: 1 crashes"])
  }

  @Test("averages for a tracking service")
  func tracking() {
    let store = MetricMemoryStore()
    let tracking = TrackingSubscriber(
      applicationVersion: "2.4",
      service: DogStatsDTracking(host: "127.0.0.1", port: 8125, tags: ["env:production"]))
    let recording = TrackingSubscriber(applicationVersion: "2.4", service: StoreTracking(in: store.erased))
    // Without payloads of that version there is nothing to send.
    for subscriber in [tracking, recording] { subscriber.didReceive([MetricPayload()]) }
  }

  @Test("ids")
  func ids() async throws {
    let id = Images.signposter.makeSignpostID()
    let image = try await Images.signposter.withIntervalSignpost("Download", id: id) { try await download() }
    #expect(image.width == 512)
  }

  @Test("a store")
  func givenStore() {
    let store = MetricMemoryStore()
    let signposter = Signposter(category: "Images", snapshots: true, in: store.erased)
    #expect(signposter.isEnabled)
  }

  @Test("a sink")
  func sink() {
    let clock = (now: Duration.zero, name: "simulated")
    let journal = Journal()
    let signposter = Signposter(category: SyncSignposts.category, now: { clock.now }) { record in
      journal.append(record)
    }
    signposter.emitEvent("SyncSuccess")
    #expect(journal.records.withLock { $0.map(\.name.description) } == ["SyncSuccess"])
  }

  @Test("every line of Swift in the documentation stands in this file")
  func snippetsAreCompiled() throws {
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = root.appendingPathComponent("Sources/Telemetry/Telemetry.docc/Telemetry.md")
    let parts = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```")
    // Text and code take turns.
    let snippets = parts.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    #expect(snippets.count >= 9)
    let compiled = Set(source.split(separator: "\n").map(Self.bare))
    for line in snippets.flatMap({ $0.split(separator: "\n").dropFirst() }) {
      #expect(compiled.contains(Self.bare(line)), "\(line)")
    }
  }

  /// A line without its indentation, and without what a test has to add to a declaration.
  private static func bare(_ line: Substring) -> String {
    let text = line.trimmingCharacters(in: .whitespaces)
    return text.hasPrefix("private ") ? String(text.dropFirst("private ".count)) : text
  }
}

private final class Journal: Sendable {
  let records = Locked<[SignpostRecord]>([])

  func append(_ record: SignpostRecord) {
    records.withLock { $0.append(record) }
  }
}
