import Platform

/// The time of a session: real time multiplied by a speed, while the session runs.
///
/// Real times are those of the wall clock; moments are relative to the start of the session. The type reads no clock.
struct SessionClock: Hashable, Sendable {
  /// A real time and the corresponding moment of the session.
  private struct Anchor: Hashable {
    var real: Timestamp
    var moment: Duration
  }

  /// In seconds: a later update means that the machine has slept.
  private static let longestDelay = 20.0

  /// The speed relative to real time.
  private(set) var speed = 1.0
  /// True if the session runs by itself.
  private(set) var isRunning = true
  /// The moment as of the last update, in whole milliseconds.
  private(set) var moment = Duration.zero
  /// The real time of the last update.
  private(set) var updatedAt: Timestamp
  private var anchor: Anchor

  /// A clock that runs in real time from the start of a session.
  init(at now: Timestamp) {
    updatedAt = now
    anchor = Anchor(real: now, moment: .zero)
  }

  /// Advances the session by the real time since the last update.
  mutating func update(at now: Timestamp) {
    // The system clock was set back.
    if now < updatedAt { anchor = Anchor(real: now, moment: moment) }
    updatedAt = now
    guard isRunning else { return }
    let milliseconds = min(((now - anchor.real) * speed * 1_000).rounded(.down), 1e15)
    moment = max(moment, anchor.moment + .milliseconds(Int64(milliseconds)))
  }

  /// The duration of the machine's sleep, if an expected update did not happen.
  ///
  /// - Parameters:
  ///   - now: The time of this update.
  ///   - expected: The due time of the update; `nil` if none was due.
  func sleep(until now: Timestamp, expected: Timestamp?) -> Duration? {
    guard isRunning, let expected, now - max(expected, updatedAt) > Self.longestDelay, now - updatedAt < 1e10
    else { return nil }
    return .milliseconds(Int64((now - updatedAt) * 1_000))
  }

  /// The real time by which a moment has certainly been reached; `nil` while paused.
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

  /// Lets real time pass without advancing the session.
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
