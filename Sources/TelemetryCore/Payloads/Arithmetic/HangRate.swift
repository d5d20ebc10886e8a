import Aggregation

/// Time that an app was unresponsive per hour of use, in seconds per foreground hour.
public struct HangRate: Hashable, Sendable {
  /// The best estimate, which places every hang in the middle of its bin.
  public let value: Double
  /// Lower bound of the true rate.
  public let lower: Double
  /// Upper bound of the true rate.
  public let upper: Double

  /// The shortest hang that counts by Apple's definition, in milliseconds.
  public static let shortestHang = 250.0

  /// The rate of hangs over a foreground time.
  ///
  /// - Parameters:
  ///   - hangs: The hangs.
  ///   - foreground: Foreground time in seconds; without a positive time there is no rate.
  ///   - shortest: Minimum duration of a hang that counts, in milliseconds. A bin that straddles it counts in part.
  ///     Real devices report no shorter hangs; simulated payloads do.
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

/// The hang rates of many device-days: the pooled rate, and how the days differ.
///
/// Both matter: a device that hangs all day is a single day in the median but dominates the pooled rate.
public struct HangRates: Hashable, Sendable {
  /// The inputs to the rate from one payload.
  public struct Day: Hashable, Sendable {
    /// The hangs.
    public var hangs: TimeHistogram
    /// Foreground time in seconds, if known.
    public var foreground: Double?

    /// A device-day.
    public init(hangs: TimeHistogram, foreground: Double?) {
      (self.hangs, self.foreground) = (hangs, foreground)
    }
  }

  /// All hangs over all foreground time.
  public let pooled: HangRate
  /// The rate of the median device-day, by nearest rank.
  public let median: HangRate
  /// The rate that 90 % of device-days do not exceed, by nearest rank.
  public let ninetiethPercentile: HangRate
  /// Number of device-days with a rate.
  public let days: Int
  /// Number of device-days without a rate, for lack of foreground time; their hangs are ignored.
  public let daysWithoutRate: Int

  /// The rates of device-days; `nil` if none has one.
  ///
  /// - Parameters:
  ///   - days: The device-days of one version.
  ///   - shortest: Minimum duration of a hang that counts, in milliseconds.
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

/// Total duration of hangs, in seconds.
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
