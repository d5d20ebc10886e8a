import Aggregation
import Codecs
import Platform
import TerminalUI
import TestSupport
import Testing

@testable import Dashboard
@testable import DashboardCore
@testable import LiveScreen

@Suite("What the Live screen makes of samples, clock and mouse")
struct LiveUpdateTests {
  init() { adoptUTF8() }

  static func feed(_ samples: [(name: String, time: Double, value: SeriesValue)]) -> FeedSnapshot {
    var store = SeriesStore()
    for sample in samples {
      let id = store.series(for: SeriesIdentity(bucket: "b", name: sample.name, typeName: "T"))
      store.record(id, time: sample.time, value: sample.value)
    }
    return FeedSnapshot(store: store)
  }

  func model(_ feed: FeedSnapshot, now: Double = 10_000, width: Int = 120, height: Int = 36) -> Model {
    var model = Model(
      size: Size(width: width, height: height), now: Timestamp(now),
      theme: Theme(capabilities: Capabilities(depth: .none)), zone: .utc)
    model.open(feed, FoundIncidents(in: feed.store))
    return model
  }

  func text(_ model: Model) -> String { view(model).buffer.lines.joined(separator: "\n") }

  @Test("a file whose newest sample is old opens on its last window that has samples, and says how old it is")
  func oldFile() {
    let model = model(
      Self.feed((0..<50).map { ("m", 1000 + Double($0), .number(Double($0))) }), now: 1049 + 3015)
    #expect(model.session.edge.seconds == 1049)
    #expect(text(model).contains("● newest 50m15s ago"))
    #expect(model.live.content.stats.values.first?.stats.n == 50)
  }

  @Test("what the newest part of a file with thousands of metrics tells is on the screen at once")
  func manyMetrics() {
    var feed = Self.feed((0..<3000).map { ("m\($0)", 9950, .number(1)) })
    feed.status.isCaughtUp = false
    var model = model(feed)
    let id = feed.store.series(for: SeriesIdentity(bucket: "b", name: "a_newest", typeName: "T"))
    feed.store.record(id, time: 9999, value: .number(7))
    _ = update(&model, [.clock(Timestamp(10_000.05)), .feed(feed)])
    #expect(!text(model).contains("a_newest"))
    feed.status.isCaughtUp = true
    _ = update(&model, [.clock(Timestamp(10_000.1)), .feed(feed)])
    #expect(text(model).contains("a_newest"))
  }

  @Test("a sample ahead of the clock is flagged and does not move the window")
  func ahead() {
    var samples: [(name: String, time: Double, value: SeriesValue)] = (0..<50).map {
      ("m", 9950 + Double($0), .number(1))
    }
    samples.append(("m", 10_000 + 86_400 * 365, .number(7)))
    let model = model(Self.feed(samples))
    #expect(model.session.edge.seconds == 10_000)
    #expect(text(model).contains("1 ahead of the clock"))
    #expect(model.live.content.stats.values.first?.stats.now == .number(7))
  }

  @Test("freezing loses nothing: the picture stands, what comes is counted, and running again shows it")
  func freeze() {
    var feed = Self.feed((0..<50).map { ("m", 9950 + Double($0), .number(1)) })
    var model = model(feed)
    _ = update(&model, .input(.key(KeyPress(" "))))
    let picture = view(model).buffer.lines.dropFirst()
    let id = feed.store.allSeries[0]
    for step in 0..<312 { feed.store.record(id, time: 9999 + Double(step) / 100, value: .number(90)) }
    _ = update(&model, [.clock(Timestamp(10_003)), .feed(feed)])
    #expect(text(model).contains("+312 new"))
    #expect(Array(view(model).buffer.lines.dropFirst()) == Array(picture))
    _ = update(&model, .input(.key(KeyPress(" "))))
    #expect(model.live.content.stats[id]?.stats.n == 362)
  }

