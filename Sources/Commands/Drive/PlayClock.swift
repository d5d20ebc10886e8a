/// Says which moment of a play it is: our time, so many times as fast, while it runs.
///
/// Real times are seconds since 2001, moments are time since the start of the play. It reads no clock itself.
struct PlayClock: Hashable, Sendable {
  /// What was real and what was the play's at one moment; both go on from there.
  private struct Anchor: Hashable {
    var real: Double
    var moment: Duration
  }

  /// Longer than that after it was due, a look says that the machine slept.
  private static let longestDelay = 20.0

  /// How fast its time goes; 1 is as fast as ours.
  private(set) var speed = 1.0
  /// Whether it runs on by itself.
  private(set) var isRunning = true
  /// The moment that it is, in whole milliseconds, as of the last look.
  private(set) var moment = Duration.zero
  /// When somebody looked last.
  private(set) var lookedAt: Double
  private var anchor: Anchor

  /// A clock that runs, as fast as ours, from the start of a play.
  init(at now: Double) {
    lookedAt = now
    anchor = Anchor(real: now, moment: .zero)
  }

  /// Lets the play's time pass as ours did since the last look.
  mutating func look(at now: Double) {
    // Somebody has put the calendar back.
    if now < lookedAt { anchor = Anchor(real: now, moment: moment) }
    lookedAt = now
    guard isRunning else { return }
    let milliseconds = min(((now - anchor.real) * speed * 1_000).rounded(.down), 1e15)
    moment = max(moment, anchor.moment + .milliseconds(Int64(milliseconds)))
  }

  /// How long the machine has slept, if nobody looked when somebody was going to.
  ///
  /// - Parameters:
  ///   - now: The time of the next look.
  ///   - expected: When it was to be; `nil` where there was nothing to look for.
  func sleep(until now: Double, expected: Double?) -> Duration? {
    guard isRunning, let expected, now - max(expected, lookedAt) > Self.longestDelay, now - lookedAt < 1e10
    else { return nil }
    return .milliseconds(Int64((now - lookedAt) * 1_000))
  }

  /// When a moment has surely come, in real time; `nil` while it stands still.
  func time(of moment: Duration) -> Double? {
    isRunning ? anchor.real + ((moment - anchor.moment) / .seconds(1) + 0.0005) / speed : nil
  }

  /// Runs on from here, with the time of the last look, or stands still.
  mutating func setRunning(_ isRunning: Bool) {
    self.isRunning = isRunning
    anchor = Anchor(real: lookedAt, moment: moment)
  }

  /// Goes on from here so many times as fast as our time.
  mutating func setSpeed(_ speed: Double) {
    self.speed = speed
    anchor = Anchor(real: lookedAt, moment: moment)
  }

  /// Lets our time pass without the play's.
  mutating func hold(at now: Double) {
    lookedAt = now
    anchor = Anchor(real: now, moment: moment)
  }

  /// Goes on from another moment, with the time of the last look.
  mutating func move(to moment: Duration) {
    self.moment = moment
    anchor = Anchor(real: lookedAt, moment: moment)
  }
}
