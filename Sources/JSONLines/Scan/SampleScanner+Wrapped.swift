import Codecs

// Lines inside what other programs wrote around them.
extension SampleScanner {
  /// Maximum wrappers around one another.
  private static let wrapperLimit = 4

  /// Takes over the pieces that wait at the end of the lines before.
  mutating func takePieces(of earlier: SampleScanner) { wrappers.takePieces(of: earlier.wrappers) }

  /// Reads a line without what surrounds it; `false` if nothing does.
  ///
  /// - Throws: `LineFault` if the inner line yields no sample.
  mutating func scanWrapped(
    _ line: UnsafeRawBufferPointer, at offset: UInt64, into batch: inout SampleBatch
  ) throws(LineFault) -> Bool {
    guard line.first != UInt8(ascii: "{") || foreign.isObject else { return false }
    if try table.read(line, at: offset, &catalogue, into: &batch) { return true }
    wrappers.surroundings.removeAll()
    return try scanWrapped(line, isObject: foreign.isObject, at: offset, depth: 0, into: &batch)
  }

  private mutating func scanWrapped(
    _ line: UnsafeRawBufferPointer, isObject: Bool, at offset: UInt64, depth: Int,
    into batch: inout SampleBatch
  ) throws(LineFault) -> Bool {
    guard depth < Self.wrapperLimit else { return false }
    let end = offset &+ UInt64(line.count)
    let members = depth == 0 ? foreign.lines.members : wrappers.reader.lines.members
    switch isObject ? wrappers.peel(members, line) : wrappers.peel(line) {
    case nil: return false
    case .nothing?: return true
    case .part(let range)?:
      let inner = UnsafeRawBufferPointer(rebasing: line[range])
      try scanInner(inner, at: offset &+ UInt64(range.lowerBound), within: offset..<end, depth, &batch)
    case .copy(let bytes)?:
      let result = bytes.withUnsafeBytes { inner in
        Result { () throws(LineFault) in try scanInner(inner, at: offset, within: offset..<end, depth, &batch)
        }
      }
      do throws(LineFault) { try result.get() } catch {
        throw error.reason == .notJSON ? LineFault(.notJSONInside) : error
      }
    }
    return true
  }

  /// - Parameter range: The range of the line in the file; positions in a copy may lie beyond it.
  private mutating func scanInner(
    _ inner: UnsafeRawBufferPointer, at offset: UInt64, within range: Range<UInt64>, _ depth: Int,
    _ batch: inout SampleBatch
  ) throws(LineFault) {
    let first = batch.samples.count
    if try scanKnownHead(inner, at: range.lowerBound, into: &batch) { return }
    wrappers.reader.outerTime = wrappers.surroundings.time
    let isRead = try wrappers.reader.read(inner, at: offset, &catalogue, into: &batch)
    guard isRead else {
      if try scanWrapped(
        inner, isObject: wrappers.reader.isObject, at: offset, depth: depth + 1, into: &batch)
      {
        return
      }
      guard try scanObject(inner, at: range.lowerBound, into: &batch) else { throw LineFault(.notJSON) }
      return
    }
    wrappers.surroundings.add(to: &batch, from: first, wrappers.reader.lines.members, inner)
    for index in first..<batch.samples.count { batch.limitOffset(of: index, to: range) }
  }
}

extension SampleBatch {
  /// Keeps a sample's offset inside its line.
  fileprivate mutating func limitOffset(of index: Int, to range: Range<UInt64>) {
    let last = max(range.lowerBound, range.upperBound &- 1)
    samples[index].offset = min(max(samples[index].offset, range.lowerBound), last)
  }
}