  @Test("the right edge moves in steps, so that columns stand still between two of them")
  func steps() {
    let feed = Self.feed((0..<50).map { ("m", 9950 + Double($0), .number(1)) })
    var model = model(feed, now: 10_000.1)
    #expect(model.session.edge.seconds == 10_001)
    let before = view(model)
    _ = update(&model, .clock(Timestamp(10_000.9)))
    #expect(view(model) == before)
    #expect(model.nextChange == Timestamp(10_001))
    _ = update(&model, .clock(Timestamp(10_001.2)))
    #expect(model.session.edge.seconds == 10_002)
  }

  @Test("the axis grows at once and shrinks after ten seconds")
  func axis() {
    let identity = SeriesIdentity(bucket: nil, name: "m", typeName: "T")
    let key = AxisHold.Key(series: identity, isLogarithmic: false)
    var axis = AxisHold()
    #expect(axis.fit(0...10, for: key, now: Timestamp(0), isFixed: false) == 0...10)
    #expect(axis.fit(0...50, for: key, now: Timestamp(1), isFixed: false) == 0...50)
    #expect(axis.fit(0...20, for: key, now: Timestamp(2), isFixed: false) == 0...50)
    #expect(axis.deadline == Timestamp(12))
    #expect(axis.fit(0...20, for: key, now: Timestamp(11.9), isFixed: false) == 0...50)
    #expect(axis.fit(0...20, for: key, now: Timestamp(12), isFixed: false) == 0...20)
    #expect(axis.fit(0...90, for: key, now: Timestamp(13), isFixed: true) == 0...20)
  }

  @Test("bools show the share of true, texts their most frequent value, null is counted and never 0")
  func types() {
    var samples: [(name: String, time: Double, value: SeriesValue)] = []
    for step in 0..<40 {
      samples.append(("flag", 9950 + Double(step), .bool(step % 4 != 0)))
      samples.append(("locale", 9950 + Double(step), .text(step < 30 ? "de_DE" : "fr_FR")))
      samples.append(("maybe", 9950 + Double(step), .null))
    }
    var model = model(Self.feed(samples))
    let lines = view(model).buffer.lines
    #expect(lines.contains { $0.contains("flag") && $0.contains("75%") && $0.contains("true") })
    #expect(lines.contains { $0.contains("locale") && $0.contains("75%") && $0.contains("fr_FR") })
    #expect(lines.contains { $0.contains("maybe") && $0.contains("null") })
    model.session.isTouched = true
    model.live.selection = .series(SeriesIdentity(bucket: "b", name: "locale", typeName: "T"))
    _ = update(&model, .clock(Timestamp(10_000)))
    #expect(text(model).contains("de_DE") && text(model).contains("25%"))
    model.live.selection = .series(SeriesIdentity(bucket: "b", name: "maybe", typeName: "T"))
    _ = update(&model, .clock(Timestamp(10_000)))
    #expect(text(model).contains("Only null in this window"))
  }

  @Test("a series that came steadily and stops is silent after a few of its intervals, by the clock")
  func silence() {
    var model = model(Self.feed((0..<120).map { ("m", 8400 + Double($0) * 10, .number(1)) }), now: 9595)
    #expect(model.session.alerts.signs.isEmpty)
    _ = update(&model, .clock(Timestamp(9629)))
    #expect(model.session.alerts.signs.isEmpty)
    _ = update(&model, .clock(Timestamp(9670)))
    #expect(model.session.alerts.signs.values.first == .silent)
    #expect(text(model).contains("│ 1 silent"))
  }

  @Test("in a file that is over nothing is silent that lasts to its end, however long the window")
  func silenceInThePast() {
    let samples = (0..<3000).map { ("m", 9000.7 + Double($0), SeriesValue.number(1)) }
    var model = model(Self.feed(samples), now: 90_000)
    for _ in 0..<6 {
      _ = update(&model, .input(.key(KeyPress("-"))))
      #expect(model.session.alerts.signs.isEmpty)
    }
    #expect(model.session.window > 1000)
    // A sign that depends on the window is looked for again at once.
    model.session.alerts.signs = [SeriesIdentity(bucket: "b", name: "m", typeName: "T"): .silent]
    _ = update(&model, .input(.key(KeyPress("="))))
    #expect(model.session.alerts.signs.isEmpty)
  }

