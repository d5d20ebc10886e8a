import Aggregation
import Platform
import TerminalUI
import TestSupport
import Testing

@testable import Dashboard
@testable import DashboardCore
@testable import LiveScreen

@Suite("Sources whose clocks differ, on the Live screen")
struct LiveClockTests {
  init() { adoptUTF8() }

  private static let now = 300_000.0

  /// Ten samples a second that have arrived until now from sources with these skews, one metric each.
  private static func feed(_ skews: [(name: String, seconds: Double)]) -> FeedSnapshot {
    let samples = skews.flatMap { source in
      (0..<1000).map {
        (source.name, now - source.seconds - Double($0) / 10, SeriesValue.number(Double($0 % 7)))
      }
    }
    var feed = LiveUpdateTests.feed(samples)
    for source in skews where source.seconds != 0 {
      feed.status.skews.append(SourceSkew(source: source.name + ".jsonl", seconds: source.seconds))
      let id = feed.store.id(of: SeriesIdentity(bucket: "b", name: source.name, typeName: "T"))
      if let id { feed.skews[id] = source.seconds }
    }
    feed.status.sources = skews.map { $0.name + ".jsonl" }
    feed.status.hasPunctualSource = skews.contains { $0.seconds == 0 }
    feed.status.linesPerSecond = 10
    return feed
  }

  private static func model(
    _ skews: [(name: String, seconds: Double)], width: Int = 120, height: Int = 36, align: Bool = false,
    limits: LimitSet = LimitSet()
  ) -> Model {
    var model = LiveUpdateTests().model(FeedSnapshot(), now: now, width: width, height: height)
    model.session.limits = limits
    model.session.alignsToArrival = align
    model.session.window = 60
    _ = update(&model, [.feed(feed(skews))])
    return model
  }

  private static func counts(_ model: Model) -> [String: Int] {
    var counts: [String: Int] = [:]
    for (id, stats) in model.live.content.stats {
      counts[model.session.store.identity(of: id)?.name ?? "?"] = stats.stats.n
    }
    return counts
  }

  static let mixtures: [[(name: String, seconds: Double)]] = [
    [("a", -10)], [("a", -90)], [("a", -9 * 3600)], [("a", 30)], [("a", 5 * 3600)], [("a", 0), ("b", -90)],
    [("a", 0), ("b", -90), ("c", 3600)], [("a", -90), ("b", -95), ("c", -600)],
  ]

  @Test("windows end with the newest of sources that are ahead by almost the same")
  func together() throws {
    for skews in [[("a", -13.0), ("b", 395), ("c", -15)], [("a", -25), ("b", -26)]] {
      let session = Self.model(skews).session
      for (name, _) in skews {
        let id = try #require(session.store.id(of: SeriesIdentity(bucket: "b", name: name, typeName: "T")))
        let shown = session.store.samples(of: id, from: session.edge - 60, to: session.edge, limit: 1000)
        #expect(shown.count >= 580 && session.edge.seconds - (shown.map(\.time).max() ?? 0) <= 2, "\(name)")
      }
    }
  }

  @Test("rows and chart show what arrives, by stamps and by arrival", arguments: mixtures)
  func arriving(skews: [(name: String, seconds: Double)]) throws {
    for align in [false, true] {
      let model = Self.model(skews, align: align)
      let counts = Self.counts(model)
      #expect(counts.count == skews.count)
      #expect(counts.values.allSatisfy { (590...605).contains($0) }, "\(align) \(counts)")
      let focus = try #require(model.live.content.focus)
      #expect(focus.ahead == 0 && focus.columns.suffix(3).contains { $0 != nil })
      let last = try #require(model.live.screen(in: model))
      #expect(last > model.session.edge.seconds - 3 && last <= model.session.edge.seconds)
      #expect(!LiveUpdateTests().text(model).contains("ahead of the clock"))
    }
  }

  @Test("times are the stamps of the nearest source, or by arrival this machine's")
  func axis() {
    #expect(Self.model([("a", -90)]).session.present.seconds == Self.now + 90)
    #expect(Self.model([("a", -90)], align: true).session.present.seconds == Self.now)
    #expect(Self.model([("a", 0), ("b", -90)]).session.present.seconds == Self.now)
    #expect(Self.model([("a", 40), ("b", -90)]).session.present.seconds == Self.now - 40)
  }

