import Codecs

/// A possible completion of the input line.
struct Completion: Hashable, Sendable {
  /// The whole line after the completion.
  let line: String
  let title: String
  /// A short description of the action, or its key.
  let hint: String

  init(_ line: String, title: String? = nil, hint: String = "") {
    (self.line, self.title, self.hint) = (line, title ?? line, hint)
  }

  /// The result of pressing Tab on a line: the longest prefix common to all completions, or else the first completion.
  static func completed(_ text: String, by all: [Completion]) -> String? {
    guard let first = all.first?.line else { return nil }
    var common = Substring(first)
    for other in all.dropFirst() { common = common[..<common.commonEnd(with: other.line)] }
    return common.count > text.count ? String(common) : first
  }

  /// A suggestion such as `did you mean stats?`; `nil` if no known text is similar.
  static func suggestion(for text: String, of known: [String]) -> String? {
    Suggestion.closest(to: text, among: known).map { "did you mean \($0)?" }
  }
}

extension Substring {
  /// The end of the common prefix with another text.
  fileprivate func commonEnd(with other: String) -> Index {
    zip(indices, other).first { self[$0.0] != $0.1 }?.0
      ?? index(startIndex, offsetBy: Swift.min(count, other.count))
  }
}
