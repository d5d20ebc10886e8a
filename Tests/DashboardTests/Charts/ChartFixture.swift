import Aggregation
import Codecs
import Foundation
import Platform
import TerminalUI
import TestSupport

@testable import Dashboard
@testable import DashboardCore
@testable import LiveScreen

/// Two minutes of metrics whose charts are hard to draw, the same at every run.
enum ChartFixture {
  static let now = LiveFixture.now
  static let length = 120.0
  static let sizes = [(240, 80), (40, 12), (80, 24), (20, 5), (120, 36), (60, 16)].prefix(trials(3, long: 6))

  private static func values(_ name: String, _ place: Int) -> SeriesValue? {
    let share = Double(place) / 240
    return switch name {
    case "latency_ms": .number((2 * pow(10, 3 * share * share) * 100).rounded() / 100)
    case "wide": .number(pow(10, 600 * share - 300))
    case "negative": .number(-5 - Double(place % 7))
    case "mixed": .number(place % 5 == 0 ? -3 : place % 5 == 1 ? 0 : Double(place))
    case "constant": .number(7)
    case "huge": .number(place % 2 == 0 ? -1e300 : 1e300)
    case "tiny": .number(.leastNonzeroMagnitude)
    case "none": nil
    default: .null
    }
  }

  static let names = ["latency_ms", "wide", "negative", "mixed", "constant", "huge", "tiny"]

  static func identity(_ name: String, type: String = "Double") -> SeriesIdentity {
    SeriesIdentity(bucket: "io", name: name, typeName: type)
  }

  static func store() -> SeriesStore {
    var store = SeriesStore()
    for name in names {
      let id = store.series(for: identity(name))
      for place in 0..<240 {
        guard let value = values(name, place) else { continue }
        store.record(id, time: (now - length + Double(place) / 2 + 0.4).seconds, value: value)
      }
    }
    return store
  }

  /// The Live screen with a metric of these selected.
  static func live(
    _ width: Int, _ height: Int, _ metric: String, glyphs: GlyphTier = .braille,
    limits: [String: Double] = [:], keys: [KeyPress] = []
  ) -> Model {
    var feed = FeedSnapshot(store: store(), status: FeedStatus())
    feed.status.sources = ["io.jsonl"]
    var model = Model(
      size: Size(width: width, height: height), now: now,
      theme: Theme(capabilities: Capabilities(depth: .none, glyphs: glyphs)), zone: .utc, feed: feed,
      limits: LimitSet(limits))
    model.live.selection = .series(identity(metric))
    _ = update(&model, [])
    for key in keys { _ = update(&model, .input(.key(key))) }
    model.session.toast = nil
    return model
  }
}
