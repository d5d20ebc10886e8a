import Aggregation

/// A sum that payloads report (processor time, bytes, exits), over the device-days of one version.
public struct ScalarFigures: Hashable, Sendable {
  /// The contribution of one payload.
  public struct Day: Hashable, Sendable {
    /// The payload's value; `nil` if it has none.
    public var value: Double?
    /// Foreground time in seconds, if known.
    public var foreground: Double?

    /// A device-day.
    public init(value: Double?, foreground: Double?) {
      (self.value, self.foreground) = (value, foreground)
    }
  }

  /// The total.
  public let total: Double
  /// The mean per device-day that has a value.
  public let perDay: Double
  /// The rate per foreground hour, over the days that have both; `nil` without foreground time.
  public let perForegroundHour: Double?
  /// Number of device-days with a value.
  public let days: Int

  /// The figures of device-days; `nil` if none has a finite value.
  public init?(_ days: some Sequence<Day>) {
    var (total, timed, foreground) = (CompensatedSum(), CompensatedSum(), CompensatedSum())
    var count = 0
    for day in days {
      guard let value = day.value, value.isFinite else { continue }
      count += 1
      total.add(value)
      guard let time = day.foreground, time > 0, time.isFinite else { continue }
      timed.add(value)
      foreground.add(time)
    }
    guard count > 0, let mean = total.mean(count: count) else { return nil }
    (self.days, self.total, perDay) = (count, total.value, mean)
    let rate = timed.value / (foreground.value / 3600)
    perForegroundHour = foreground.value > 0 && rate.isFinite ? rate : nil
  }
}
