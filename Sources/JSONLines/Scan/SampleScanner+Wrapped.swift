import Codecs

/// The readers of lines inside others, and of tables of results.
struct RareReaders: Sendable {
  var wrappers = WrappedLines()
  var table = ResultTable()

  /// Forgets earlier lines, because reading continues elsewhere.
  mutating func restart() {
    wrappers.restart()
    table.restart()
  }
}

// Lines inside what other programs wrote around them.
extension SampleScanner {
  /// Maximum wrappers around one another.
  private static let wrapperLimit = 4

  /// Takes over the pieces that wait at the end of the lines before.
  mutating func takePieces(of earlier: SampleScanner) {
    guard let other = earlier.rare.first else { return }
    needRareReaders()
    rare[0].wrappers.takePieces(of: other.wrappers)
  }

  private mutating func needRareReaders() {
    guard rare.isEmpty else { return }
    rare = [RareReaders()]
    rare[0].wrappers.mapping = mapping
  }

  /// Reads a line without what surrounds it; `false` if nothing does.
  ///
  /// - Throws: `LineFault` if the inner line yields no sample.
  mutating func scanWrapped(
    _ line: UnsafeRawBufferPointer, at offset: UInt64, into batch: inout SampleBatch
  ) throws(LineFault) -> Bool {
    guard line.first != UInt8(ascii: "{") || foreign.isObject else { return false }
    needRareReaders()
    if try rare[0].table.read(line, at: offset, &catalogue, into: &batch) { return true }
    rare[0].wrappers.surroundings.removeAll()
    return try scanWrapped(line, isObject: foreign.isObject, at: offset, depth: 0, into: &batch)
  }

  private mutating func scanWrapped(
    _ line: UnsafeRawBufferPointer, isObject: Bool, at offset: UInt64, depth: Int,
    into batch: inout SampleBatch
  ) throws(LineFault) -> Bool {
    guard depth < Self.wrapperLimit else { return false }
    let end = offset &+ UInt64(line.count)
    let members = depth == 0 ? foreign.lines.members : rare[0].wrappers.reader.lines.members
    switch isObject ? rare[0].wrappers.peel(members, line) : rare[0].wrappers.peel(line) {
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
    if scanKnownShape(inner, at: range.lowerBound, into: &batch) { return }
    rare[0].wrappers.reader.outerTime = rare[0].wrappers.surroundings.time
    let isRead = try rare[0].wrappers.reader.read(inner, at: offset, &catalogue, into: &batch)
    guard isRead else {
      if try scanWrapped(
        inner, isObject: rare[0].wrappers.reader.isObject, at: offset, depth: depth + 1, into: &batch)
      {
        return
      }
      guard try scanObject(inner, at: range.lowerBound, into: &batch) else { throw LineFault(.notJSON) }
      return
    }
    rare[0].wrappers.surroundings.add(to: &batch, from: first, rare[0].wrappers.reader.lines.members, inner)
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
