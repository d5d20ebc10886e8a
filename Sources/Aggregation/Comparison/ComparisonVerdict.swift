/// The conclusion about two sides: what moved, in which direction and with what certainty, or why nothing is reported.
package struct ComparisonVerdict: Hashable, Sendable {
  /// The direction in which part of the samples moved.
  package enum Move: Hashable, Sendable {
    case down, up
  }

  /// The reported difference, or the reason there is none.
  package enum Finding: Hashable, Sendable {
    /// The difference is noise, or smaller than 1 %.
    case noDifference
    /// There are too few samples, or too few independent units.
    case tooFew
    /// The middle moved.
    case middle(Move)
    /// The large samples moved; the middle did not, or far less.
    case tail(Move)
    /// Part of the samples moved away from the others, towards larger values.
    case secondHump
  }

  /// The shares of samples above the valley before a second peak.
  package struct HumpShares: Hashable, Sendable {
    package let before: Double
    package let after: Double
  }

  package internal(set) var finding: Finding
  /// Direction in which the middle moved, even if something else is reported; `nil` if it did not.
  package internal(set) var middle: Move?
  /// Direction in which the large samples moved, even if something else is reported; `nil` if they did not.
  package internal(set) var tail: Move?
  /// Probability of the reported difference by chance alone, or of the nearest one if none is reported; `nil` without a test.
  package internal(set) var probability: Double?
  /// Both sides' shares above the valley, if a second peak is reported.
  package internal(set) var humpShares: HumpShares?

  /// Too little data for a conclusion.
  package static var tooFew: Self { ComparisonVerdict(finding: .tooFew) }

  /// No difference, without a test: nothing could have been more than chance.
  package static var noDifference: Self { ComparisonVerdict(finding: .noDifference) }

  /// A move of the middle that a test of its own found.
  package static func moved(_ move: Move, probability: Double) -> Self {
    ComparisonVerdict(finding: .middle(move), middle: move, probability: probability)
  }

  /// The same verdict where its test is one of several that share a probability of error.
  package func adjusted(by factor: Double) -> Self {
    var verdict = self
    verdict.probability = probability.map { min(1, $0 * factor) }
    return verdict
  }

  /// True if any difference is reported.
  package var isDifference: Bool { finding != .noDifference && finding != .tooFew }

  /// True if the reported difference is an increase.
  package var isRising: Bool {
    switch finding {
    case .middle(let move), .tail(let move): move == .up
    case .secondHump: true
    case .noDifference, .tooFew: false
    }
  }

  /// True if the finding implies that a percentile moved in this direction; the only source of both sentence and marks.
  package func moves(percentile: Double, isHigher: Bool) -> Bool {
    guard isDifference else { return false }
    let wanted = isHigher ? Move.up : .down
    return percentile > 75 ? tail == wanted || tail == nil && middle == wanted : middle == wanted
  }

  /// The verdict as one of the findings of a page, of which only those up to a probability are accepted.
  package func believed(upTo threshold: Double?) -> ComparisonVerdict {
    guard isDifference, (probability ?? 1) > threshold ?? -1 else { return self }
    return ComparisonVerdict(finding: .noDifference, probability: probability)
  }
}
