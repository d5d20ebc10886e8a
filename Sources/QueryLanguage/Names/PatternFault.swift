/// The reason a pattern is rejected.
struct PatternFault: Error, Equatable, Sendable {
  enum Reason: Sendable {
    case tooLong
    /// It would need too much time or memory.
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
  /// Position in the pattern, in Unicode scalars.
  let range: Range<Int>
}
