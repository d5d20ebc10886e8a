import Aggregation
import Platform
import QueryLanguage
import TerminalUI
import TestSupport
import Testing

@testable import DashboardCore
@testable import LiveScreen

@Suite("The present, however long the window is")
struct LivePresentTests {
  init() { adoptUTF8() }

  /// Neither the end of a step of any window nor a whole minute.
  private static let now = 300_000.0 + 77
  private static let windows: [Double] = Session.windows.filter { $0 >= 3600 }

  /// A sample a minute for 26 hours, and two metrics that ended a while ago.
  private static func model(window: Double, limits: LimitSet = LimitSet()) -> Model {
    var samples: [(name: String, time: Double, value: SeriesValue)] = (0..<26 * 60).map {
      ("m_count", now - 30 - Double($0) * 60, .number(Double($0 % 100)))
    }
    samples += (0..<40).map { ("four_minutes", now - 240 - Double($0) * 60, .number(1)) }
    samples += (0..<40).map { ("six_minutes", now - 360 - Double($0) * 60, .number(1)) }
    var model = LiveUpdateTests().model(LiveUpdateTests.feed(samples), now: now)
    model.session.limits = limits
    model.session.setWindow(window)
    _ = update(&model, [.clock(Timestamp(now))])
    return model
  }

  private static func select(_ name: String, in model: inout Model) {
    model.live.selection = .series(SeriesIdentity(bucket: "b", name: name, typeName: "T"))
    _ = update(&model, [.clock(Timestamp(now))])
  }

  private static func names(in model: Model) -> [String] {
    model.live.content.rows.compactMap { row in
      if case .series(let identity) = row.id { identity.name } else { nil }
    }.sorted()
  }

  @Test("the last hour is the hour before the clock", arguments: windows)
  func lastHour(window: Double) throws {
    var model = Self.model(window: window)
    Self.select("m_count", in: &model)
    let hour = try #require(model.live.content.focus?.hour)
    #expect(hour.count == 60)
    #expect(hour.moments.maximum == 59)
  }

  @Test("ages are measured to the clock", arguments: windows)
  func age(window: Double) {
    var model = Self.model(window: window)
    model.live.rowFilter = RowFilter("age < 5m")
    _ = update(&model, [.clock(Timestamp(Self.now))])
    #expect(Self.names(in: model) == ["four_minutes", "m_count"])
    // Rows leave as they get older, and the program wakes for it.
    let next = model.nextChange ?? .distantFuture
    #expect(next > Timestamp(Self.now) && next <= Timestamp(Self.now + 10))
    _ = update(&model, [.clock(Timestamp(Self.now + 70))])
    #expect(Self.names(in: model) == ["m_count"])
  }

  @Test("a limit on the age is not passed before its time", arguments: windows)
  func ageLimit(window: Double) throws {
    let limit = try #require(try LimitText.limit(where: "b.four_minutes and age > 5m"))
    var limits = LimitSet()
    limits.set(limit)
    var model = Self.model(window: window, limits: limits)
    #expect(model.session.alerts.events.filter { $0.kind == .overLimit }.isEmpty)
    _ = update(&model, [.clock(Timestamp(Self.now + 70))])
    #expect(model.session.alerts.events.filter { $0.kind == .overLimit }.count == 1)
  }

  @Test("sorting by change compares with the hour before the clock", arguments: windows)
  func sortedByChange(window: Double) {
    var model = Self.model(window: window)
    let before = Self.model(window: 3600)
    for name in ["four_minutes", "six_minutes", "m_count"] {
      let identity = SeriesIdentity(bucket: "b", name: name, typeName: "T")
      Self.select(name, in: &model)
      let usual = model.session.store.id(of: identity).flatMap { model.live.content.stats[$0]?.stats.usual }
      let known = before.session.store.id(of: identity).flatMap { before.live.content.stats[$0]?.stats.usual }
      #expect(usual == known)
    }
  }

  @Test("who freezes stands at the clock and not ahead of it", arguments: windows)
  func freeze(window: Double) {
    for second in 0..<10 {
      var model = Self.model(window: window)
      _ = update(&model, [.clock(Timestamp(Self.now + Double(second)))])
      _ = update(&model, .input(.key(KeyPress(" "))))
      #expect(model.session.isFrozen)
      #expect(abs(model.session.edge.seconds - Self.now - Double(second)) <= 10)
      #expect(model.session.present == model.session.edge)
      #expect(model.session.momentAhead == nil, "the clock is said to be a simulated one")
    }
  }

  @Test("figures of the hour are kept between two steps of the present")
  func kept() throws {
    var model = Self.model(window: 86_400)
    Self.select("m_count", in: &model)
    let at = try #require(model.live.content.focus?.figuresAt)
    for step in 1...2 { _ = update(&model, [.clock(Timestamp(Self.now + Double(step)))]) }
    #expect(model.live.content.focus?.figuresAt == at)
  }
}
