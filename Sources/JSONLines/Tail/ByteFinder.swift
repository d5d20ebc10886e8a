import Platform

/// Looks for line starts and marks in a file, from its end backwards.
struct ByteFinder {
  /// How far before the end a mark is looked for, in bytes.
  static let searchLimit: UInt64 = 16 << 20
  /// How far back a line start is looked for: longer lines are rejected whatever they hold.
  static let lineLimit: UInt64 = 17 << 20
  static let block: UInt64 = 64 << 10

  let fileSystem: any TailFileSystem

  /// Whether the file has the bytes of a mark at the place of the mark.
  func has(_ mark: TailMark, in file: FileToken) throws(FileFailure) -> Bool {
    try bytes(of: file, mark.start..<mark.offset).withUnsafeBytes { mark.matches(prefixOf: $0) }
  }

  /// The last line start that is not after `end`, with the bytes before it.
  ///
  /// Inside a line longer than ``lineLimit``, or in a hole, it is a place that far back.
  func lineStart(in file: FileToken, before end: UInt64) throws(FileFailure) -> TailMark {
    let limit = end - min(end, Self.lineLimit)
    var upper = end
    while upper > limit {
      let lower = upper - min(upper, Self.block)
      guard try fileSystem.dataStart(in: file, from: lower) < upper else {
        upper = lower
        continue
      }
      let block = try bytes(of: file, lower..<upper)
      if let newline = block.lastIndex(of: UInt8(ascii: "\n")) {
        return try mark(at: lower + UInt64(newline) + 1, in: file)
      }
      upper = lower
    }
    return limit == 0 ? .start : try mark(at: limit, in: file)
  }

  /// The bytes before an offset; with another offset if the file ends before.
  func mark(at offset: UInt64, in file: FileToken) throws(FileFailure) -> TailMark {
    try TailMark(at: offset) { (range) throws(FileFailure) in try bytes(of: file, range) }
  }

  /// Offset behind the last place that has the bytes of a mark.
  func lastEnd(of mark: TailMark, in file: FileToken) throws(FileFailure) -> UInt64? {
    let size = try fileSystem.status(of: file).size
    let limit = size - min(size, Self.searchLimit)
    var upper = size
    while upper > limit {
      let lower = max(limit, upper - min(upper, Self.block))
      // Blocks overlap by a mark, so that one across their border is found.
      let block = try bytes(of: file, lower..<min(size, upper + UInt64(mark.count)))
      if let end = block.withUnsafeBytes({ lastEnd(of: mark, in: $0) }) { return lower + UInt64(end) }
      upper = lower
    }
    return nil
  }

  private func lastEnd(of mark: TailMark, in block: UnsafeRawBufferPointer) -> Int? {
    guard let last = mark.ending.last, block.count >= mark.count else { return nil }
    for start in (0...block.count - mark.count).reversed() where block[start + mark.count - 1] == last {
      if mark.matches(prefixOf: UnsafeRawBufferPointer(rebasing: block[start...])) {
        return start + mark.count
      }
    }
    return nil
  }

  /// The bytes of a range; fewer where the file ends before.
  private func bytes(of file: FileToken, _ range: Range<UInt64>) throws(FileFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var failure: FileFailure?
    let count = bytes.withUnsafeMutableBytes { buffer in
      do throws(FileFailure) {
        return try fileSystem.read(file, at: range.lowerBound, into: buffer)
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
