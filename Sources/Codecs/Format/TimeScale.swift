package import Platform

/// Round times for a time axis.
package struct TimeScale {
  /// A time and its label.
  package struct Tick: Hashable {
    package let time: Timestamp
    package let label: String
  }

  private let window: Range<Timestamp>
  private let limit: Int
  /// The offset from UTC at a time, in seconds.
  private let offset: (Timestamp) -> Double

  /// - Parameters:
  ///   - window: The range of the axis.
  ///   - limit: The maximum number of ticks.
  package init(window: Range<Timestamp>, zone: ClockZone, limit: Int) {
    self.init(window: window, limit: limit) { zone.offset(at: $0) }
  }

  init(window: Range<Timestamp>, limit: Int, offset: @escaping (Timestamp) -> Double) {
    self.window = window
    self.limit = limit
    self.offset = offset
  }

  private var length: Double { window.upperBound - window.lowerBound }

  private var step: Double {
    RoundTime.step(atLeast: length / Double(max(1, limit)))
  }

  /// The ticks in ascending order.
  package var ticks: [Tick] {
    let step = step
    guard length > 0, length.isFinite, window.lowerBound.seconds.ulp < step else { return [] }
    let ahead = offset(window.lowerBound)
    let first = ((window.lowerBound.seconds + ahead) / step).rounded(.up) * step
    var ticks: [Tick] = []
    for index in 0...limit {
      let shown = Timestamp(first + Double(index) * step)
      // Longer steps keep to the zone's days and hours when its clocks change; steps up to an hour are equally spaced.
      let time = step > 3600 ? WallTime.moment(showing: shown, offset: offset) : shown - ahead
      // If an hour occurs twice, the first may precede the window; skipped times may map to one instant.
      guard time < window.upperBound, step <= 3600 || time >= window.lowerBound,
        ticks.last.map({ $0.time < time }) ?? true
      else { continue }
      let startsDay = shown.seconds.truncatingRemainder(dividingBy: 86_400) == 0
      ticks.append(Tick(time: time, label: label(time, step, startsDay: startsDay)))
    }
    return ticks
  }

  private func label(_ time: Timestamp, _ step: Double, startsDay: Bool) -> String {
    let shown = time + offset(time)
    let zone = ClockZone.utc
    if step >= 86_400 * 365 { return String(zone.date(shown).prefix(7)) }
    if step >= 86_400 { return zone.date(shown) }
    if step < 1 { return zone.time(shown, .milliseconds) }
    // The first tick of a day shows the date, even if clocks skip midnight.
    if length > 86_400, startsDay { return String(zone.date(shown).suffix(5)) }
    return zone.time(shown, step < 60 ? .seconds : .minutes)
  }
}
