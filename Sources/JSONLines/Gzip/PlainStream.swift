import Essentials
package import Platform

/// Reads a descriptor from its position to its end, and unpacks gzip, which its first bytes identify.
///
/// Needs a fixed amount of memory, however much is unpacked. Reads as much as possible from a damaged or truncated
/// file, and ``note`` says so.
package final class PlainStream {
  /// Maximum unpacked size, in bytes: 64 GiB.
  ///
  /// A small file can expand without end.
  package static let limit: UInt64 = 64 << 30
  private static let bufferSize = 256 << 10

  /// The part missing at the end of a packed stream.
  package enum Note: Hashable, Sendable {
    case damaged(GzipDamage)
    case tooLarge(limit: UInt64)

    /// The message to follow the file's name.
    package var text: String {
      switch self {
      case .damaged(let damage):
        "is damaged or cut off at byte \(damage.position) of the compressed data; what was unpacked before it is read, "
          + "\(damage.soundBytes) bytes of it proven by a checksum"
      case .tooLarge(let limit): "becomes larger than \(limit >> 30) GiB; the rest is left out"
      }
    }
  }

  private enum Content { case unknown, plain, packed(GzipReading) }

  private let descriptor: Int32
  private let limit: UInt64
  private var content = Content.unknown
  private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 16)
  /// Input that was not consumed yet.
  private var rest = UnsafeRawBufferPointer(start: nil, count: 0)
  private var hasEnded = false
  /// Number of bytes read from the descriptor.
  package private(set) var taken: UInt64 = 0
  /// The missing part, set at the end.
  package private(set) var note: Note?

  /// - Parameters:
  ///   - descriptor: Stays open; no one else may read it.
  ///   - limit: Maximum unpacked size, in bytes.
  package init(descriptor: Int32, limit: UInt64 = PlainStream.limit) {
    self.descriptor = descriptor
    self.limit = limit
  }

  deinit { input.deallocate() }

  /// True if reading can continue without more input from the descriptor.
  package var hasInput: Bool { !rest.isEmpty }

  /// True if the stream is packed.
  package var isPacked: Bool { if case .packed = content { true } else { false } }

  /// Reads the next bytes; returns their number, 0 at the end.
  ///
  /// - Throws: The system error.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileFailure) -> Int {
    if case .unknown = content { try begin() }
    guard case .packed(var reading) = content else { return try readPlain(into: buffer) }
    defer { content = .packed(reading) }
    while !reading.isDone {
      if rest.isEmpty, !hasEnded { try fill() }
      let made = try unpack(&reading, into: buffer)
      if hasEnded, rest.isEmpty, made == 0, !reading.isDone { reading.end() }
      guard reading.unpacked <= limit else {
        note = .tooLarge(limit: limit)
        reading.end()
        return 0
      }
      if made > 0 { return made }
    }
    if note == nil { note = try end(of: reading) }
    return 0
  }

  private func unpack(
    _ reading: inout GzipReading, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileFailure) -> Int {
    do throws(GunzipFailure) { return try reading.take(&rest, into: buffer) } catch { throw .other(ENOMEM) }
  }

  private func end(of reading: GzipReading) throws(FileFailure) -> Note? {
    do throws(GunzipFailure) { return try reading.result.damage.map(Note.damaged) } catch {
      guard case .damaged(let position) = error else { throw .other(EIO) }
      return .damaged(GzipDamage(position: position, soundBytes: 0))
    }
  }

  /// Reads until the first two bytes identify the format.
  private func begin() throws(FileFailure) {
    // Bytes are kept if a non-blocking descriptor has no more yet.
    while taken < Gunzip.magic.count {
      let more = try Posix.read(
        descriptor, into: UnsafeMutableRawBufferPointer(rebasing: input[Int(taken)...]))
      guard more > 0 else { break }
      taken += UInt64(more)
    }
    rest = UnsafeRawBufferPointer(rebasing: input[..<Int(taken)])
    guard rest.starts(with: Gunzip.magic), let inflater = Inflater() else {
      content = .plain
      return
    }
    content = .packed(GzipReading(inflater))
  }

  private func fill() throws(FileFailure) {
    let count = try Posix.read(descriptor, into: input)
    taken &+= UInt64(count)
    hasEnded = count == 0
    rest = UnsafeRawBufferPointer(rebasing: input[..<count])
  }

  private func readPlain(into buffer: UnsafeMutableRawBufferPointer) throws(FileFailure) -> Int {
    guard rest.isEmpty else {
      let count = min(rest.count, buffer.count)
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      return count
    }
    let count = try Posix.read(descriptor, into: buffer)
    taken &+= UInt64(count)
    return count
  }
}

/// Recognizes packed files by their first bytes.
package enum GzipFile {
  /// True if a regular file starts with the gzip magic; `false` if it cannot be read.
  package static func isPacked(_ path: String) -> Bool {
    guard Posix.status(at: path)?.kind == .regular, let file = try? ReadableFile(path: path) else {
      return false
    }
    defer { file.close() }
    let head = [UInt8](unsafeUninitializedCapacity: Gunzip.magic.count) { buffer, count in
      count = (try? file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)) ?? 0
    }
    return head == Gunzip.magic
  }
}
