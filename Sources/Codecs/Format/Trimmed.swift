extension StringProtocol {
  /// Without white space and line ends at both ends.
  package var trimmed: String {
    // The zero-width space is no white space for Unicode.
    trimmed { $0.properties.isWhitespace || $0 == "\u{200B}" }
  }

  /// Without the characters at both ends that meet a condition.
  package func trimmed(where isDropped: (Unicode.Scalar) -> Bool) -> String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !isDropped($0) }),
      let last = scalars.lastIndex(where: { !isDropped($0) })
    else { return "" }
    return String(String.UnicodeScalarView(scalars[first...last]))
  }
}
