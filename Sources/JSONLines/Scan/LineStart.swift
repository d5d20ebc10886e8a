/// Finds line starts in a file.
package enum LineStart {
  private static let piece: UInt64 = 8192

  /// The offset of the start of the line that contains a position, in bytes from the start of the file.
  ///
  /// Several samples of one line have different positions. No line is longer than ``SampleScanner/lineLimit``, so the
  /// search goes no further back.
  ///
  /// - Parameter read: Returns the bytes of a range.
  package static func offset(
    ofLineAt place: UInt64, read: (Range<UInt64>) throws -> some BidirectionalCollection<UInt8>
  ) rethrows -> UInt64 {
    var end = place
    while end > 0, place - end < UInt64(SampleScanner.lineLimit) {
      // Most samples have a line to themselves, which a single byte confirms.
      let start = end - min(end, end == place ? 1 : piece)
      let bytes = try read(start..<end)
      if let newline = bytes.lastIndex(of: 0x0A) {
        return start + UInt64(bytes.distance(from: bytes.startIndex, to: newline)) + 1
      }
      end = start
    }
    return end
  }
}
