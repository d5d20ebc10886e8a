import JSONLines

// For those who read samples in bulk: what a window needs of the file, and nothing else.
extension HistoryFile {
  /// The stretches of the file whose lines may lie in a window, ascending; a line belongs to the one that it begins in.
  ///
  /// - Throws: `IndexFault` if the index is damaged, else the system's reason.
  package func byteRanges(in window: Range<Double>) throws -> [Range<UInt64>] {
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
}
