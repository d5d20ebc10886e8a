import Codecs

/// Wording shared by the screens of all engines.
enum EngineFormatter {
  /// `1 time`, `2 times`; `2 batches` where the plural is given.
  static func count(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(NumberFormat.count(count)) \(count == 1 ? noun : plural ?? noun + "s")"
  }
}

extension String {
  /// The text with spaces behind it up to a width; a longer one is cut, with one space behind it.
  func padding(to width: Int) -> String {
    if width == 0 { return self }
    return count >= width
      ? String(prefix(width - 1)) + " " : self + String(repeating: " ", count: width - count)
  }
}
