import Aggregation

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

  private var length: Double { window.upperBound - window.lowerBound }

  private var step: Double {
    RoundTime.step(atLeast: length / Double(max(1, limit)))
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
