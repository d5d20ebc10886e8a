import Platform

/// Entries of one branch, by their places in it.
struct LogStretch: Equatable {
  let branch: Int
  let places: Range<Int>
  /// Where the next branch leaves this one.
  let end: Timestamp
}

/// Where two branches part, and what each did since then.
struct LogParting: Equatable {
  let moment: Timestamp
  let one: [LogStretch]
  let other: [LogStretch]
}

// Which entries each of two branches has for itself.
extension EngineLog {
  /// Where two branches part; `nil` unless both are branches of the present session that come from one.
  func parting(of one: Int, and other: Int) -> LogParting? {
    let (first, second) = (line(of: one), line(of: other))
    guard one != other,
      // The nearest one that both come from; it may be one of the two.
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

  /// A branch and those that it came from, itself first: which entries of each belong to it.
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
