/// A pattern for complete names, outside a query: `*` matches any text, `?` one character.
package struct NameGlob: Sendable, Hashable {
  private let pattern: NamePattern

  /// - Returns: `nil` for a text without wildcards, and for one that is too long or too complex for a pattern.
  package init?(_ text: String) {
    guard QueryScanner.isPattern(text), let pattern = try? NamePattern(glob: text) else { return nil }
    self.pattern = pattern
  }

  /// True if the name matches, ignoring case.
  package func matches(_ name: String) -> Bool { pattern.matches(name) }
}
