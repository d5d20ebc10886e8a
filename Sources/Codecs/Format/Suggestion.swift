/// The word that a person may have meant, for «did you mean …?».
package enum Suggestion {
  /// The known word nearest to what was typed, by letters that are missing, too many, wrong or exchanged.
  ///
  /// - Returns: `nil` where none is near: more than a third of the letters are other ones.
  package static func closest(to text: String, in known: some Sequence<String>) -> String? {
    // Untrusted texts may be long, and nobody mistypes so much.
    let wanted = Array(text.lowercased().prefix(64))
    guard !wanted.isEmpty else { return nil }
    let near = known.lazy.compactMap { word -> (word: String, distance: Int)? in
      let letters = Array(word.lowercased().prefix(64))
      let allowed = max(1, max(wanted.count, letters.count) / 3)
      guard abs(letters.count - wanted.count) <= allowed else { return nil }
      let found = distance(wanted, letters)
      return found <= allowed ? (word, found) : nil
    }
    return near.min { ($0.distance, $0.word) < ($1.distance, $1.word) }?.word
  }

  /// How many letters must be put in, left out, replaced, or exchanged with their neighbour.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var before: [Int] = []
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var next = [row + 1]
      for (column, other) in right.enumerated() {
        var least = min(last[column + 1], next[column]) + 1
        least = min(least, last[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          least = min(least, before[column - 1] + 1)
        }
        next.append(least)
      }
      (before, last) = (last, next)
    }
    return last[right.count]
  }
}
