/// Round times for a time axis.
struct TimeScale {
  /// A time and how it is written.
  struct Tick: Hashable {
    /// In seconds since 2001.
    let time: Double
    let label: String
  }

  /// In seconds since 2001.
  let window: Range<Double>
  let zone: ClockZone
  /// The most ticks there is room for.
  let limit: Int

  /// Lengths that are round on a clock or a calendar, in seconds.
  private static let steps: [Double] =
    [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800]
    + [1, 2, 3, 6, 12, 24, 48, 96, 240, 480, 720, 1440, 4320, 8760, 17_520, 43_800, 87_600, 876_000].map {
      $0 * 3600
    }

  private var length: Double { window.upperBound - window.lowerBound }

  private var step: Double {
    let least = length / Double(max(1, limit))
    return Self.steps.first { $0 >= least } ?? least
  }

  /// The ticks in their order.
  var ticks: [Tick] {
    let step = step
    guard length > 0, length.isFinite, window.lowerBound.ulp < step else { return [] }
    // Steps of an hour and more stand on the hours and days of the zone.
    let offset = zone.offset(at: window.lowerBound)
    let first = ((window.lowerBound + offset) / step).rounded(.up) * step - offset
    return (0...limit).map { first + Double($0) * step }.filter { $0 < window.upperBound }.map {
      Tick(time: $0, label: label($0, step))
    }
  }

  private func label(_ time: Double, _ step: Double) -> String {
    if step >= 86_400 * 365 { return String(zone.date(time).prefix(7)) }
    if step >= 86_400 { return String(zone.date(time)) }
    if step < 1 { return zone.time(time, .milliseconds) }
    let precision: ClockZone.Precision = step < 60 ? .seconds : .minutes
    // Midnight tells the day.
    let clock = zone.time(time, precision)
    return length > 86_400 && clock == "00:00" ? String(zone.date(time).suffix(5)) : clock
  }
}
