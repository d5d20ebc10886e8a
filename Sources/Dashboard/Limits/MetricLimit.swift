import Codecs

/// What a figure of a metric may be at most, or at least, and what happens when it is beyond that.
///
/// A limit is told by the samples alone: whoever opens a file later finds the same excesses at the same times.
package struct MetricLimit: Hashable, Sendable {
  /// What of a metric's samples in the window is held against the limit.
  package enum Figure: String, CaseIterable, Hashable, Sendable {
    case p50, p95, p99, max, now

    /// The percentile that it is; `nil` for what is none.
    var percent: Double? {
      switch self {
      case .p50: 50
      case .p95: 95
      case .p99: 99
      case .max, .now: nil
      }
    }
  }

  /// The metric's `bucket.name`; `*` stands for any letters and `?` for one.
  package var metric: String
  package var figure: Figure
  /// Whether the figure is to stay above the bound instead of below it.
  package var isFloor: Bool
  /// In the metric's unit.
  package var bound: Double
  /// Seconds that the figure has to be beyond the bound before it counts.
  package var duration: Double
  /// Where the figure has to come back to before an excess is over; the bound itself where it is `nil`.
  package var clear: Double?
  /// Whether the terminal's bell rings once when an excess begins.
  package var ringsBell: Bool
  /// What the shell runs once when an excess begins.
  package var command: String?

  package init(
    metric: String, figure: Figure = .p95, isFloor: Bool = false, bound: Double, duration: Double = 0,
    clear: Double? = nil, ringsBell: Bool = false, command: String? = nil
  ) {
    (self.metric, self.figure, self.isFloor, self.bound) = (metric, figure, isFloor, bound)
    (self.duration, self.clear, self.ringsBell, self.command) = (duration, clear, ringsBell, command)
  }

  /// Seconds of `duration` at most: what is looked back on.
  package static let longest = 3600.0

  /// Whether a value is on the wrong side of the bound.
  func isBeyond(_ value: Double) -> Bool { isFloor ? value < bound : value > bound }

  /// Whether a value keeps an excess going that has begun.
  func isKept(by value: Double) -> Bool {
    guard let clear else { return isBeyond(value) }
    return isFloor ? value < clear : value > clear
  }

  /// Whether the excess is told by its samples second by second, without looking back on the figure.
  var isPlain: Bool { duration == 0 && clear == nil }

  /// `>` or `<`.
  package var sign: String { isFloor ? "<" : ">" }

  /// Whether the limit is one of a metric of this name.
  package func covers(_ name: String) -> Bool { metric == name || isPattern && Glob.matches(metric, name) }

  /// Whether the metric is named by a pattern.
  package var isPattern: Bool { metric.contains { $0 == "*" || $0 == "?" } }
}

/// Names with stars in them.
enum Glob {
  /// Whether a pattern stands for a name: `*` for any letters, `?` for one.
  ///
  /// Goes back to the last star alone, so that a hostile pattern costs no more than the product of the lengths.
  static func matches(_ pattern: String, _ name: String) -> Bool {
    let (pattern, name) = (Array(pattern), Array(name))
    var (place, letter) = (0, 0)
    var star: (place: Int, letter: Int)?
    while letter < name.count {
      if place < pattern.count, pattern[place] == "*" {
        star = (place, letter)
        place += 1
      } else if place < pattern.count, pattern[place] == "?" || pattern[place] == name[letter] {
        (place, letter) = (place + 1, letter + 1)
      } else if let last = star {
        star = (last.place, last.letter + 1)
        (place, letter) = (last.place + 1, last.letter + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == "*" }
  }
}