  @Test(
    "what a sync engine records when something happens is not missed when nothing does, nor strange when it rises"
  )
  func syncRecords() {
    var store = SeriesStore()
    let identity = SeriesIdentity(
      bucket: "sync", name: "transition", typeName: "SyncTransition", field: "sequence")
    let id = store.series(for: identity, at: 9000)
    for step in 0..<200 { store.record(id, time: 9000 + Double(step), value: .number(Double(step * step))) }
    var model = model(FeedSnapshot(store: store), now: 9200)
    #expect(model.session.alerts.signs.isEmpty)
    _ = update(&model, .clock(Timestamp(9300)))
    #expect(model.session.alerts.signs.isEmpty && model.session.alerts.events.isEmpty)
  }

  @Test(
    "an update that comes later gives the same picture as a start at that moment",
    arguments: [(120, 36), (80, 24), (40, 12)])
  func sameAsFresh(width: Int, height: Int) {
    let whole = LiveFixture.shared
    var part = whole
    part.status.isLoaded = false
    part.store = SeriesStore()
    let first = SeriesIdentity(bucket: "ui", name: "frame_ms", typeName: "Double")
    part.store.record(part.store.series(for: first), time: LiveFixture.now - 3000, value: .number(4))
    var model = LiveFixture.model(width, height, now: LiveFixture.now - 2, feed: part)
    _ = update(&model, [.clock(LiveFixture.now - 1.5), .feed(part)])
    _ = update(&model, .clock(LiveFixture.now))
    model.open(whole, LiveFixture.found)
    #expect(view(model).buffer.lines == view(LiveFixture.model(width, height)).buffer.lines)
  }

  /// Samples a second apart, up to the model's clock.
  private func row(_ name: String, _ value: @escaping (Int) -> SeriesValue) -> [(
    name: String, time: Double, value: SeriesValue
  )] {
    (0..<600).map { (name, 9400 + Double($0), value($0)) }
  }

  private func selected(_ model: Model) -> String {
    if case .series(let identity) = model.live.selection { identity.name } else { "" }
  }

  @Test("at first the worst row is selected, which is the first one; the first by name where nothing is")
  func firstSelection() {
    let texts = row("a", { _ in .text("x") })
    let old = [(name: "b", time: 100.0, value: SeriesValue.number(1))]
    let calm = row("c", { .number(Double($0 % 7)) })
    let risen = row("d", { .number($0 > 580 ? 90 : Double($0 % 7)) })
    #expect(selected(model(Self.feed(texts + old + calm))) == "a")
    #expect(selected(model(Self.feed(texts + old + calm + risen))) == "d")
    #expect(selected(model(Self.feed(texts + old))) == "a")
    #expect(selected(model(Self.feed(texts))) == "a")
  }

  @Test("a metric over its limit comes before one that is above its own p95")
  func limitFirst() {
    let risen = row("a", { .number($0 > 580 ? 90 : Double($0 % 7)) })
    let feed = Self.feed(risen + row("z", { _ in .number(500) }))
    let model = Model(
      size: Size(width: 120, height: 36), now: Timestamp(10_000), zone: .utc, feed: feed,
      limits: LimitSet(["b.z": 400])
    )
    #expect(selected(model) == "z")
  }

  @Test("what was chosen at first stays chosen, whatever happens to other metrics")
  func firstSelectionStays() {
    var feed = Self.feed(row("c", { .number(Double($0 % 7)) }) + row("d", { .number(Double($0 % 7)) }))
    var model = model(feed, width: 80, height: 24)
    #expect(selected(model) == "c")
    let id = feed.store.id(of: SeriesIdentity(bucket: "b", name: "d", typeName: "T"))
    for step in 0..<20 {
      if let id { feed.store.record(id, time: 10_000 + Double(step) / 2, value: .number(5000)) }
    }
    _ = update(&model, .clock(Timestamp(10_010)))
    model.open(feed, FoundIncidents(in: feed.store))
    #expect(model.session.alerts.signs.values.contains(.aboveOwn))
    #expect(selected(model) == "c")
  }

