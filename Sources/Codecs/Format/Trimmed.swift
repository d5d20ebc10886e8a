extension StringProtocol {
  /// The text without white space and line breaks at both ends.
  package var trimmed: String {
    // Unicode does not classify the zero-width space as white space.
    trimmed { $0.properties.isWhitespace || $0 == "\u{200B}" }
  }

  /// The text without the matching characters at both ends.
  package func trimmed(where isDropped: (Unicode.Scalar) -> Bool) -> String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !isDropped($0) }),
      let last = scalars.lastIndex(where: { !isDropped($0) })
    else { return "" }
    return String(String.UnicodeScalarView(scalars[first...last]))
  }
}
