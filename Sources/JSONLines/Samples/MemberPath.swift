/// The way to a member of a JSON object: its name, or the names from the outermost object inwards, joined by points.
///
/// A member whose own name has points is found first: `http.status` is a name before it is a way.
package struct MemberPath: Sendable, Hashable {
  /// As a person writes it.
  package let text: String
  /// The UTF-8 of the text.
  let whole: [UInt8]
  /// The UTF-8 of each name.
  let parts: [[UInt8]]

  /// `nil` for an empty text.
  package init?(_ text: some StringProtocol) {
    guard !text.isEmpty else { return nil }
    self.text = String(text)
    whole = Array(text.utf8)
    parts = whole.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Array.init)
  }
}
