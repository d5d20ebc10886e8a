extension String {
  /// The first `count` characters.
  package func prefixed(_ count: Int) -> String { String(prefix(count)) }

  /// The text right-aligned in a number of columns.
  package func padded(_ width: Int) -> String {
    count < width ? String(repeating: " ", count: width - count) + self : self
  }

  /// The text padded with spaces to a width; a longer one is truncated, with one space behind it.
  package func padding(to width: Int) -> String {
    if width == 0 { return self }
    return count >= width
      ? String(prefix(width - 1)) + " " : self + String(repeating: " ", count: width - count)
  }
}
