/// Lines that were read, to be found in a file that may hold the rest of their file.
package struct SoughtLines: Hashable, Sendable {
  /// The last lines that were read.
  ///
  /// Lines after them in the other file cannot have been read, because rewriting a file removes lines and adds none
  /// before the last.
  package var lines: LastLines
  /// Minimum number of matching lines that must be unique.
  package var proof: Int
  /// True if the last line must be among the matches: if the file may as well be a new one, anything less is weak
  /// evidence.
  package var needsLast = false
}

/// Finds the place after lines that were read, while scanning the lines of another file.
///
/// A compaction keeps the newer lines in order: the lines before the place are the same as before, back to the start of
/// the file, except for single expired lines. So every line before the place must have been read, and more of those
/// must be present than missing.
///
/// If several places fit because lines are equal, the first is chosen: a duplicate is noticed, a missing line is not.
struct PlaceSearch {
  /// Offset after the last of the lines.
  private(set) var place: UInt64?
  private let sought: SoughtLines
  private let counts: [UInt32: Int]
  private var last: [UInt32] = []
  private var best = Fit()
  /// True if one of the lines after the best place was read exactly once.
  private var hasUnique = false

  /// The quality of a match.
  private struct Fit {
    var found = 0
    var missing = 0
    var unique = 0

    var excess: Int { found - missing }
  }

  init(_ sought: SoughtLines) {
    self.sought = sought
    counts = sought.lines.counts
  }

  /// Takes the next line of the file.
  ///
  /// - Parameters:
  ///   - hash: The result of ``LastLines/hash(of:length:)``.
  ///   - end: Offset after the line.
  mutating func add(_ hash: UInt32, end: UInt64) {
    last.append(hash)
    if last.count > LastLines.capacity { last.removeFirst() }
    guard let count = counts[hash] else { return }
    if count == 1 { hasUnique = true }
    guard end <= sought.lines.end, !sought.needsLast || hash == sought.lines.hashes.last else { return }
    let fit = fit()
    guard fit.excess > 0, fit.unique >= sought.proof else { return }
    // If the earlier place were right, the lines between it and a better one would have been written a second time.
    let isBetter = fit.excess > best.excess && (hasUnique || fit.missing < best.missing)
    guard place == nil || isBetter else { return }
    place = end
    best = fit
    hasUnique = false
  }

  /// Compares the lines before the current place with those that were read, from the last one backwards.
  private func fit() -> Fit {
    var fit = Fit()
    var place = last.count
    for hash in sought.lines.hashes.reversed() {
      guard place > 0 else { break }
      if last[place - 1] == hash {
        place -= 1
        fit.found += 1
        if counts[hash] == 1 { fit.unique += 1 }
      } else {
        fit.missing += 1
      }
    }
    return fit
  }
}

/// Splits the bytes of a file, block by block, into line hashes.
struct LineWalk {
  /// Offset after the last byte taken.
  private var position: UInt64
  /// True within a line whose start is unknown.
  private var isInside: Bool
  /// The last bytes of an incomplete line.
  private var rest: [UInt8] = []
  private var length: UInt64 = 0

  init(from start: UInt64) {
    position = start
    isInside = start > 0
  }

  /// - Parameter body: Receives the hash of each line that ends in the block, and its end offset.
  mutating func take(_ block: UnsafeRawBufferPointer, _ body: (UInt32, UInt64) -> Void) {
    var left = block
    while let newline = left.firstNewline {
      let part = UnsafeRawBufferPointer(rebasing: left[...newline])
      position += UInt64(part.count)
      length += UInt64(part.count)
      if !isInside { body(hash(endingWith: part), position) }
      isInside = false
      rest.removeAll(keepingCapacity: true)
      length = 0
      left = UnsafeRawBufferPointer(rebasing: left[(newline + 1)...])
    }
    position += UInt64(left.count)
    length += UInt64(left.count)
    rest += left
    if rest.count > 2 * TailMark.limit { rest.removeFirst(rest.count - TailMark.limit) }
  }

  private mutating func hash(endingWith part: UnsafeRawBufferPointer) -> UInt32 {
    guard !rest.isEmpty else { return LastLines.hash(of: part, length: length) }
    rest += part
    return rest.withUnsafeBytes { LastLines.hash(of: $0, length: length) }
  }
}
