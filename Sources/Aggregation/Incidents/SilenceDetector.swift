/// Finds periods in which a steady series had no samples.
///
/// A bursty series has had long pauses before, so another one is not reported.
struct SilenceDetector: Sendable, Equatable {
  private static let warmUp = 48
  /// The shortest silence, in seconds.
  private static let shortest = 5.0
  /// Minimum length of a silence, as multiples of the median pause and of the longest one; it has to exceed both.
  private static let factor = 4.0
  private static let longestFactor = 2.5
  /// Factor by which the median follows each pause.
  private static let step = 1.05
  /// Share of the longest pause that remains after each sample; half remains after 1,400.
  private static let memory = 0.9995

  private var count = 0
  private var last = -Double.infinity
  private var median = 0.0
  private var longest = 0.0

  /// Longest pause that is not a silence, in seconds; `nil` while unknown.
  var limit: Double? {
    count >= Self.warmUp ? max(Self.shortest, Self.factor * median, Self.longestFactor * longest) : nil
  }

  /// Records the arrival of a sample.
  @inline(__always)
  mutating func record(at time: Double, onEnd: (Incident) -> Void) {
    let pause = time - last
    guard pause >= 0 else { return }
    if pause < .infinity { note(pause, until: time, onEnd) }
    last = time
  }

  private mutating func note(_ pause: Double, until time: Double, _ onEnd: (Incident) -> Void) {
    count &+= 1
    if let limit, pause > limit {
      var incident = silence(of: pause)
      incident.end = .returned(time)
      longest = max(longest, pause / Self.longestFactor)
      return onEnd(incident)
    }
    median = median == 0 ? pause : median * (pause > median ? Self.step : 1 / Self.step)
    longest = max(pause, longest * Self.memory)
  }

  /// The silence ongoing at a time.
  func lasting(at time: Double) -> Incident? {
    limit.flatMap { time - last > $0 ? silence(of: time - last) : nil }
  }

  private func silence(of pause: Double) -> Incident {
    Incident(kind: .silent, start: last + median, peak: pause, usual: median)
  }
}
