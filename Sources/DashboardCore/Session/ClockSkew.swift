import Codecs
package import Platform

/// The difference between the clock of a source and this machine's, from the arrivals of the last minute.
///
/// A difference is known only while it is steady: a file that is copied or replayed has stamps that pass faster than
/// time, and a writer that collects its lines has delays of any length.
///
/// | arrival minus stamp | seconds |
/// |---|---|
/// | -90.1, -90.0, -90.2 | -90.1 |
/// | 0.1, 9.8, 4.2, 14.9 | `nil` |
/// | 3600, 3500, 3400, 3300 | `nil` |
package struct ClockSkew: Sendable {
  /// Seconds by which steady delays may differ.
  private static let tolerance = 5.0
  /// The differences that count as none: lines may be late for other reasons, but never early.
  private static let punctual = -2.0...5
  private static let reach = 60.0
  /// Arrivals kept at least, for sources with few lines, and at most.
  private static let (fewest, most) = (5, 120)
  /// Arrivals of the same half second count as one.
  private static let step = 0.5
  /// Seconds of arrivals that show a difference to be steady.
  private static let proof = 5.0
  /// The greatest difference that is believed without them: that of two time zones.
  private static let farthest = 26.0 * 3600

  private var arrivals: [(at: Timestamp, delay: Double)] = []
  /// The median of arrival minus stamp, negative if the source's clock is ahead; `nil` while it is not steady.
  package private(set) var seconds: Double?

  package init() {}

  /// The difference that windows follow; 0 if there is none.
  package static func difference(_ seconds: Double?) -> Double {
    seconds.map { punctual.contains($0) ? 0 : $0 } ?? 0
  }

  /// Records the newest stamp of lines that have just arrived.
  package mutating func note(_ stamp: Timestamp, at now: Timestamp) {
    let delay = now - stamp
    guard delay.isFinite else { return }
    // This machine's clock was set back.
    if let last = arrivals.last, now < last.at { arrivals = [] }
    if let last = arrivals.last, now - last.at < Self.step {
      arrivals[arrivals.count - 1].delay = min(last.delay, delay)
    } else {
      arrivals.append((now, delay))
    }
    while arrivals.count > Self.fewest, arrivals.count > Self.most || now - arrivals[0].at > Self.reach {
      arrivals.removeFirst()
    }
    noteJump()
    update()
  }

  /// Takes the newest stamp of the data present at the opening, which can be in the future only by a clock that is ahead.
  package mutating func open(with stamp: Timestamp, at now: Timestamp) {
    let delay = now - stamp
    guard arrivals.isEmpty, delay < -Self.tolerance, delay > -Self.farthest else { return }
    seconds = delay
  }

  /// Forgets what was before a clock was set: the last three delays agree with each other and with no earlier one.
  private mutating func noteJump() {
    guard arrivals.count > 3, let usual = Self.median(arrivals.map(\.delay)) else { return }
    let recent = arrivals.suffix(3)
    let delays = recent.map(\.delay)
    guard let least = delays.min(), let most = delays.max(), most - least <= Self.tolerance,
      least - usual > Self.tolerance || usual - most > Self.tolerance
    else { return }
    arrivals = Array(recent)
  }

  private mutating func update() {
    guard isSteady, let found = Self.median(arrivals.map(\.delay)) else { return seconds = nil }
    // Figures that waver by fractions of a second would redraw every window, and a window that ends too early hides
    // what came last.
    if let known = seconds, known <= found, found - known < 1 { return }
    seconds = found
  }

  private var isSteady: Bool {
    guard let first = arrivals.first, let last = arrivals.last else { return false }
    let delays = arrivals.map(\.delay).sorted()
    let span = last.at - first.at
    // A stamp from the future needs no more evidence; a late one may be a replay.
    guard arrivals.count >= 3, span >= Self.proof else {
      return delays.allSatisfy { $0 < -Self.tolerance && $0 > -Self.farthest }
    }
    let spread = delays[delays.count * 3 / 4] - delays[delays.count / 4]
    guard spread <= Self.tolerance else { return false }
    let third = max(1, arrivals.count / 3)
    let begin = Self.median(arrivals.prefix(third).map(\.delay)) ?? 0
    let end = Self.median(arrivals.suffix(third).map(\.delay)) ?? 0
    return abs(end - begin) <= 1 + 0.1 * span
  }

  private static func median(_ delays: [Double]) -> Double? {
    delays.isEmpty ? nil : delays.sorted()[delays.count / 2]
  }
}

/// A source whose clock differs from this machine's.
package struct SourceSkew: Sendable, Hashable {
  package var source: String
  /// The median of arrival minus stamp, in seconds; negative if the source's clock is ahead.
  package var seconds: Double
  /// The offset from UTC in which the stamps were read, in seconds; `nil` if they name their zone.
  package var zoneOffset: Int?

  package init(source: String, seconds: Double, zoneOffset: Int? = nil) {
    (self.source, self.seconds, self.zoneOffset) = (source, seconds, zoneOffset)
  }

  /// The zone in which stamps without one would be on time, as an offset such as `+09:00`; `nil` if none would.
  ///
  /// Zones are whole quarters of an hour apart, and half an hour at least.
  package var fittingZone: String? {
    guard let zoneOffset, seconds.magnitude < 26 * 3600 else { return nil }
    let quarters = (-seconds / 900).rounded()
    guard quarters.magnitude >= 2, abs(-seconds - quarters * 900) <= 60 else { return nil }
    let offset = zoneOffset + Int(quarters) * 900
    guard (-12 * 3600...14 * 3600).contains(offset) else { return nil }
    return ZoneOffsets.name(ofOffset: offset)
  }
}
