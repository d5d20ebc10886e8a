import Platform

/// The time of a session: real time, multiplied by a speed, while it runs.
///
/// Real times are those of the wall clock, moments are time since the start of the session. It reads no clock itself.
struct SessionClock: Hashable, Sendable {
  /// A real time and the moment of the session that it matches.
  private struct Anchor: Hashable {
    var real: Timestamp
    var moment: Duration
  }

  /// An update later than this, in seconds, means that the machine slept.
  private static let longestDelay = 20.0

  /// How many times as fast as real time it is.
  private(set) var speed = 1.0
  /// True if it runs by itself.
  private(set) var isRunning = true
  /// The moment as of the last update, in whole milliseconds.
  private(set) var moment = Duration.zero
  /// The real time of the last update.
  private(set) var updatedAt: Timestamp
  private var anchor: Anchor

  /// A clock that runs, as fast as real time, from the start of a session.
  init(at now: Timestamp) {
    updatedAt = now
    anchor = Anchor(real: now, moment: .zero)
  }

  /// Lets the session's time pass as real time did since the last update.
  mutating func update(at now: Timestamp) {
    // The system clock was set back.
    if now < updatedAt { anchor = Anchor(real: now, moment: moment) }
    updatedAt = now
    guard isRunning else { return }
    let milliseconds = min(((now - anchor.real) * speed * 1_000).rounded(.down), 1e15)
    moment = max(moment, anchor.moment + .milliseconds(Int64(milliseconds)))
  }

  /// How long the machine has slept, if an expected update did not come.
  ///
  /// - Parameters:
  ///   - now: The time of this update.
  ///   - expected: When it was due; `nil` if none was.
  func sleep(until now: Timestamp, expected: Timestamp?) -> Duration? {
    guard isRunning, let expected, now - max(expected, updatedAt) > Self.longestDelay, now - updatedAt < 1e10
    else { return nil }
    return .milliseconds(Int64((now - updatedAt) * 1_000))
  }

  /// The real time by which a moment has come for sure; `nil` while paused.
  func time(of moment: Duration) -> Timestamp? {
    isRunning ? anchor.real + ((moment - anchor.moment) / .seconds(1) + 0.0005) / speed : nil
  }

  /// Continues or pauses, as of the last update.
  mutating func setRunning(_ isRunning: Bool) {
    self.isRunning = isRunning
    anchor = Anchor(real: updatedAt, moment: moment)
  }

  /// Changes the speed from this moment on.
  mutating func setSpeed(_ speed: Double) {
    self.speed = speed
    anchor = Anchor(real: updatedAt, moment: moment)
  }

  /// Lets real time pass without the session's.
  mutating func hold(at now: Timestamp) {
    updatedAt = now
    anchor = Anchor(real: now, moment: moment)
  }

  /// Jumps to another moment, as of the last update.
  mutating func move(to moment: Duration) {
    self.moment = moment
    anchor = Anchor(real: updatedAt, moment: moment)
  }
}
