extension QueryError {
  /// Maximum width of the excerpt, in characters.
  private static let widest = 76

  /// Two lines: the text, shortened to the part around the error if it is long, and `^~~~` below the error.
  ///
  /// - Parameters:
  ///   - text: The text that was parsed.
  ///   - columns: The width of a character in columns.
  package func caret(in text: String, columns: (Character) -> Int = { _ in 1 }) -> String {
    let all = Array(QueryText.harmless(text))
    let start = max(0, min(range.lowerBound, all.count))
    let end = max(start, min(range.upperBound, all.count))
    let first = all.count <= Self.widest ? 0 : max(0, min(start - Self.widest / 3, all.count - Self.widest))
    let last = min(all.count, first + Self.widest)
    let head = first > 0 ? "…" : ""
    let tail = last < all.count ? "…" : ""
    let indent = all[first..<start].reduce(head.count) { $0 + max(0, columns($1)) }
    let width = all[start..<max(start, min(end, last))].reduce(0) { $0 + max(0, columns($1)) }
    let mark = "^" + String(repeating: "~", count: max(0, width - 1))
    return head + String(all[first..<last]) + tail + "\n" + String(repeating: " ", count: indent) + mark
  }
}
