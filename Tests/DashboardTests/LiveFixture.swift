import Aggregation
import Codecs
import Dashboard
import DashboardCore
import Foundation
import Platform
import TerminalUI
import TestSupport

/// A seeded app with an incident, the same at every run: an hour and a half of samples that end at `now`.
enum LiveFixture {
  /// 2026-11-21 14:32:07 UTC.
  static let now = Timestamp(816_964_327.0 + 0.2)

  static let limits = ["sync.push_ms": 400.0]

  /// One metric of the made-up app.
  private struct Source {
    var bucket: String?
    var name: String
    var type = "Double"
    var field: String?
    var every: Double
    var value: (_ secondsBeforeEnd: Double, _ generator: inout SeededGenerator) -> SeriesValue?
  }

  private static func noise(_ generator: inout SeededGenerator) -> Double {
    (0..<6).reduce(-3.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
  }

  private static func around(
    _ middle: Double, _ spread: Double
  ) -> (Double, inout SeededGenerator) -> SeriesValue? {
    { _, generator in .number(max(0, ((middle + spread * noise(&generator)) * 100).rounded() / 100)) }
  }

  private static var sources: [Source] {
    [
      Source(bucket: "sync", name: "push_ms", every: 0.5) { age, generator in
        if age > 55, age < 59.5 { return nil }
        let peak = age < 40 ? 340 * exp(-pow((max(age, 18) - 18) / 7, 2)) : 0
        return .number((140 + peak + 24 * noise(&generator)).rounded())
      },
      Source(bucket: "sync", name: "pull_ms", every: 0.5, value: around(88, 14)),
      Source(bucket: "sync", name: "queue_count", type: "Int", every: 1) { age, generator in
        .number((age < 30 ? 14 - age / 3 : 3) + Double(Int.random(in: 0...1, using: &generator)).rounded())
      },
      Source(bucket: "sync", name: "state", type: "String", every: 5) { age, _ in
        .text(age < 22 ? "backoff" : "pushing")
      },
      Source(bucket: "net", name: "rtt_ms", every: 0.25, value: around(41, 9)),
      Source(bucket: "net", name: "tx_bytes", type: "Int", every: 0.25, value: around(18_400, 9000)),
      Source(bucket: "net", name: "reachable", type: "Bool", every: 2) { age, _ in .bool(age > 14 || age < 6)
      },
      Source(bucket: "db", name: "write_ms", every: 0.4, value: around(5.9, 1.2)),
      Source(bucket: "db", name: "wal_bytes", type: "Int", every: 5, value: around(4_060_000, 40_000)),
      Source(bucket: "ui", name: "frame_ms", every: 0.2) { age, generator in
        .number(abs(age - 105) < 0.15 ? 47.2 : ((8.2 + noise(&generator)) * 10).rounded() / 10)
      },
      Source(bucket: "ui", name: "hang_ms", every: 10) { age, generator in
        age < 300 ? nil : around(310, 60)(age, &generator)
      },
      Source(bucket: "launch", name: "ttfd_ms", every: 13, value: around(612, 40)),
      Source(
        bucket: "launch", name: "report", type: "LaunchReport", field: "totalMs", every: 30,
        value: around(900, 80)),
      Source(bucket: "launch", name: "report", type: "LaunchReport", field: "isCold", every: 30) {
        _, generator in
        .bool(Bool.random(using: &generator))
      },
      Source(bucket: "mem", name: "footprint_bytes", type: "Int", every: 1, value: around(212e6, 2e6)),
      Source(bucket: "mem", name: "pressure_percent", every: 5, value: around(42, 6)),
      Source(bucket: nil, name: "build_number", type: "Int", every: 60, value: around(42, 0)),
      Source(bucket: nil, name: "maybe", type: "Optional<Double>", every: 20) { _, _ in .null },
    ]
  }

  static func store(length: Double = 5400) -> SeriesStore {
    var store = SeriesStore()
    var generator = SeededGenerator(seed: 41)
    for source in sources {
      let id = store.series(
        for: SeriesIdentity(
          bucket: source.bucket, name: source.name, typeName: source.type, field: source.field))
      for step in 0..<Int(length / source.every) {
        let time = now - length + (Double(step) + 0.9) * source.every
        guard let value = source.value(now - time, &generator) else { continue }
        store.record(id, time: time, value: value)
      }
    }
    return store
  }

  static let shared = feed()

  static func feed() -> FeedSnapshot {
    var status = FeedStatus()
    status.sources = ["app.jsonl", "app.jsonl.1", "app.jsonl.2"]
    status.linesPerSecond = 27
    status.lag = 0.038
    status.rejected = 3
    status.rejections = [
      FeedRejection(
        source: "app.jsonl", line: 12, offset: 1810, reason: "is not valid JSON",
        excerpt: Array("{\"metr".utf8)),
      FeedRejection(
        source: "app.jsonl", line: 977, offset: 140_112, reason: "has a value that is not Base64",
        excerpt: Array("{\"metric\":{\"name\":\"\u{1B}[31mred\"},\"value\":\"?\"}".utf8)),
      FeedRejection(
        source: "app.jsonl", line: 978, offset: 140_170, reason: "is not valid JSON", excerpt: [0, 255, 10]),
    ]
    status.events = [
      FeedEvent(.rotated, at: now - 61, source: "app.jsonl", text: "rotated, 0 lines lost"),
      FeedEvent(.gap, at: now - 1200, source: "app.jsonl", text: "4.1 kB skipped"),
    ]
    return FeedSnapshot(store: store(), status: status)
  }

  static func model(
    _ width: Int, _ height: Int, depth: ColorDepth = .trueColor, glyphs: GlyphTier = .braille,
    now: Timestamp = now, feed: FeedSnapshot? = nil
  ) -> Model {
    let theme = Theme(capabilities: Capabilities(depth: depth, glyphs: glyphs))
    var model = Model(
      size: Size(width: width, height: height), now: now, theme: theme, zone: .utc, feed: feed ?? .unread,
      limits: LimitSet(limits)
    )
    if feed == nil { model.open(shared, found) }
    return model
  }

  /// The incidents of the made-up app.
  static let found = FoundIncidents(in: shared.store)
}

extension Model {
  /// Shows a feed whose incidents are known.
  mutating func open(_ feed: FeedSnapshot, _ found: FoundIncidents) {
    session.incidents.receive(
      found, formatter: IncidentFormatter(zone: session.zone, now: session.now, units: session.units))
    _ = update(&self, .feed(feed))
  }
}

extension FoundIncidents {
  /// The incidents in the samples that a store still has one by one.
  init(in store: SeriesStore) {
    var log = IncidentLog(\.incidentSubjects)
    for id in store.allSeries {
      guard let identity = store.identity(of: id), let number = log.number(of: identity) else { continue }
      let samples = store.samples(of: id, from: .distantPast, to: .distantFuture, limit: .max)
      for sample in samples.reversed() { log.record(sample.value, at: sample.time, of: number) }
    }
    self.init(log.entries, isWhole: true)
    pauses = log.pauses
    watch = IncidentWatch(count: log.knownCount, changes: log.smallestChanges)
  }
}
