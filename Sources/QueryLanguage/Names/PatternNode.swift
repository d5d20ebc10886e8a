/// A pattern as a tree.
indirect enum PatternNode: Sendable {
  case set(ScalarSet)
  /// The start and the end of the name.
  case start, end
  case sequence([PatternNode])
  case choice([PatternNode])
  /// A number of repetitions; unlimited without a maximum.
  case repetition(PatternNode, minimum: Int, maximum: Int?)

  /// A character in lower case, which may consist of several scalars.
  static func literal(_ scalar: Unicode.Scalar) -> PatternNode {
    .sequence(scalar.properties.lowercaseMapping.unicodeScalars.map { .set(ScalarSet($0.value...$0.value)) })
  }

  static let anything = PatternNode.repetition(.set(.all), minimum: 0, maximum: nil)

  /// A pattern for the whole name: `*` is any text and `?` one character.
  init(glob: String) {
    let parts = glob.unicodeScalars.map { scalar -> PatternNode in
      switch scalar {
      case "*": .anything
      case "?": .set(.all)
      default: .literal(scalar)
      }
    }
    self = .sequence([.start] + parts + [.end])
  }
}
