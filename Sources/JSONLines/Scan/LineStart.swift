/// Finds line starts in a file.
package enum LineStart {
  private static let piece: UInt64 = 8192

  /// The offset of the start of the line that contains a position, in bytes from the start of the file.
  ///
  /// Several samples of one line have different positions. No line is longer than ``RejectionReason/lineLimit``, so the
  /// search goes no further back.
  ///
  /// - Parameter read: Returns the bytes of a range.
  package static func offset(
    ofLineAt place: UInt64, read: (Range<UInt64>) throws -> some BidirectionalCollection<UInt8>
  ) rethrows -> UInt64 {
    var end = place
    while end > 0, place - end < UInt64(RejectionReason.lineLimit) {
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

  /// The part of a line that is the record of a sample: the whole line, unless it holds several records, or brackets and
  /// commas around one.
  ///
  /// - Parameters:
  ///   - place: The position of the sample in the line.
  ///   - line: The line without its newline, possibly cut off behind the position.
  package static func record(at place: UInt64, in line: UnsafeRawBufferPointer) -> Range<Int> {
    let whole = 0..<line.count
    guard !LineRecords.isBare(line) || LineRecords.hasSeveral(line) else { return whole }
    var frame = LineRecords(line)
    while let record = frame.next() {
      guard place < UInt64(record.upperBound) else { continue }
      return isAlone(record, in: line) ? whole : record
    }
    return whole
  }

  /// True if there is only white space around a record, or a byte order mark.
  private static func isAlone(_ record: Range<Int>, in line: UnsafeRawBufferPointer) -> Bool {
    func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 && byte != LineRecords.recordSeparator }
    return line[..<record.lowerBound].allSatisfy { isBlank($0) || $0 >= 0x80 }
      && line[record.upperBound...].allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
  }
}
