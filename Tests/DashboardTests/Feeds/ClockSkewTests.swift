import Platform
import TestSupport
import Testing

@testable import DashboardCore

@Suite("The clock of a source")
struct ClockSkewTests {
  /// The skew after arrivals at these moments with these delays.
  static func skew(_ arrivals: [(at: Double, delay: Double)]) -> Double? {
    var clock = ClockSkew()
    for arrival in arrivals { clock.note(Timestamp(arrival.at - arrival.delay), at: Timestamp(arrival.at)) }
    return clock.seconds
  }

  static func steady(_ delay: Double, from: Double = 0, to: Double, every step: Double = 0.5) -> [(
    at: Double, delay: Double
  )] {
    stride(from: from, to: to, by: step).map { (at: $0, delay: delay) }
  }

  @Test(
    "is ahead or behind by the median of arrival minus stamp",
    arguments: [-90.0, -10, 0, 7, 18_000] as [Double])
  func median(delay: Double) {
    #expect(Self.skew(Self.steady(delay, to: 30)) == delay)
    // One line in ten comes late, or has a stamp from year 1.
    let outliers = Self.steady(delay, to: 30).enumerated().map { index, arrival in
      (at: arrival.at, delay: index % 10 == 5 ? arrival.delay + 6.3e10 : arrival.delay)
    }
    #expect(Self.skew(outliers) == delay)
  }

  @Test("does not follow fractions of a second, unless the newest lines would lie beyond the window")
  func fractions() {
    #expect(Self.skew(Self.steady(-89.5, to: 10) + Self.steady(-90, from: 10, to: 30)) == -90)
    #expect(Self.skew(Self.steady(-90, to: 10) + Self.steady(-89.5, from: 10, to: 30)) == -90)
    #expect(Self.skew(Self.steady(-90, to: 10) + Self.steady(-88.5, from: 10, to: 30)) == -88.5)
  }

  @Test("is believed after five seconds, and a stamp from the future at once")
  func beginning() {
    #expect(Self.skew([(0, 40)]) == nil)
    #expect(Self.skew(Self.steady(40, to: 5)) == nil)
    #expect(Self.skew(Self.steady(40, to: 5.5)) == 40)
    #expect(Self.skew([(0, -90)]) == -90)
    // A single stamp that no zone explains, such as one of year 9999.
    #expect(Self.skew([(0, -1e9)]) == nil)
  }

  @Test("is not known of a file that is copied, replayed or simulated faster than time")
  func replayed() {
    for speed in [0.0, 2, 10, 3600] {
      let arrivals = stride(from: 0.0, to: 60, by: 0.5).map { (at: $0, delay: 9000 - $0 * (speed - 1)) }
      #expect(Self.skew(arrivals) == nil, "\(speed)")
    }
  }

  @Test("is not known where lines are collected for any time")
  func collected() {
    let arrivals = (0..<60).map { (at: Double($0), delay: Double($0 * 7 % 31)) }
    #expect(Self.skew(arrivals) == nil)
  }

  @Test("follows a clock that is set while it runs, at once where it is then ahead")
  func jump() {
    let jumps = [(0.0, -90.0), (-90, 0), (-90, 3600), (20, -20)]
    for (before, after) in jumps {
      let soon = Self.skew(Self.steady(before, to: 30) + Self.steady(after, from: 30, to: 32))
      #expect(soon == (after < 0 ? after : nil), "\(before) \(after)")
      #expect(Self.skew(Self.steady(before, to: 30) + Self.steady(after, from: 30, to: 37)) == after)
    }
  }

  @Test("counts from two seconds ahead, and from five behind, as lines may come late for other reasons")
  func threshold() {
    #expect([-90, -2.5, -2, 0, 5, 5.5].map(ClockSkew.difference) == [-90, -2.5, 0, 0, 0, 5.5])
    #expect(ClockSkew.difference(nil) == 0)
  }

  @Test("starts over where this machine's clock is set back")
  func setBack() {
    #expect(Self.skew(Self.steady(0, from: 100, to: 130) + Self.steady(-100, to: 3)) == -100)
  }

  @Test("stays as it is while it wavers by less than a second")
  func wavering() {
    let arrivals = (0..<100).map { (at: Double($0) * 0.5, delay: -90 + Double($0 % 10) / 10) }
    #expect(Self.skew(arrivals) == -90)
  }

  @Test("of a slow source is known from its last five lines")
  func slow() {
    #expect(Self.skew(Self.steady(-300, to: 3600, every: 300)) == -300)
  }

  static let zones: [(seconds: Double, offset: Int, fitting: String)] = [
    (-32_400.2, 0, "+09:00"), (18_002, 0, "-05:00"), (-19_800, 0, "+05:30"), (-3600, 3600, "+02:00"),
    (-20_700, 0, "+05:45"),
  ]

  @Test("shows in which zone stamps without one would fit", arguments: zones)
  func zone(seconds: Double, offset: Int, fitting: String) {
    #expect(SourceSkew(source: "a", seconds: seconds, zoneOffset: offset).fittingZone == fitting)
    #expect(SourceSkew(source: "a", seconds: seconds).fittingZone == nil)
  }

  @Test(
    "no zone fits a clock that is off by any other time",
    arguments: [-90.0, 600, -32_800, 1e9, -54_000] as [Double])
  func noZone(seconds: Double) {
    #expect(SourceSkew(source: "a", seconds: seconds, zoneOffset: 0).fittingZone == nil)
  }
}
