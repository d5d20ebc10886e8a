extension String {
  /// The first characters, up to a number of them.
  package func prefixed(_ count: Int) -> String { String(prefix(count)) }

  /// The text right-aligned in a number of columns.
  package func padded(_ width: Int) -> String {
    count < width ? String(repeating: " ", count: width - count) + self : self
  }

  /// The text with spaces behind it up to a width; a longer one is cut, with one space behind it.
  package func padding(to width: Int) -> String {
    if width == 0 { return self }
    return count >= width
      ? String(prefix(width - 1)) + " " : self + String(repeating: " ", count: width - count)
  }
}
