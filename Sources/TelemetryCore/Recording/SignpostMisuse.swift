/// Misuse of begin and end.
///
/// Nothing of this stops the program, in no build: the text replaces the message of the end, which is recorded
/// nevertheless, and the misuse is counted.
enum SignpostMisuse: Sendable {
  case alreadyEnded
  case otherName(StaticString)
  case otherSignposter
  case overlapping
  case neverBegun

  /// The misuse, in words.
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
