import Aggregation
import Codecs
import Foundation
import JSONLines
import LiveScreen
import Platform
import TerminalUI
import TestSupport
import Testing

@testable import Dashboard
@testable import DashboardCore

extension FaultMatrix {
  @Test func `T22: what arrives is on the Live screen, whatever the clock of its writer`() async throws {
    try await Self.row("T22") { run in
      var random = SeededGenerator(seed: run.seed)
      while run.goesOn() { try Self.followClocks(&random, &run.tally) }
      run.note = "up to 26 hours ahead or behind, one to three writers, by stamps and by arrival"
    }
  }

  @Test func `T22 is red where the clocks of the sources are ignored`() async throws {
    try await Self.control("T22", without: "the clocks of the sources") { run in
      var random = SeededGenerator(seed: run.seed)
      try Self.followClocks(&random, &run.tally, ignoresClocks: true)
      run.add(rounds: 1)
    }
  }

  private struct Writer {
    let path: String
    let name: String
    /// Seconds that its clock is ahead.
    var ahead: Double
  }

  /// Writers append twice a second for ten seconds, at a hand-moved clock; all of it must lie in the window of a minute.
  private static func followClocks(
    _ random: inout SeededGenerator, _ tally: inout MatrixRun.Tally, ignoresClocks: Bool = false
  ) throws {
    let folder = try TemporaryFolder()
    var writers = (0..<Int.random(in: 1...3, using: &random)).map { index in
      Writer(path: folder.path("\(index).jsonl"), name: "n\(index)", ahead: ahead(&random))
    }
    if ignoresClocks { writers[0].ahead = 90 }
    let now = Locked(Timestamp(800_000_000))
    for writer in writers { append(-1, of: writer, at: now.withLock { $0 } - 3600) }
    let ingest = Ingest(sources: writers.map { .file($0.path) }, clock: { now.withLock { $0 } })
    ingest.start()
    defer { ingest.stop() }
    var recorded = writers.count
    tally.bad += wait(for: recorded, ingest) ? 0 : 1
    var written: [String] = []
    for number in 0..<20 {
      let moment = now.withLock { now in
        now += 0.5
        return now
      }
      for writer in writers { append(number, of: writer, at: moment) }
      written += writers.map { "\($0.name) \(number)" }
      recorded += writers.count
      tally.bad += wait(for: recorded, ingest) ? 0 : 1
    }
    var snapshot = ingest.snapshot()
    if ignoresClocks { (snapshot.skews, snapshot.status.skews) = ([:], []) }
    for align in [false, true] {
      let got = shown(snapshot, at: now.withLock { $0 }, align: align, writers)
      tally.compare(written: written, got: got, inOrder: false)
    }
  }

  /// Nothing, or three seconds to 26 hours: clocks that are less ahead count as punctual.
  private static func ahead(_ random: inout SeededGenerator) -> Double {
    let limits: [Double] = [0, 30, 600, 26 * 3600]
    let most = limits.randomElement(using: &random) ?? 0
    let found = Double.random(in: -most...most, using: &random).rounded()
    return (0..<3).contains(found) ? 0 : found
  }

  private static func append(_ number: Int, of writer: Writer, at moment: Timestamp) {
    let value = Data("\(number)".utf8).base64EncodedString()
    let text =
      "{\"metric\":{\"bucket\":\"app\",\"name\":\"\(writer.name)\",\"valueTypeString\":\"Int\"},"
      + "\"timestamp\":\(moment.seconds + writer.ahead),\"value\":\"\(value)\"}\n"
    let descriptor = open(writer.path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
    close(descriptor)
  }

  private static func wait(for recorded: Int, _ ingest: Ingest) -> Bool {
    let limit = Date().addingTimeInterval(20)
    while Date() < limit {
      if ingest.snapshot().store.recorded >= recorded, ingest.isLoaded { return true }
      var request = pollfd(fd: ingest.wakeDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&request, 1, 1000)
    }
    return false
  }

  /// The values in the window of a minute on the Live screen.
  private static func shown(
    _ snapshot: FeedSnapshot, at now: Timestamp, align: Bool, _ writers: [Writer]
  ) -> [String] {
    var model = Model(
      size: Size(width: 120, height: 36), now: now, theme: Theme(capabilities: Capabilities(depth: .none)),
      zone: .utc)
    model.session.window = 60
    model.session.alignsToArrival = align
    _ = update(&model, [.feed(snapshot)])
    let session = model.session
    return writers.flatMap { writer in
      let identity = SeriesIdentity(bucket: "app", name: writer.name, typeName: "Int")
      guard let id = session.store.id(of: identity) else { return [String]() }
      return session.store.samples(of: id, from: session.edge - session.window, to: session.edge, limit: 100)
        .map {
          "\(writer.name) \($0.value.words)"
        }
    }
  }
}
