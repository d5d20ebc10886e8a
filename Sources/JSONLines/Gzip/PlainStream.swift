import Essentials
package import Platform

/// Reads a descriptor from its position to its end as lines of UTF-8.
///
/// Unpacks gzip, and with other programs xz, zstd and bzip2; decodes UTF-16; puts each record that spans lines, or shares
/// one with all others, in a line of its own. The first bytes show what is needed.
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
    /// No program here unpacks it.
    case packed(Packing)
    /// The program that unpacks it failed; with its own words.
    case failed(Packing, String)

    /// The message to follow the file's name.
    package var text: String {
      switch self {
      case .damaged(let damage):
        "is damaged or cut off at byte \(damage.position) of the compressed data; what was unpacked before it is read, "
          + "\(damage.soundBytes) bytes of it proven by a checksum"
      case .tooLarge(let limit): "becomes larger than \(limit >> 30) GiB; the rest is left out"
      case .packed(let packing):
        "is packed with \(packing.rawValue): \(packing.command)"
          + (packing.program.map { " (\($0[0]) is not installed here)" } ?? "")
      case .failed(let packing, let words):
        "was not unpacked completely by \(packing.program?.first ?? packing.rawValue): \(words)"
      }
    }
  }

  private enum Content {
    case unknown, plain
    case packed(GzipReading)
    case program(UnpackingProgram, Packing)
    /// Packed, and not to be unpacked here.
    case sealed
  }

  private let descriptor: Int32
  private let limit: UInt64
  private let follows: Bool
  private let waits: Bool
  private var content = Content.unknown
  private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 16)
  /// Input that was not consumed yet.
  private var rest = UnsafeRawBufferPointer(start: nil, count: 0)
  private var hasEnded = false
  /// Number of bytes that a program has unpacked.
  private var unpacked: UInt64 = 0
  /// The form of the unpacked text.
  private var text = TextReading()
  /// Lines that were not read yet, from a position on.
  private var lines: [UInt8] = []
  private var linesStart = 0
  private var isTextFinished = false
  /// Number of bytes read from the descriptor.
  package private(set) var taken: UInt64 = 0
  /// The missing part, set at the end.
  package private(set) var note: Note?

  /// - Parameters:
  ///   - descriptor: Stays open; no one else may read it.
  ///   - limit: Maximum unpacked size, in bytes.
  ///   - follows: True if a text that is not packed may grow at its end; see ``canGrow``.
  ///   - waits: False to throw `EAGAIN` rather than to wait for more input.
  package init(
    descriptor: Int32, limit: UInt64 = PlainStream.limit, follows: Bool = false, waits: Bool = true
  ) {
    self.descriptor = descriptor
    self.limit = limit
    self.follows = follows
    self.waits = waits
  }

  deinit { input.deallocate() }

  /// True if reading can continue without more input from the descriptor.
  package var hasInput: Bool { !rest.isEmpty || linesStart < lines.count }

  /// True if the stream is packed.
  package var isPacked: Bool {
    switch content {
    case .unknown, .plain: false
    case .packed, .program, .sealed: true
    }
  }

  /// True if a read that returned 0 may be repeated, because the text may have grown.
  package var canGrow: Bool { follows && !isPacked }

  /// Reads the next bytes; returns their number, 0 at the end.
  ///
  /// - Throws: The system error.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileFailure) -> Int {
    while true {
      if linesStart < lines.count { return takeLines(into: buffer) }
      if text.isPlain || isTextFinished { return try readUnpacked(into: buffer) }
      let count = try readUnpacked(into: buffer)
      lines.removeAll(keepingCapacity: true)
      linesStart = 0
      if count > 0 {
        text.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &lines)
        guard lines.isEmpty, !waits else { continue }
        throw .other(EAGAIN)
      }
      if canGrow { return 0 }
      text.finish(into: &lines)
      isTextFinished = true
    }
  }

  private func takeLines(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let part = lines[linesStart...].prefix(buffer.count)
    buffer.copyBytes(from: part)
    linesStart += part.count
    return part.count
  }

  private func readUnpacked(into buffer: UnsafeMutableRawBufferPointer) throws(FileFailure) -> Int {
    if case .unknown = content { try begin() }
    switch content {
    case .unknown, .plain: return try readPlain(into: buffer)
    case .sealed: return 0
    case .packed(let reading): return try read(reading, into: buffer)
    case .program(let program, let packing): return try read(program, packing, into: buffer)
    }
  }

  private func read(
    _ reading: GzipReading, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileFailure) -> Int {
    var reading = reading
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

  private func read(
    _ program: UnpackingProgram, _ packing: Packing, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileFailure) -> Int {
    let count = try program.read(into: buffer) { room throws(FileFailure) in try readPlain(into: room) }
    unpacked += UInt64(count)
    if unpacked > limit {
      note = .tooLarge(limit: limit)
    } else if count == 0 {
      note = program.problem().map { .failed(packing, $0) }
    } else {
      return count
    }
    content = .sealed
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

  /// Reads until the first bytes identify the format.
  private func begin() throws(FileFailure) {
    // Bytes are kept if a non-blocking descriptor has no more yet.
    while taken < Packing.headCount, Self.mayBePacked(input[..<Int(taken)]) {
      let more = try Posix.read(
        descriptor, into: UnsafeMutableRawBufferPointer(rebasing: input[Int(taken)...]))
      guard more > 0 else { break }
      taken += UInt64(more)
    }
    rest = UnsafeRawBufferPointer(rebasing: input[..<Int(taken)])
    content = .plain
    guard let packing = Packing(head: rest) else { return }
    if packing == .gzip, let inflater = Inflater() {
      content = .packed(GzipReading(inflater))
    } else if let words = packing.program, let program = UnpackingProgram(words) {
      content = .program(program, packing)
    } else {
      content = .sealed
      note = .packed(packing)
    }
  }

  /// True if more bytes could show that a text is packed.
  private static func mayBePacked(_ head: Slice<UnsafeMutableRawBufferPointer>) -> Bool {
    head.isEmpty || Packing.mayBegin(with: head)
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
