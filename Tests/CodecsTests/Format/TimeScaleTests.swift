import Platform
import Testing

@testable import Codecs

@Suite("Round times for an axis")
struct TimeScaleTests {
  /// 2026-11-21 00:00 UTC.
  static let midnight = Timestamp(816_912_000)

  private func labels(_ from: Timestamp, _ length: Double, limit: Int = 6) -> [String] {
    TimeScale(window: from..<from + length, zone: .utc, limit: limit).ticks.map(\.label)
  }

  @Test("steps are round on the clock, then on the calendar")
  func steps() {
    #expect(labels(Self.midnight + 1, 0.02).first == "00:00:01.000")
    #expect(
      labels(Self.midnight + 3, 60) == [
        "00:00:10", "00:00:20", "00:00:30", "00:00:40", "00:00:50", "00:01:00",
      ])
    #expect(labels(Self.midnight + 8 * 3600 + 77, 1024) == ["08:05", "08:10", "08:15"])
    #expect(labels(Self.midnight + 3600, 90_000) == ["06:00", "12:00", "18:00", "11-22"])
    #expect(labels(Self.midnight, 86_400 * 30).first == "2026-11-26")
    #expect(labels(Timestamp(0), 86_400 * 3652).first == "2001-01")
  }

  @Test("never more than there is room for, and none where time cannot be told apart")
  func bounds() {
    for exponent in -9...41 {
      let length = Double(sign: .plus, exponent: exponent, significand: 1)
      for from in [Timestamp(0), Self.midnight, Timestamp(-1e12), Timestamp(1e12 - length)] {
        let end = max(from + length, Timestamp(from.seconds.nextUp))
        let ticks = TimeScale(window: from..<end, zone: .utc, limit: 8).ticks
        #expect(ticks.count <= 9)
      }
    }
  }
}
