package import Platform

// For reading samples in bulk: only the parts of a file that a window needs.
extension HistoryFile {
  /// The stretches of the file whose lines may lie in a window, ascending; a line belongs to the one that it begins in.
  ///
  /// - Throws: `IndexFault` if the index is damaged, else the system's reason.
  package func byteRanges(in window: Range<Timestamp>) throws -> [Range<UInt64>] {
    var ranges: [Range<UInt64>] = []
    for number in try blocks(in: window) {
      let start = UInt64(number) * UInt64(blockSize)
      let end = min(size, start + UInt64(blockSize))
      if let last = ranges.last, last.upperBound == start {
        ranges[ranges.count - 1] = last.lowerBound..<end
      } else {
        ranges.append(start..<end)
      }
    }
    return ranges
  }

  /// The same once the file was compared with what was indexed; `nil` if it is not the same.
  ///
  /// Of a file that was written to since, the blocks that are left out are compared too: an index tells the times of
  /// their samples as they were.
  ///
  /// - Throws: `IndexFault` if the index is damaged, else the system's reason.
  package func checkedByteRanges(in window: Range<Timestamp>) throws -> [Range<UInt64>]? {
    guard try isAsIndexed() else { return nil }
    for number in try blocks(in: window) where !(try isAsIndexed(number)) { return nil }
    return try byteRanges(in: window)
  }
}

/// Finds in the indexes of earlier runs the parts of a file that a window needs, for callers that read it once.
package enum IndexedRanges {
  /// The ranges of the file whose lines may lie in a window; all of it without an index.
  ///
  /// - Throws: the system's reason.
  package static func ranges(
    of file: any HistoryBytes, in window: Range<Timestamp>, cache: IndexCache?
  ) throws -> [Range<UInt64>] {
    let all = 0..<(try file.status.size)
    let isLimited = window.lowerBound > .distantPast || window.upperBound < .distantFuture
    let blockSize = HistoryFile.blockSize
    guard isLimited, let index = try? cache?.load(for: file, blockSize: blockSize) else { return [all] }
    let indexed = HistoryFile(name: "", path: "", bytes: file)
    indexed.adopt(index)
    return (try? indexed.checkedByteRanges(in: window)) ?? [all]
  }
}
