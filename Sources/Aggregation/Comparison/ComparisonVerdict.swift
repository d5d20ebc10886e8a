/// The conclusion about two sides: what moved, which way and how surely, or why nothing is named.
package struct ComparisonVerdict: Hashable, Sendable {
  /// Which way a part of the samples has moved.
  package enum Move: Hashable, Sendable {
    case down, up
  }

  /// The named difference, or why there is none.
  package enum Finding: Hashable, Sendable {
    /// The difference is noise, or smaller than 1 %.
    case noDifference
    /// There are too few samples, or too few units that count as independent.
    case tooFew
    /// The middle moved.
    case middle(Move)
    /// The large samples moved; the middle did not, or much less.
    case tail(Move)
    /// A part of the samples went apart from the others, to larger ones.
    case secondHump
  }

  /// The shares of samples beyond the valley before a second peak.
  package struct HumpShares: Hashable, Sendable {
    package let before: Double
    package let after: Double
  }

  package internal(set) var finding: Finding
  /// The direction in which the middle has moved, also if something else is named; `nil` if it has not.
  package internal(set) var middle: Move?
  /// The direction in which the large samples have moved, also if something else is named; `nil` if they have not.
  package internal(set) var tail: Move?
  /// How probable the named difference is by chance alone, or the nearest one if none is named; `nil` without a test.
  package internal(set) var probability: Double?
  /// The shares of both sides beyond the valley, where a second peak is named.
  package internal(set) var humpShares: HumpShares?

  /// Too few of something to conclude anything.
  package static var tooFew: Self { ComparisonVerdict(finding: .tooFew) }

  /// True if any difference is named.
  package var isDifference: Bool { finding != .noDifference && finding != .tooFew }

  /// True if what is named is a move to more.
  package var isRising: Bool {
    switch finding {
    case .middle(let move), .tail(let move): move == .up
    case .secondHump: true
    case .noDifference, .tooFew: false
    }
  }

  /// True if what is found says that a percentile has moved that way: sentence and marks come from here alone.
  package func moves(percentile: Double, isHigher: Bool) -> Bool {
    guard isDifference else { return false }
    let wanted = isHigher ? Move.up : .down
    return percentile > 75 ? tail == wanted || tail == nil && middle == wanted : middle == wanted
  }

  /// The rest of it among the findings of a page, of which those up to a probability are believed.
  package func believed(upTo threshold: Double?) -> ComparisonVerdict {
    guard isDifference, (probability ?? 1) > threshold ?? -1 else { return self }
    return ComparisonVerdict(finding: .noDifference, probability: probability)
  }
}
