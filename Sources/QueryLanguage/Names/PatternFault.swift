/// Why a pattern is refused.
struct PatternFault: Error, Equatable, Sendable {
  enum Reason: Sendable {
    case tooLong
    /// It would need more time or memory than a name is worth.
    case tooComplex
    case backReference
    case unknownEscape
    case unclosedBracket
    case unclosedGroup
    case unopenedGroup
    case nothingToRepeat
    case wrongRepetition
    case wrongRange
    case unknownClass
  }

  let reason: Reason
  /// Where in the pattern, in Unicode scalars.
  let range: Range<Int>
}
