import Aggregation
import Platform
import TerminalUI
import TestSupport
import Testing

@testable import Dashboard
@testable import DashboardCore
@testable import HistoryScreen

@Suite("Samples far from all others, on the History screen")
struct FarOutlierTests {
  init() { adoptUTF8() }

  /// 2026-11-26 13:33:20, as in the field's zero_time.log.
  private static let start = 817_392_800.0
  private static let yearOne = -63_113_904_000.0

  private static func model(_ outliers: [Double], width: Int = 120) -> Model {
    var samples = outliers.map { (name: "ms", time: $0, value: SeriesValue.number(1)) }
    samples += (0..<19).map { ("ms", start + Double($0), SeriesValue.number(Double($0))) }
    var model = LiveUpdateTests().model(LiveUpdateTests.feed(samples), now: start + 86_400, width: width)
    model.session.history.isAvailable = true
    _ = update(&model, [.input(.key(KeyPress("2")))])
    return model
  }

  @Test("do not stretch the window, and are named with the key that goes there")
  func zeroTime() throws {
    let model = Self.model([Self.yearOne])
    let window = model.history.window
    #expect(window.contains(Timestamp(Self.start)) && window.upperBound - window.lowerBound < 600)
    let text = LiveUpdateTests().text(model)
    #expect(text.contains("1 value far away: t 0001-01-01"), "\(text)")
  }

  @Test("on both sides, at every width without a trap", arguments: [20, 40, 80, 120, 200])
  func both(width: Int) {
    let model = Self.model([Self.yearOne, 252_423_993_599], width: width)
    #expect(model.history.window.upperBound - model.history.window.lowerBound < 86_400 * 2)
    _ = LiveUpdateTests().text(model)
  }

  @Test("can be gone to: the window is then as long as that of the others, and leads back")
  func goThere() {
    var model = Self.model([Self.yearOne])
    model.session.goTo("0001-01-01")
    _ = update(&model, [.clock(model.session.now)])
    let window = model.history.window
    #expect(window.contains(Timestamp(Self.yearOne)) && window.upperBound - window.lowerBound < 3600)
    model.session.goLive()
    _ = update(&model, [.clock(model.session.now)])
    #expect(model.history.window.contains(Timestamp(Self.start)))
  }

  @Test("the strip of the whole file leaves them out too")
  func rail() {
    let rail = Self.model([Self.yearOne]).session.rail
    #expect(rail.first > Timestamp(Self.start - 3600))
  }
}
