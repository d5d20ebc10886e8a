/// The probable intention behind an unknown word.
package enum Suggestion {
  /// No longer word is compared: the time grows with the product of two lengths.
  private static let longest = 200
  /// Maximum number of names compared letter by letter for a frame.
  private static let spelledAtMost = 2000

  /// The known word that differs least; `nil` where none is near.
  ///
  /// Letters that are missing, added, exchanged or swapped with their neighbour count one each, upper and lower case
  /// count as the same. A word of up to five letters may differ by one, a longer one by a third, by three at most.
  /// Of words that are equally near the first is taken. Where none is near, a word that was cut short stands for the only
  /// one that begins so.
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
      // Only what is nearer counts from here on.
      limit = distance - 1
    }
    guard best == nil, letters.count > 2 else { return best }
    let begun = word.lowercased()
    let longer = known.filter { $0.lowercased().hasPrefix(begun) }
    return longer.count == 1 ? longer[0] : nil
  }

  /// The names that were probably meant by a part of one, at most three: those whose last part is the same, or else
  /// those of which a part begins so, or else those whose last part is spelled much like it.
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

  /// `; did you mean stats?`, or nothing.
  package static func question(about word: String, among known: some Sequence<String>) -> String {
    question(closest(to: word, among: known))
  }

  /// The same about a word that was found already.
  package static func question(_ meant: String?) -> String { meant.map { "; did you mean \($0)?" } ?? "" }

  /// How many changes make one word the other; `nil` beyond a limit.
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
