/// Suggests a known word for a misspelled or unknown one.
package enum Suggestion {
  /// Maximum bytes of a compared word: the time grows with the product of both lengths.
  private static let longest = 200
  /// Maximum names compared letter by letter for one frame.
  private static let spelledAtMost = 2000

  /// The known word with the fewest differences; `nil` if none is close.
  ///
  /// A missing, added, replaced or transposed letter counts as one difference; case is ignored. A word of up to five
  /// letters may have one difference, a longer one a third of its length, at most three. The first of equally close
  /// words wins. If none is close, a truncated word matches the only word that begins with it.
  package static func closest(to word: String, among known: some Sequence<String>) -> String? {
    guard word.utf8.count <= longest else { return nil }
    let letters = Array(word.lowercased().unicodeScalars)
    guard letters.count > 1 else { return nil }
    var (best, limit) = (String?.none, max(1, min(3, letters.count / 3)))
    for candidate in known where candidate.utf8.count <= longest {
      let other = Array(candidate.lowercased().unicodeScalars)
      guard let distance = distance(letters, other, atMost: limit) else { continue }
      best = candidate
      guard distance > 0 else { break }
      // From here on only closer words count.
      limit = distance - 1
    }
    guard best == nil, letters.count > 2 else { return best }
    let begun = word.lowercased()
    let longer = known.filter { $0.lowercased().hasPrefix(begun) }
    return longer.count == 1 ? longer[0] : nil
  }

  /// The names that a partial name probably stands for, at most three.
  ///
  /// Names whose last part is the same come first, or else those with a part that begins with the word, or else those
  /// whose last part is spelled similarly.
  package static func nearest(to word: String, among names: some Sequence<String>) -> [String] {
    let wanted = word.lowercased()
    guard !wanted.isEmpty, word.utf8.count <= longest else { return [] }
    let known = Set(names).filter { $0.utf8.count <= longest }
    var (same, begun) = ([String](), [String]())
    for name in known {
      let lower = name.lowercased()
      if lower == wanted || lower.hasSuffix("." + wanted) {
        same.append(name)
      } else if lower.hasPrefix(wanted) || lower.contains("." + wanted) {
        begun.append(name)
      }
    }
    let found = (same.isEmpty ? begun : same).sorted()
    guard found.isEmpty else { return Array(found.prefix(3)) }
    let alike = known.sorted().prefix(spelledAtMost).lazy.filter { name in
      closest(to: word, among: [name] + name.split(separator: ".").suffix(1).map(String.init)) != nil
    }
    return Array(alike.prefix(3))
  }

  /// `a, b or c`; `nil` for nothing.
  package static func list(_ names: [String]) -> String? {
    guard let last = names.last else { return nil }
    return names.count > 1 ? names.dropLast().joined(separator: ", ") + " or " + last : last
  }

  /// `; did you mean stats?`, or an empty string.
  package static func question(about word: String, among known: some Sequence<String>) -> String {
    question(closest(to: word, among: known))
  }

  /// The same for a word that has already been found.
  package static func question(_ meant: String?) -> String { meant.map { "; did you mean \($0)?" } ?? "" }

  /// The number of changes between two words; `nil` beyond a limit.
  private static func distance(
    _ left: [Unicode.Scalar], _ right: [Unicode.Scalar], atMost limit: Int
  ) -> Int? {
    guard abs(left.count - right.count) <= limit else { return nil }
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var next = [row + 1]
      next.reserveCapacity(right.count + 1)
      for (column, other) in right.enumerated() {
        var cost = min(last[column + 1] + 1, next[column] + 1, last[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        next.append(cost)
      }
      guard next.contains(where: { $0 <= limit }) else { return nil }
      (beforeLast, last) = (last, next)
    }
    return last[right.count] <= limit ? last[right.count] : nil
  }
}