  @Test("a start without samples ends up with the row that a start with all of them selects")
  func firstSelectionWaits() {
    let calm = row("c", { .number(Double($0 % 7)) })
    let risen = row("d", { .number($0 > 580 ? 90 : Double($0 % 7)) })
    var model = Model(size: Size(width: 120, height: 36), now: Timestamp(10_000), zone: .utc)
    var part = Self.feed(calm)
    part.status.isLoaded = false
    model.open(part, FoundIncidents())
    _ = update(&model, .clock(Timestamp(10_001.5)))
    let whole = Self.feed(calm + risen)
    model.open(whole, FoundIncidents(in: whole.store))
    #expect(selected(model) == "d")
  }

  @Test("a text that was alone gives way to the first metric with numbers, once")
  func numbersTakeOver() {
    var feed = Self.feed(row("t", { _ in .text("x") }))
    var model = model(feed)
    #expect(selected(model) == "t")
    for name in ["n", "a"] {
      let id = feed.store.series(for: SeriesIdentity(bucket: "b", name: name, typeName: "T"))
      feed.store.record(id, time: 10_000, value: .number(1))
      _ = update(&model, .feed(feed))
    }
    #expect(selected(model) == "n")
  }

  @Test("a click selects the row, the wheel scrolls, a click on the rail moves the playhead")
  func mouse() {
    var model = LiveFixture.model(120, 36)
    let row = Position(x: 8, y: model.liveScreen.layout.rows.y + 1)
    _ = update(&model, .input(.mouse(MouseEvent(.press, button: .left, at: row))))
    #expect(model.liveScreen.selectedIndex == 1)
    _ = update(&model, .input(.mouse(MouseEvent(.wheelDown, at: row))))
    #expect(model.liveScreen.selectedIndex == 4)
    _ = update(&model, .input(.mouse(MouseEvent(.press, button: .left, at: Position(x: 40, y: 34)))))
    #expect(model.session.isFrozen && model.session.edge < LiveFixture.now - 1000)
    let chart = model.liveScreen.layout[.chart]
    _ = update(&model, .input(.mouse(MouseEvent(.press, button: .left, at: chart.origin))))
    #expect(model.live.pane == .chart)
    _ = update(&model, .input(.mouse(MouseEvent(.press, button: .left, at: Position(x: 116, y: 0)))))
    #expect(view(model).buffer.lines.contains { $0.contains("type to filter") })
    _ = update(&model, .input(.key(KeyPress(.escape))))
    model.session.isMouseOn = false
    _ = update(&model, .input(.mouse(MouseEvent(.press, button: .left, at: row))))
    #expect(model.live.pane == .chart)
  }

  @Test("under twenty samples a percentile is a range, where there is room for it")
  func doubts() {
    let feed = Self.feed((0..<9).map { ("m", 9990 + Double($0), .number(100 + 10 * Double($0))) })
    #expect(text(model(feed, width: 240, height: 50)).contains("130-150"))
    #expect(text(model(feed)).contains("~140"))
  }

  @Test("a window is compared with as much of the last hour as there is")
  func shortHour() {
    let feed = Self.feed(row("m", { .number(Double($0 % 7)) }))
    #expect(text(model(feed)).contains("2m vs the 8m before"))
    #expect(text(model(feed, width: 80, height: 24)).contains("p95 vs before"))
    #expect(text(LiveFixture.model(120, 36)).contains("2m vs the hour before"))
    let short = Self.feed((0..<9).map { ("m", 9990 + Double($0), .number(1)) })
    #expect(text(model(short)).contains("2m vs all there is"))
  }

  @Test("the selection stays with its name when new metrics come and rows move")
  func sticky() {
    var feed = Self.feed((0..<20).map { ("m", 9950 + Double($0), .number(1)) })
    var model = model(feed)
    _ = update(&model, .input(.key(KeyPress("T"))))
    _ = update(&model, .input(.key(KeyPress(.down))))
    let selection = model.live.selection
    for name in ["a", "z", "k"] {
      feed.store.record(
        feed.store.series(for: SeriesIdentity(bucket: "a", name: name, typeName: "T")), time: 9990,
        value: .null)
    }
    _ = update(&model, .feed(feed))
    #expect(model.live.selection == selection && model.liveScreen.selectedIndex == 5)
  }