  @Test(
    "the difference is said beside the source at every width",
    arguments: Array(stride(from: 40, through: 240, by: 10)))
  func everyWidth(width: Int) throws {
    let ahead = try #require(
      LiveUpdateTests().text(Self.model([("a", -90)], width: width)).split(separator: "\n").first)
    #expect(ahead.contains("1m30s ahead") || width < 80 && ahead.contains("+1m30s"), "\(ahead)")
    let two = try #require(
      LiveUpdateTests().text(Self.model([("a", 0), ("b", 90), ("c", 7)], width: width)).split(separator: "\n")
        .first)
    #expect(two.contains("1m30s behind") || width < 80 && two.contains("-1m30s"), "\(two)")
  }

  @Test("the difference is said where only one metric fits")
  func tiny() {
    let text = LiveUpdateTests().text(Self.model([("a", -90)], width: 40, height: 5))
    #expect(text.contains("clock 1m30s ahead"), "\(text)")
  }

  @Test("says which zone would fit stamps without one")
  func zone() {
    var feed = Self.feed([("a", -9 * 3600)])
    feed.status.skews[0].zoneOffset = 0
    var model = LiveUpdateTests().model(FeedSnapshot(), now: Self.now, width: 160)
    _ = update(&model, [.feed(feed)])
    #expect(LiveUpdateTests().text(model).contains("stamps 9h ahead: --zone +09:00 fits"))
  }

  @Test("a key changes between stamps and arrival, and has nothing to do where all clocks agree")
  func key() {
    var model = Self.model([("a", -90)])
    _ = update(&model, [.input(.key(KeyPress("@")))])
    #expect(model.session.alignsToArrival && model.session.present.seconds == Self.now)
    #expect(LiveUpdateTests().text(model).contains("by arrival"))
    #expect(model.session.alignmentWords == ["--align", "arrival"])
    _ = update(&model, [.input(.key(KeyPress("@")))])
    #expect(model.session.present.seconds == Self.now + 90)
    var punctual = Self.model([("a", 0)])
    _ = update(&punctual, [.input(.key(KeyPress("@")))])
    #expect(!punctual.session.alignsToArrival)
  }

  @Test("limits judge at once", arguments: mixtures)
  func limits(skews: [(name: String, seconds: Double)]) throws {
    var limits = LimitSet()
    limits.set(try #require(try LimitText.limit(where: "b.* and max > 5")))
    for align in [false, true] {
      let model = Self.model(skews, align: align, limits: limits)
      let over = Set(model.session.alerts.events.filter { $0.kind == .overLimit }.map(\.subject))
      #expect(over == Set(skews.map { "b." + $0.name }))
      #expect(model.session.alerts.count(at: model.session.present) == skews.count)
    }
  }

  @Test("a sample's line is looked for by its own stamp")
  func line() {
    let model = Self.model([("a", 0), ("b", -90)])
    let identity = SeriesIdentity(bucket: "b", name: "b", typeName: "T")
    let sample = model.session.samples(of: identity).first
    #expect(sample?.moment == Timestamp(Self.now))
    #expect(model.session.stamp(of: Timestamp(Self.now), in: identity) == Timestamp(Self.now + 90))
  }

  @Test("a frozen screen keeps the clocks it was frozen with")
  func frozen() {
    var model = Self.model([("a", -90)])
    _ = update(&model, [.input(.key(KeyPress(" ")))])
    let counts = Self.counts(model)
    var later = Self.feed([("a", 0)])
    later.status.hasPunctualSource = true
    _ = update(&model, [.clock(Timestamp(Self.now + 5)), .feed(later)])
    #expect(model.session.clockSkew == -90 && Self.counts(model) == counts)
  }
}

extension LiveState {
  /// The time of the last point of the chart's curve.
  fileprivate func screen(in model: Model) -> Double? {
    content.focus.map { focus in
      let width = focus.key.window / Double(max(1, focus.columns.count))
      let last = focus.columns.lastIndex { $0 != nil } ?? 0
      return focus.key.edge.seconds - focus.key.window + (Double(last) + 0.5) * width
    }
  }
}
