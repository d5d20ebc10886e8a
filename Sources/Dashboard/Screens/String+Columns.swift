extension String {
  /// The first characters, up to a number of them.
  func prefixed(_ count: Int) -> String { String(prefix(count)) }

  /// The text right-aligned in a number of columns.
  func padded(_ width: Int) -> String {
    count < width ? String(repeating: " ", count: width - count) + self : self
  }
}
