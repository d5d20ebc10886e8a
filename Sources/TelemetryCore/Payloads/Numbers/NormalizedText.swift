/// A text whose character variants are unified: full-width digits, no-break spaces, the digits of all scripts.
struct NormalizedText {
  /// The characters.
  let scalars: [Unicode.Scalar]

  init(_ text: String) {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else {
      scalars = Array(text.unicodeScalars)
      return
    }
    scalars = text.unicodeScalars.flatMap(CompatibilityMapping.scalars).compactMap(Self.plain)
  }

  private init(scalars: some Sequence<Unicode.Scalar>) {
    self.scalars = Array(scalars)
  }

  /// Some of the characters.
  func part(_ range: Range<Int>) -> NormalizedText {
    NormalizedText(scalars: scalars[range])
  }

  /// The text as a unit word: trimmed, without a trailing point, lowercased.
  var unit: String {
    var part = scalars[...]
    while part.first?.properties.isWhitespace == true { part.removeFirst() }
    while let last = part.last, last.properties.isWhitespace || last == "." { part.removeLast() }
    var word = String.UnicodeScalarView()
    word.append(contentsOf: part)
    return String(word).lowercased()
  }

  /// The plain form of a character; `nil` for characters that only control the text direction.
  private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "\u{200E}", "\u{200F}", "\u{61C}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{FEFF}":
      return nil
    case "\u{2212}": return "-"
    default:
      guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else {
        return scalar
      }
      return Unicode.Scalar(UInt8(ascii: "0") + UInt8(value))
    }
  }
}
