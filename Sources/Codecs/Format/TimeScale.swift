package import Platform

/// Round times for a time axis.
package struct TimeScale {
  /// A time and its label.
  package struct Tick: Hashable {
    package let time: Timestamp
    package let label: String
  }

  private let window: Range<Timestamp>
  private let zone: ClockZone
  private let limit: Int

  /// - Parameters:
  ///   - window: The range of the axis.
  ///   - limit: The most ticks there is room for.
  package init(window: Range<Timestamp>, zone: ClockZone, limit: Int) {
    self.window = window
    self.zone = zone
    self.limit = limit
  }

  private var length: Double { window.upperBound - window.lowerBound }

  private var step: Double {
    RoundTime.step(atLeast: length / Double(max(1, limit)))
  }

  /// The ticks in ascending order.
  package var ticks: [Tick] {
    let step = step
    guard length > 0, length.isFinite, window.lowerBound.seconds.ulp < step else { return [] }
    // Steps of an hour and more align with the hours and days of the zone.
    let offset = zone.offset(at: window.lowerBound)
    let first = ((window.lowerBound.seconds + offset) / step).rounded(.up) * step - offset
    return (0...limit).map { Timestamp(first + Double($0) * step) }.filter { $0 < window.upperBound }.map {
      Tick(time: $0, label: label($0, step))
    }
  }

  private func label(_ time: Timestamp, _ step: Double) -> String {
    if step >= 86_400 * 365 { return String(zone.date(time).prefix(7)) }
    if step >= 86_400 { return String(zone.date(time)) }
    if step < 1 { return zone.time(time, .milliseconds) }
    let precision: ClockZone.Precision = step < 60 ? .seconds : .minutes
    // Midnight is labelled with its date.
    let clock = zone.time(time, precision)
    return length > 86_400 && clock == "00:00" ? String(zone.date(time).suffix(5)) : clock
  }
}
