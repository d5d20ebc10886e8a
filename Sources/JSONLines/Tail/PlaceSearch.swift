/// Lines that were read, to be found in a file that may have the remaining lines of theirs.
package struct SoughtLines: Hashable, Sendable {
  /// The last lines that were read.
  ///
  /// Lines after them in the other file cannot have been read, because rewriting a file removes lines and adds none before
  /// the last.
  package var lines: LastLines
  /// How many of those that are found have to be unlike all others.
  package var proof: Int
  /// True if the last of them has to be there: of a file that may as well be a new one, less says too little.
  package var needsLast = false
}

/// Finds the place after lines that were read, while the lines of another file are scanned.
///
/// A compaction keeps the newer lines in their order: before the place there are the same lines as before, back to the start
/// of the file, without single ones whose time was too old. So every line before the place must have been read, and more of
/// those must be present than missing.
///
/// If several places fit because lines are alike, the first is taken: a duplicate is noticed, a missing line is not.
struct PlaceSearch {
  /// Behind the last of the lines.
  private(set) var place: UInt64?
  private let sought: SoughtLines
  private let counts: [UInt32: Int]
  private var last: [UInt32] = []
  private var best = Fit()
  /// True if one of the lines behind the best place was read but once.
  private var hasUnique = false

  /// How well a place fits.
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

  /// The next line of the file.
  ///
  /// - Parameters:
  ///   - hash: as ``LastLines/hash(of:length:)`` gives it.
  ///   - end: behind it.
  mutating func add(_ hash: UInt32, end: UInt64) {
    last.append(hash)
    if last.count > LastLines.capacity { last.removeFirst() }
    guard let count = counts[hash] else { return }
    if count == 1 { hasUnique = true }
    guard end <= sought.lines.end, !sought.needsLast || hash == sought.lines.hashes.last else { return }
    let fit = fit()
    guard fit.excess > 0, fit.unique >= sought.proof else { return }
    // Between a place and a better one there are lines that would have been written once more if it were the right one.
    let isBetter = fit.excess > best.excess && (hasUnique || fit.missing < best.missing)
    guard place == nil || isBetter else { return }
    place = end
    best = fit
    hasUnique = false
  }

  /// Compares the lines before the present place with those that were read, from the last one back.
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

/// Cuts the bytes of a file, block by block, into the hashes of its lines.
struct LineWalk {
  /// Behind the last byte that was taken.
  private var position: UInt64
  /// Within a line whose beginning is not known.
  private var isInside: Bool
  /// The last bytes of a line whose end did not come yet.
  private var rest: [UInt8] = []
  private var length: UInt64 = 0

  init(from start: UInt64) {
    position = start
    isInside = start > 0
  }

  /// - Parameter body: is given the hash of each line that ends in the block, and where that is.
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
