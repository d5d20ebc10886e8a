import Platform

/// Searches a file for line starts, marks and lines.
struct ByteFinder {
  /// Distance from the end within which lines are searched for, in bytes.
  static let searchLimit: UInt64 = 16 << 20
  /// Maximum distance to search back for a line start: longer lines are rejected, whatever their content.
  static let lineLimit: UInt64 = 17 << 20
  static let block: UInt64 = 64 << 10

  let fileSystem: any TailFileSystem

  /// True if the file has a mark's bytes at the mark's offset.
  func has(_ mark: TailMark, in file: FileToken) throws(FileFailure) -> Bool {
    guard try bytes(of: file, mark.start..<mark.offset).withUnsafeBytes({ mark.matches(prefixOf: $0) }) else {
      return false
    }
    guard let head = mark.head else { return true }
    return try bytes(of: file, head.range).withUnsafeBytes { LineHead(start: head.start, of: $0) == head }
  }

  /// The last line start at or before `end`, with what precedes it.
  ///
  /// Inside a line longer than ``lineLimit``, or in a hole, it is an offset that far back.
  func lineStart(in file: FileToken, before end: UInt64) throws(FileFailure) -> TailPlace {
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
        return try place(at: lower + UInt64(newline) + 1, in: file)
      }
      upper = lower
    }
    return limit == 0 ? .start : try place(at: limit, in: file)
  }

  /// The first offset from `offset` on with a byte that is not NUL; the end of the file if there is none.
  func contentStart(in file: FileToken, from offset: UInt64) throws(FileFailure) -> UInt64 {
    // A file that grows by NUL bytes meanwhile is not chased.
    let size = try fileSystem.status(of: file).size
    var position = offset
    while position < size {
      position = try fileSystem.dataStart(in: file, from: position)
      let block = try bytes(of: file, position..<min(max(position, size), position + Self.block))
      guard !block.isEmpty else { break }
      if let place = block.firstIndex(where: { $0 != 0 }) { return position + UInt64(place) }
      position += UInt64(block.count)
    }
    return max(offset, size)
  }

  /// The end of the file without the NUL bytes there, which a writer may have reserved.
  func contentEnd(in file: FileToken, before size: UInt64) throws(FileFailure) -> UInt64 {
    var upper = size
    // Most files end with a newline, so one byte tells.
    var count: UInt64 = 1
    while upper > 0 {
      let lower = upper - min(upper, count)
      count = Self.block
      guard try fileSystem.dataStart(in: file, from: lower) < upper else {
        upper = lower
        continue
      }
      if let place = try bytes(of: file, lower..<upper).lastIndex(where: { $0 != 0 }) {
        return lower + UInt64(place) + 1
      }
      upper = lower
    }
    return 0
  }

  /// The bytes before an offset; if the file is shorter, those before its end.
  func place(at offset: UInt64, in file: FileToken) throws(FileFailure) -> TailPlace {
    let start = offset - min(offset, UInt64(TailMark.limit))
    let bytes = try bytes(of: file, start..<offset)
    return bytes.withUnsafeBytes { TailPlace(behind: $0, from: start) }
  }

  /// The place after lines that were read before, if it is close enough to the end.
  ///
  /// - Parameter sought: The lines of several files; if more than one fits, the result is the first place, for the same
  ///   reason as in ``PlaceSearch``.
  func place(of sought: [SoughtLines], in file: FileToken) throws(FileFailure) -> TailPlace? {
    let size = try fileSystem.status(of: file).size
    var position = size - min(size, Self.searchLimit)
    var walk = LineWalk(from: position)
    var searches = sought.map(PlaceSearch.init)
    while position < size {
      let block = try bytes(of: file, position..<min(size, position + Self.block))
      guard !block.isEmpty else { break }
      block.withUnsafeBytes {
        walk.take($0) { hash, end in for index in searches.indices { searches[index].add(hash, end: end) } }
      }
      position += UInt64(block.count)
    }
    guard let end = searches.compactMap(\.place).min() else { return nil }
    return try place(at: end, in: file)
  }

  /// True if two files have the same bytes in a range.
  func areEqual(_ left: FileToken, _ right: FileToken, in range: Range<UInt64>) throws(FileFailure) -> Bool {
    let bytes = try bytes(of: left, range)
    let other = try self.bytes(of: right, range)
    return bytes.count == range.count && bytes == other
  }

  /// The bytes of a range; fewer if the file ends earlier.
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
