package import Platform

// Bulk reading of samples: only the parts of a file that a window needs.
extension HistoryFile {
  /// The byte ranges whose lines may lie in a window, ascending; a line belongs to the range it begins in.
  ///
  /// - Throws: `IndexFault` if the index is damaged, otherwise the system error.
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

  /// The same ranges after comparing the file with its index; `nil` if they differ.
  ///
  /// If the file was written to since it was indexed, all its blocks are compared, including those outside the window:
  /// their indexed times may be out of date.
  ///
  /// - Throws: `IndexFault` if the index is damaged, otherwise the system error.
  package func checkedByteRanges(in window: Range<Timestamp>) throws -> [Range<UInt64>]? {
    guard try isAsIndexed() else { return nil }
    for number in try blocks(in: window) where !(try isAsIndexed(number)) { return nil }
    return try byteRanges(in: window)
  }
}

/// Finds the parts of a file that a window needs in the indexes of earlier runs, for callers that read the file once.
package enum IndexedRanges {
  /// The ranges of the file whose lines may lie in a window; the whole file without an index.
  ///
  /// - Throws: the system error.
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
