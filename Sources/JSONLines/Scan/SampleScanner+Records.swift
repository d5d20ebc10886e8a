// Lines that hold one record, several, or the brackets and commas around them.
extension SampleScanner {
  /// Reads the records of a line.
  ///
  /// - Throws: `LineFault` if the line has no record that can be found; faults of single records are counted.
  mutating func scanRecords(
    _ text: UnsafeRawBufferPointer, at offset: UInt64, into batch: inout SampleBatch
  ) throws(LineFault) {
    if LineRecords.isBare(text) {
      if !isCompared, scanKnownShape(text, at: offset, into: &batch) { return }
      if try scanRecord(text, at: offset, into: &batch) { return }
    }
    var frame = LineRecords(text)
    guard let first = frame.next() else {
      guard frame.isAtEnd, text.count <= LineRecords.emptyLimit else {
        return try scanWhole(text, at: offset, into: &batch)
      }
      noteBlankLine()
      return
    }
    var next = frame.next()
    guard next != nil || !frame.isAtEnd else {
      // The only record of a line has the offset of the line.
      return try scanWhole(Self.part(first, of: text), at: offset, into: &batch)
    }
    var isRead = scan(first, of: text, at: offset, into: &batch)
    while let record = next {
      if scan(record, of: text, at: offset, into: &batch) { isRead = true }
      next = frame.next()
    }
    if !frame.isAtEnd {
      reject(.notJSON, Self.part(frame.position..<text.count, of: text), at: offset &+ UInt64(frame.position))
    }
    if !isRead { noteUnreadLine() }
  }

  private static func part(_ range: Range<Int>, of text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: text[range])
  }

  /// Reads one of several records; `false` if it is rejected.
  private mutating func scan(
    _ range: Range<Int>, of text: UnsafeRawBufferPointer, at offset: UInt64, into batch: inout SampleBatch
  ) -> Bool {
    let (record, place) = (Self.part(range, of: text), offset &+ UInt64(range.lowerBound))
    do throws(LineFault) {
      try scanWhole(record, at: place, into: &batch)
      return true
    } catch {
      reject(error.reason, record, at: place)
      return false
    }
  }

  private mutating func scanWhole(
    _ record: UnsafeRawBufferPointer, at offset: UInt64, into batch: inout SampleBatch
  ) throws(LineFault) {
    if scanKnownShape(record, at: offset, into: &batch) { return }
    guard try scanRecord(record, at: offset, into: &batch) else { throw LineFault(.notJSON) }
  }

  /// Reads one record; `false` if the text is several.
  private mutating func scanRecord(
    _ record: UnsafeRawBufferPointer, at offset: UInt64, into batch: inout SampleBatch
  ) throws(LineFault) -> Bool {
    if try foreign.read(record, at: offset, &catalogue, into: &batch) { return true }
    if try scanWrapped(record, at: offset, into: &batch) { return true }
    return try scanObject(record, at: offset, into: &batch)
  }

  /// Reads a record of another program except for the values that are not valid; `false` if it is not such a record.
  mutating func scanRepaired(
    _ record: UnsafeRawBufferPointer, at offset: UInt64, into batch: inout SampleBatch
  ) throws(LineFault) -> Bool {
    guard let repair = RecordRepair(record),
      try foreign.read(rewritten: repair.bytes, record, at: offset, &catalogue, into: &batch)
    else { return false }
    for flaw in repair.flaws { reject(flaw, record, at: offset) }
    return true
  }
}
