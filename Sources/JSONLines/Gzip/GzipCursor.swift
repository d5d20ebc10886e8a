import Essentials
package import Platform

/// Unpacks a gzip file from a position between two blocks.
///
/// `@unchecked` because it has state without a lock: only one thread may use it at a time.
package final class GzipCursor: @unchecked Sendable {
  private enum Content {
    /// The remaining blocks of the member that contains the position.
    case member(Inflater)
    /// Complete members.
    case members(GzipReading)
  }

  private let descriptor: Int32
  private var content: Content
  private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
  private var rest = UnsafeRawBufferPointer(start: nil, count: 0)
  /// Offset in the packed file after `rest`.
  private var next: UInt64
  /// Number of unpacked bytes before the next one.
  package private(set) var position: UInt64

  /// - Throws: `FileFailure` if the file cannot be read, or is not the one in which the position was found.
  package init(at point: GzipCheckpoints.Point, of descriptor: Int32) throws(FileFailure) {
    self.descriptor = descriptor
    (next, position) = (point.packed, point.unpacked)
    guard !point.window.isEmpty else {
      guard let inflater = Inflater() else { throw .other(ENOMEM) }
      content = .members(GzipReading(inflater, from: point.packed))
      return
    }
    var byte: UInt8 = 0
    if point.bits > 0, point.packed > 0 {
      let count = try withUnsafeMutableBytes(of: &byte) { buffer throws(FileFailure) in
        try Posix.read(descriptor, into: buffer, at: point.packed - 1)
      }
      guard count == 1 else { throw .other(EIO) }
    }
    guard let window = GzipCheckpoints.unpacked(point.window),
      let inflater = Inflater(behind: (point.bits, byte), window: window)
    else { throw .other(EIO) }
    content = .member(inflater)
  }

  deinit { input.deallocate() }

  /// Unpacks the next bytes; returns their number, 0 at the end of what can be unpacked.
  ///
  /// - Throws: The system error; `EIO` for bytes that differ from the packed ones.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileFailure) -> Int {
    var hasEnded = false
    while !hasEnded, !buffer.isEmpty {
      if rest.isEmpty {
        let count = try Posix.read(descriptor, into: input, at: next)
        rest = UnsafeRawBufferPointer(rebasing: input[..<count])
        next += UInt64(count)
        hasEnded = count == 0
      }
      let made = try step(into: buffer)
      if case .members(let reading) = content, reading.isDone { hasEnded = true }
      position += UInt64(made)
      if made > 0 { return made }
    }
    return 0
  }

  private func step(into buffer: UnsafeMutableRawBufferPointer) throws(FileFailure) -> Int {
    switch content {
    case .members(var reading):
      defer { content = .members(reading) }
      do throws(GunzipFailure) { return try reading.take(&rest, into: buffer) } catch { throw .other(EIO) }
    case .member(let inflater):
      let (taken, made, outcome) = inflater.step(rest, into: buffer)
      rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
      switch outcome {
      case .goesOn: break
      case .memberEnded: try goOnBehindMember()
      case .damaged: throw .other(EIO)
      case .outOfMemory: throw .other(ENOMEM)
      }
      return made
    }
  }

  /// Skips the checksum and length of a member that was entered in the middle.
  private func goOnBehindMember() throws(FileFailure) {
    guard let inflater = Inflater() else { throw .other(ENOMEM) }
    next = next - UInt64(rest.count) + 8
    rest = UnsafeRawBufferPointer(start: nil, count: 0)
    content = .members(GzipReading(inflater, from: next))
  }
}
