/// A pattern as a tree.
indirect enum PatternNode: Sendable {
  case set(ScalarSet)
  /// The start of the name, and its end.
  case start, end
  case sequence([PatternNode])
  case choice([PatternNode])
  /// A number of repetitions; without a maximum any number of times.
  case repetition(PatternNode, minimum: Int, maximum: Int?)

  /// A sign, in lower case, of which some are several scalars.
  static func literal(_ scalar: Unicode.Scalar) -> PatternNode {
    .sequence(scalar.properties.lowercaseMapping.unicodeScalars.map { .set(ScalarSet($0.value...$0.value)) })
  }

  static let anything = PatternNode.repetition(.set(.all), minimum: 0, maximum: nil)

  /// The whole of a name: `*` is any text and `?` one sign.
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
