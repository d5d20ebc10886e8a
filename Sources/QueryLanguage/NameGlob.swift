/// A pattern of whole names, outside a query: `*` matches any text, `?` one character.
package struct NameGlob: Sendable, Hashable {
  private let pattern: NamePattern

  /// - Returns: `nil` for a text without either sign, and for one that is too long or too complex for a pattern.
  package init?(_ text: String) {
    guard QueryScanner.isPattern(text), let pattern = try? NamePattern(glob: text) else { return nil }
    self.pattern = pattern
  }

  /// True if the pattern fits; upper and lower case are the same.
  package func matches(_ name: String) -> Bool { pattern.matches(name) }
}
