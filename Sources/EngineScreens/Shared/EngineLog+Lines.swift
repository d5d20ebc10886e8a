import Platform

/// A range of entries of one branch.
struct LogStretch: Equatable {
  let branch: Int
  let places: Range<Int>
  /// The time at which the next branch forks off.
  let end: Timestamp
}

/// The fork of two branches, and the entries of each since then.
struct LogParting: Equatable {
  let moment: Timestamp
  let one: [LogStretch]
  let other: [LogStretch]
}

// The entries that each of two branches has for itself.
extension EngineLog {
  /// The fork of two branches; `nil` unless both are branches of the current session with a common ancestor.
  func parting(of one: Int, and other: Int) -> LogParting? {
    let (first, second) = (line(of: one), line(of: other))
    guard one != other,
      // The nearest common ancestor, which may be one of the two.
      let left = first.first(where: { stretch in second.contains { $0.branch == stretch.branch } }),
      let right = second.first(where: { $0.branch == left.branch })
    else { return nil }
    let place = min(left.places.upperBound, right.places.upperBound)
    func since(_ line: [LogStretch]) -> [LogStretch] {
      line.reversed().drop { $0.branch != left.branch }.map { stretch in
        guard stretch.branch == left.branch else { return stretch }
        return LogStretch(
          branch: stretch.branch, places: place..<max(place, stretch.places.upperBound), end: stretch.end)
      }
    }
    return LogParting(moment: min(left.end, right.end), one: since(first), other: since(second))
  }

  /// A branch and its ancestors, starting with itself, and the entries of each that belong to it.
  private func line(of branch: Int) -> [LogStretch] {
    var line: [LogStretch] = []
    var next = (branch: branch, place: Int.max, end: Timestamp.distantFuture)
    while let branch = self.branch(next.branch) {
      let places = 0..<min(next.place, branch.count)
      line.append(LogStretch(branch: next.branch, places: places, end: next.end))
      guard let origin = branch.origin else { break }
      next = (origin.parent, origin.place, origin.time)
    }
    return line
  }
}
