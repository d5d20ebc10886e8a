/// Where lines begin.
package enum LineStart {
  private static let piece: UInt64 = 8192

  /// The offset of the first byte of the line that a place lies in, in bytes from the file's beginning.
  ///
  /// A line of several samples has one place for each of them. No line is longer than ``SampleScanner/lineLimit``, so
  /// that what is farther away is not looked at.
  ///
  /// - Parameter read: Gives the bytes of a range.
  package static func offset(
    ofLineAt place: UInt64, read: (Range<UInt64>) throws -> some BidirectionalCollection<UInt8>
  ) rethrows -> UInt64 {
    var end = place
    while end > 0, place - end < UInt64(SampleScanner.lineLimit) {
      // Most samples have a line of their own, which one byte shows.
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
