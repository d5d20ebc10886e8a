package import Codecs

/// Names for a rise and a fall of a figure, and which of them is for the better.
package struct ChangeWords: Hashable, Sendable {
  /// More of it: `slower`.
  package let rise: String
  /// Less of it: `faster`.
  package let fall: String
  package let better: BetterDirection

  /// - Parameters:
  ///   - unit: what is measured.
  ///   - name: of the metric, which tells where more is better.
  ///   - told: what the person has told of it.
  package init(_ unit: ValueUnit, name: String = "", told: BetterDirection? = nil) {
    (rise, fall) =
      switch unit.dimension {
      case .time: ("slower", "faster")
      case .bytes: ("larger", "smaller")
      // A name that ends with `time` may be that of a duration of unknown unit, which is not later but higher.
      case .percent, .frequency, .moment, .plain: ("higher", "lower")
      }
    better = told ?? (Self.isMoreBetter(name) ? .higher : .lower)
  }

  /// Name endings of figures of which more is better.
  private static let moreIsBetter = [
    "fps", "framerate", "framespersecond", "hitrate", "hitratio", "throughput", "successrate", "uptime",
    "battery", "batterylevel", "score", "crashfree", "availability",
  ]

  private static func isMoreBetter(_ name: String) -> Bool {
    let letters = name.lowercased().filter { $0.isLetter || $0.isNumber }
    let bare = letters.hasSuffix("percent") ? letters.dropLast("percent".count) : letters[...]
    return moreIsBetter.contains { bare.hasSuffix($0) }
  }

  /// True if a move to more, or to less, is for the worse.
  package func isWorse(rising: Bool) -> Bool { rising == (better == .lower) }
}

extension NumberFormat {
  /// A change with its sign: `+66%`; from ten times on `19×`.
  package static func change(_ change: Double) -> String {
    if change >= 9 { return text(1 + change, decimals: 0) + "×" }
    let percent = change * 100
    let digits = text(percent, decimals: percent.magnitude < 9.95 ? 1 : 0)
    return percent > 0 ? "+\(digits)%" : "\(digits)%"
  }
}
