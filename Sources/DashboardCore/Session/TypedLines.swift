/// The lines that a person typed before, by what they were for.
package struct TypedLines: Sendable {
  private static let limit = 50

  private var lines: [String: [String]] = [:]
  /// Which of the lines of which name stands in the prompt; `nil` for what the person types.
  private var recalled: (name: String, place: Int)?

  package var isRecalling: Bool { recalled != nil }

  /// Keeps a line, once.
  package mutating func note(_ text: String, for line: TypedLine) {
    recalled = nil
    guard !text.trimmed.isEmpty else { return }
    var known = lines[line.name, default: []].filter { $0 != text }
    known.append(text)
    lines[line.name] = known.suffix(Self.limit)
  }

  package mutating func stopRecalling() { recalled = nil }

  /// The line before (-1) or after (1) the one that stands in the prompt; empty behind the newest.
  ///
  /// - Returns: `nil` where there is none.
  package mutating func recall(_ direction: Int, for line: TypedLine) -> String? {
    let known = lines[line.name, default: []]
    // The text in the prompt of another kind of line is none of this one.
    let place = recalled.flatMap { $0.name == line.name && known.indices.contains($0.place) ? $0.place : nil }
    let next = (place ?? known.count) + direction
    guard known.indices.contains(next) else {
      guard next == known.count, place != nil else { return place.map { known[$0] } }
      recalled = nil
      return ""
    }
    recalled = (line.name, next)
    return known[next]
  }
}
