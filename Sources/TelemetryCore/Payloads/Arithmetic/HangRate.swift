import Aggregation

/// How long an app did not answer in an hour of use, in seconds per foreground hour.
public struct HangRate: Hashable, Sendable {
  /// The best guess, every hang taken as long as the middle of its bin.
  public let value: Double
  /// Not less than this.
  public let lower: Double
  /// Not more than this.
  public let upper: Double

  /// The shortest hang that counts by Apple's definition, in milliseconds.
  public static let shortestHang = 250.0

  /// The rate of some hangs in a time in the foreground.
  ///
  /// - Parameters:
  ///   - hangs: The hangs.
  ///   - foreground: How long the app was in the foreground, in seconds; there is no rate for none or an unknown time.
  ///   - shortest: What is shorter does not count, in milliseconds. Of a bin that has it inside, the part above counts.
  ///     What real devices write has no shorter hang; simulated payloads have.
  public init?(_ hangs: TimeHistogram, foreground: Double?, countingFrom shortest: Double? = nil) {
    guard let foreground, foreground > 0, foreground.isFinite else { return nil }
    self.init(HangTime(hangs, countingFrom: shortest), foreground: foreground)
  }

  fileprivate init?(_ time: HangTime, foreground: Double) {
    let hours = foreground / 3600
    (value, lower, upper) = (time.middle / hours, time.lower / hours, time.upper / hours)
    guard value.isFinite, lower.isFinite, upper.isFinite else { return nil }
  }
}

/// The hang rates of many device-days: of all together, and how the days differ.
///
/// Both are shown, for they differ: a device that hangs all day is one of many in the median and most of the whole.
public struct HangRates: Hashable, Sendable {
  /// The figures of one payload that a rate needs.
  public struct Day: Hashable, Sendable {
    /// The hangs.
    public var hangs: TimeHistogram
    /// The time in the foreground, in seconds, if known.
    public var foreground: Double?

    /// A device-day.
    public init(hangs: TimeHistogram, foreground: Double?) {
      (self.hangs, self.foreground) = (hangs, foreground)
    }
  }

  /// All hangs over all time in the foreground.
  public let pooled: HangRate
  /// The rate of the middle device-day, by nearest rank.
  public let median: HangRate
  /// The rate that nine of ten device-days do not exceed, by nearest rank.
  public let ninetiethPercentile: HangRate
  /// How many device-days have a rate.
  public let days: Int
  /// How many have none, for want of time in the foreground; their hangs are left out.
  public let daysWithoutRate: Int

  /// The rates of some device-days; `nil` where none has one.
  ///
  /// - Parameters:
  ///   - days: The device-days of one version.
  ///   - shortest: What is shorter does not count, in milliseconds.
  public init?(_ days: some Sequence<Day>, countingFrom shortest: Double? = nil) {
    var rates: [HangRate] = []
    var (all, foreground, without) = (HangTime(), 0.0, 0)
    for day in days {
      guard let time = day.foreground,
        let rate = HangRate(day.hangs, foreground: time, countingFrom: shortest)
      else {
        without += 1
        continue
      }
      rates.append(rate)
      all.add(HangTime(day.hangs, countingFrom: shortest))
      foreground += time
    }
    rates.sort { $0.value < $1.value }
    let at = { (percentile: Double) in rates[Quantile.rank(ofPercentile: percentile, count: rates.count) - 1]
    }
    guard !rates.isEmpty, let pooled = HangRate(all, foreground: foreground) else { return nil }
    (self.pooled, median, ninetiethPercentile) = (pooled, at(50), at(90))
    (self.days, daysWithoutRate) = (rates.count, without)
  }
}

/// The time of some hangs together, in seconds.
private struct HangTime {
  var (lower, middle, upper) = (0.0, 0.0, 0.0)

  init() {}

  init(_ hangs: TimeHistogram, countingFrom shortest: Double?) {
    let shortest = shortest ?? -.infinity
    for bin in hangs.intervals where bin.upper > shortest || bin.lower >= shortest {
      let count = Double(bin.count) / 1000
      upper += bin.upper * count
      guard bin.lower < shortest else {
        lower += bin.lower * count
        middle += (bin.lower / 2 + bin.upper / 2) * count
        continue
      }
      let share = (bin.upper - shortest) / (bin.upper - bin.lower)
      middle += (shortest / 2 + bin.upper / 2) * count * share
    }
  }

  mutating func add(_ other: HangTime) {
    lower += other.lower
    middle += other.middle
    upper += other.upper
  }
}
