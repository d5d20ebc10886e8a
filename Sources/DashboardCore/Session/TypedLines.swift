/// Lines typed before, by their purpose.
package struct TypedLines: Sendable {
  private static let limit = 50

  private var lines: [String: [String]] = [:]
  /// The recalled line in the prompt, by name and place; `nil` while the user types.
  private var recalled: (name: String, place: Int)?

  package var isRecalling: Bool { recalled != nil }

  /// Stores a line; an earlier copy of it is removed.
  package mutating func note(_ text: String, for line: TypedLine) {
    recalled = nil
    guard !text.trimmed.isEmpty else { return }
    var known = lines[line.name, default: []].filter { $0 != text }
    known.append(text)
    lines[line.name] = known.suffix(Self.limit)
  }

  package mutating func stopRecalling() { recalled = nil }

  /// The line before (-1) or after (1) the one in the prompt; empty after the newest.
  ///
  /// - Returns: `nil` if there is none.
  package mutating func recall(_ direction: Int, for line: TypedLine) -> String? {
    let known = lines[line.name, default: []]
    // The recalled line of another kind does not count here.
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
