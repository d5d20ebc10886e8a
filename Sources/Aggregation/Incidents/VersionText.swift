/// Recognizes texts that name a version.
enum VersionText {
  private static let longest = 40
  /// Four numbers are a network address.
  private static let numberCounts = 2...3

  /// True if a text is a version: two or three numbers separated by dots, with an optional `v` before and a suffix after them.
  ///
  /// | text | |
  /// |---|---|
  /// | `2.4.1`, `v1.12`, `3.0.0-rc.2`, `2.4 (417)`, `1.0+a1b2c3` | versions |
  /// | `10.0.0.1`, `503`, `1.`, `2.4x`, `HTTP/1.1` | others |
  static func isVersion(_ text: String) -> Bool {
    guard text.utf8.count <= longest else { return false }
    let whole = text.hasPrefix("v") || text.hasPrefix("V") ? text.dropFirst() : text[...]
    guard let first = whole.utf8.first, (0x30...0x39).contains(first) else { return false }
    let numbers = whole.prefix { $0 == "." || $0.isASCII && $0.isNumber }
    let parts = numbers.split(separator: ".", omittingEmptySubsequences: false)
    guard numberCounts.contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else { return false }
    return whole[numbers.endIndex...].first.map { "-+ (".contains($0) } ?? true
  }
}

extension Incident {
  /// True if one version replaced another: not a problem, but worth a mark on the time axis.
  package var isRelease: Bool {
    kind == .outcome && VersionText.isVersion(outcome) && VersionText.isVersion(usualOutcome)
  }
}
