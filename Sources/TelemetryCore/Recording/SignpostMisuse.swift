/// Misuse of begin and end.
///
/// A misuse never stops the program, in any build: the end is still recorded, with this text as its message, and the
/// misuse is counted.
enum SignpostMisuse: Sendable {
  case alreadyEnded
  case otherName(StaticString)
  case otherSignposter
  case overlapping
  case neverBegun

  /// A description of the misuse.
  var text: String {
    switch self {
    case .alreadyEnded: "Interval already ended"
    case .otherName(let name): "Interval ended with another name: \(name)"
    case .otherSignposter: "Interval was begun by another signposter"
    case .overlapping: "Interval overlaps another exclusive one of its name"
    case .neverBegun: "Interval has no known begin"
    }
  }
}