  static let hostile = [
    "\u{1B}[31mred\u{1B}[0m", "\u{202E}right to left", "nul\u{0}byte", "\u{9B}31m",
    "zero\u{200B}width\u{200D}",
    "日本語のとても長い名前です", "e\u{301}\u{301}\u{301}\u{301}", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "\r\n\t", "", String(repeating: "x", count: 5000),
    "\u{7F}\u{80}",
  ]

  @Test(
    "hostile names and values break no line and let nothing raw through",
    arguments: [(120, 36), (80, 24), (40, 12), (20, 5), (104, 31)])
  func hostileNames(width: Int, height: Int) {
    var feed = FeedSnapshot()
    for name in Self.hostile {
      let identity = SeriesIdentity(bucket: name, name: name, typeName: name, field: name)
      let id = feed.store.series(for: identity)
      for step in 0..<12 {
        feed.store.record(id, time: 9900 + Double(step), value: .text(name + "\(step % 2)"))
      }
    }
    feed.status.sources = Self.hostile
    feed.status.events = Self.hostile.map { FeedEvent(.rotated, at: Timestamp(9999), source: $0, text: $0) }
    feed.status.rejected = 1
    feed.status.rejections = [
      FeedRejection(source: "\u{1B}", line: nil, offset: 0, reason: "\u{7}", excerpt: [27, 91, 255])
    ]
    var model = model(feed, width: width, height: height)
    for key in [
      KeyPress(.down), KeyPress(.enter), KeyPress("!"), KeyPress("?"), KeyPress(.escape), KeyPress("G"),
    ] {
      _ = update(&model, .input(.key(key)))
      let frame = view(model)
      model.wantsReceipt = true
      for scalar in (frame.buffer.lines + model.receipt).joined().unicodeScalars {
        #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && scalar.value != 0x202E)
      }
      for y in 0..<height {
        let columns = (0..<width).reduce(0) { $0 + frame.buffer[$1, y].width }
        #expect(columns == width)
      }
    }
  }

  @Test("extreme numbers, times and windows draw without a trap")
  func extremes() {
    let values: [Double] = [1e308, -1e308, 0, .leastNonzeroMagnitude, -0.0, 1, .greatestFiniteMagnitude]
    var samples: [(name: String, time: Double, value: SeriesValue)] = []
    for (index, value) in values.enumerated() {
      for name in ["big", "m_ms", "m_s", "m_bytes", "m_percent"] {
        samples.append((name, 9990 + Double(index), .number(value)))
      }
    }
    samples.append(("big", -1e300, .number(1)))
    samples.append(("big", 1e300, .number(1)))
    var model = model(Self.feed(samples))
    for key in Array("----------------++++++aaa").map(KeyPress.init(_:)) + [
      KeyPress(.left), KeyPress(.left), KeyPress("F"),
    ] {
      _ = update(&model, .input(.key(key)))
      for _ in 0..<6 {
        _ = update(&model, .input(.key(KeyPress(.down))))
        #expect(view(model).buffer.size.width == 120)
      }
      _ = update(&model, .input(.key(KeyPress("g"))))
    }
  }

  @Test("keys at random never trap, and the picture stays whole", arguments: 1...UInt64(trials(1, long: 3)))
  func randomKeys(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var model = LiveFixture.model(100, 30, feed: LiveSizeTests.feed)
    let keys =
      model.tables.flatMap(\.actions).flatMap(\.description.keys) + [
        KeyPress("x"), KeyPress("1"), KeyPress(.backspace),
      ]
    for _ in 0..<400 {
      let key = keys[Int.random(in: 0..<keys.count, using: &generator)]
      _ = update(&model, .input(.key(key)))
      if Int.random(in: 0..<12, using: &generator) == 0 {
        let size = Size(
          width: Int.random(in: 0...150, using: &generator), height: Int.random(in: 0...50, using: &generator)
        )
        _ = update(&model, .input(.resize(size)))
      }
      #expect(view(model).buffer.size == model.session.size)
    }
  }
}
