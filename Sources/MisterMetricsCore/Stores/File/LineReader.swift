import Essentials
import Platform

/// Reads the lines of an open file in pieces: needs memory for one piece, or for the longest line that can be a record.
struct LineReader {
  /// The extent of the bytes passed to the caller.
  enum Piece {
    case line
    /// The next part of a line that is longer than ``lineLimit``, and the last one.
    case part, lastPart
  }

  /// Maximum length of a line that is passed on whole, in bytes; a longer one is not a record.
  static let lineLimit = 16 << 20
  /// Number of bytes per read.
  static let pieceSize = 256 << 10

  private let descriptor: Int32
  private let end: Int
  private var offset: Int
  private var buffer: [UInt8]
  private var filled = 0
  private var position = 0
  private var isInsideLong = false

  /// Lines from `offset` up to `end`.
  init(_ descriptor: Int32, from offset: Int = 0, upTo end: Int) {
    self.descriptor = descriptor
    self.end = end
    self.offset = offset
    buffer = [UInt8](repeating: 0, count: Self.pieceSize)
  }

  /// Bytes after the last newline read so far.
  var rest: ArraySlice<UInt8> { buffer[position..<filled] }

  /// A reader that continues to a new end, after the file has grown.
  func extended(to end: Int) -> LineReader {
    var reader = LineReader(descriptor, from: offset, upTo: end)
    reader.buffer = buffer
    reader.filled = filled
    reader.position = position
    reader.isInsideLong = isInsideLong
    return reader
  }

  /// Calls `body` with every line of the next piece, without its newline.
  ///
  /// - Returns: False at the end; ``rest`` then has an incomplete last line, or what follows its parts.
  mutating func readPiece(_ body: (UnsafeRawBufferPointer, Piece) throws -> Void) throws -> Bool {
    guard try fill() else { return false }
    try buffer.withUnsafeBytes { bytes in
      while let newline = Self.firstNewline(in: bytes, from: position, upTo: filled) {
        let isLong = isInsideLong || newline - position > Self.lineLimit
        try body(UnsafeRawBufferPointer(rebasing: bytes[position..<newline]), isLong ? .lastPart : .line)
        position = newline + 1
        isInsideLong = false
      }
      guard filled - position > Self.lineLimit || (isInsideLong && filled > position) else { return }
      try body(UnsafeRawBufferPointer(rebasing: bytes[position..<filled]), .part)
      (position, isInsideLong) = (filled, true)
    }
    return true
  }

  private static func firstNewline(
    in bytes: UnsafeRawBufferPointer, from start: Int, upTo end: Int
  ) -> Int? {
    guard start < end, let base = bytes.baseAddress else { return nil }
    guard let found = memchr(base + start, 0x0A, end - start) else { return nil }
    return UnsafeRawPointer(found) - base
  }

  private mutating func fill() throws -> Bool {
    if position > 0 {
      buffer.replaceSubrange(0..<(filled - position), with: Array(rest))
      filled -= position
      position = 0
    }
    if filled == buffer.count { buffer.append(contentsOf: [UInt8](repeating: 0, count: buffer.count)) }
    let wanted = min(buffer.count - filled, end - offset)
    guard wanted > 0 else { return false }
    let (start, at, descriptor) = (filled, offset, descriptor)
    let count = try buffer.withUnsafeMutableBytes { bytes in
      try Posix.read(
        descriptor, into: UnsafeMutableRawBufferPointer(rebasing: bytes[start..<(start + wanted)]),
        at: UInt64(at))
    }
    filled += count
    offset += count
    return count > 0
  }
}
