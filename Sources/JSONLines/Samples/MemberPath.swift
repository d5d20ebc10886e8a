/// The path to a member of a JSON object: its name, or the names from the outermost object inward, joined by dots.
///
/// A member whose own name has dots takes precedence: `http.status` is a name before it is a path.
package struct MemberPath: Sendable, Hashable {
  /// The path as a person writes it.
  package let text: String
  /// The UTF-8 of the text.
  let whole: [UInt8]
  /// The UTF-8 of each name.
  let parts: [[UInt8]]

  /// Fails for an empty text.
  package init?(_ text: some StringProtocol) {
    guard !text.isEmpty else { return nil }
    self.text = String(text)
    whole = Array(text.utf8)
    parts = whole.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Array.init)
  }
}
