import Aggregation
import Codecs
import Foundation
import History
import JSONLines
import Platform
import TerminalUI
import TestSupport

@testable import Dashboard
@testable import DashboardCore
@testable import LiveScreen

/// A seeded history of three hours with a spike, a gap and hostile names, and who answers questions about it.
enum HistoryFixture {
  static let now = LiveFixture.now
  static let length = 10_800.0
  static let files = ["/logs/app.jsonl.1", "/logs/app.jsonl"]
  static let push = SeriesIdentity(bucket: "sync", name: "push", typeName: "Push", field: "total_ms")
  static let outcome = SeriesIdentity(bucket: "sync", name: "push", typeName: "Push", field: "outcome")
  static let state = SeriesIdentity(bucket: "sync", name: "state", typeName: "String")

  /// One recorded line: the fields of a struct, or one value without a name.
  struct Entry {
    var metric: SeriesIdentity
    var time: Timestamp
    var fields: [(name: String?, value: SeriesValue)]

    func identity(_ field: String?) -> SeriesIdentity {
      SeriesIdentity(bucket: metric.bucket, name: metric.name, typeName: metric.typeName, field: field)
    }

    func value(of identity: SeriesIdentity) -> SeriesValue? {
      guard identity.bucket == metric.bucket, identity.name == metric.name else { return nil }
      return fields.first { $0.name == identity.field }?.value
    }
  }

  private static func entry(
    _ bucket: String?, _ name: String, _ type: String, _ time: Double, _ value: SeriesValue
  ) -> Entry {
    Entry(
      metric: SeriesIdentity(bucket: bucket, name: name, typeName: type), time: Timestamp(time),
      fields: [(nil, value)])
  }

  private static func pushes(_ generator: inout SeededGenerator) -> [Entry] {
    stride(from: now.seconds - length, to: now.seconds, by: 2).compactMap { time in
      let age = now.seconds - time
      // The app was suspended.
      if age > 5200, age < 5900 { return nil }
      let spike = 330 * exp(-pow((age - 3000) / 60, 2))
      let value = (130 + spike + Double.random(in: 0..<40, using: &generator)).rounded()
      let outcome = value > 400 ? "fail" : value > 300 ? "retry" : "ok"
      return Entry(
        metric: SeriesIdentity(bucket: "sync", name: "push", typeName: "Push"), time: Timestamp(time),
        fields: [
          ("total_ms", .number(value)), ("outcome", .text(outcome)),
          ("net", .text(age.truncatingRemainder(dividingBy: 7) < 4 ? "wifi" : "cell")),
          ("sent_bytes", .number(20_000 + (value * 10).rounded())),
        ])
    }
  }

  /// All lines in the order of time.
  static let entries: [Entry] = {
    var generator = SeededGenerator(seed: 7)
    var entries = pushes(&generator)
    for time in stride(from: now.seconds - length, to: now.seconds, by: 10) {
      let age = now.seconds - time
      entries.append(entry("sync", "state", "String", time, .text(abs(age - 3000) < 90 ? "backoff" : "idle")))
      entries.append(
        entry(
          "net", "rtt_ms", "Double", time, .number((40 + age.truncatingRemainder(dividingBy: 9)).rounded())))
      entries.append(entry("net", "reachable", "Bool", time, .bool(abs(age - 3000) > 40)))
    }
    for time in stride(from: now.seconds - length, to: now.seconds, by: 300) {
      entries.append(entry("mem", "footprint_bytes", "Int", time, .number(212_000_000)))
      entries.append(entry("very", String(repeating: "long", count: 30), "Double", time, .number(1)))
      entries.append(entry("evil", "\u{1B}[31mred\u{202E}name\n", "Double", time, .number(2)))
      entries.append(entry(nil, "maybe", "Optional<Double>", time, .null))
    }
    return entries.sorted { $0.time < $1.time }
  }()

  /// The last minutes, as the live tail would have them.
  static func feed(length: Double = 900) -> FeedSnapshot {
    var store = SeriesStore()
    for entry in entries where entry.time > now - length {
      for field in entry.fields {
        store.record(
          store.series(for: entry.identity(field.name)), time: entry.time.seconds, value: field.value)
      }
    }
    var status = FeedStatus()
    status.sources = ["app.jsonl", "app.jsonl.1"]
    return FeedSnapshot(store: store, status: status)
  }

  static let shared = feed()

  static var notes: HistoryNotes {
    var notes = HistoryNotes()
    notes.set(HistoryNotes.Mark(time: now - 3000, text: "spike, cell"), letter: "a")
    notes.set(HistoryNotes.Mark(time: now - 1800, text: "deploy 2.4.1"), letter: "b")
    notes.keep(
      HistoryNotes.SavedView(
        name: "slow pushes today", focus: push, narrowed: nil, window: now - 4096..<now,
        order: .value(descending: true),
        filter: "sync"))
    return notes
  }

  /// A model on the History screen whose questions are answered.
  static func model(
    _ width: Int, _ height: Int, depth: ColorDepth = .none, glyphs: GlyphTier = .braille,
    notes: HistoryNotes = notes, keys: [KeyPress] = []
  ) -> Model {
    let theme = Theme(capabilities: Capabilities(depth: depth, glyphs: glyphs))
    var model = Model(
      size: Size(width: width, height: height), now: now, theme: theme, zone: .utc, feed: shared,
      notes: notes)
    model.live.selection = .series(push)
    answer(update(&model, .history(HistoryNews())), &model)
    for key in [KeyPress("2")] + keys { press(key, &model) }
    model.session.toast = nil
    return model
  }

  /// Presses a key and answers what the model then wants to know.
  @discardableResult
  static func press(_ key: KeyPress, _ model: inout Model) -> [Effect] {
    model.press(key) { FixtureScan(query: $0).answer }
  }

  /// Answers every question that the effects ask, and those that come of the answers.
  static func answer(_ effects: [Effect], _ model: inout Model) {
    model.answer(effects) { FixtureScan(query: $0).answer }
  }
}
