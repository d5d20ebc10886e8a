import CZlib
import Essentials
import Platform

/// Positions in a gzip file where unpacking can start, so that any part can be read without an unpacked copy.
///
/// After Mark Adler's `zran.c` from zlib: between two blocks, the remaining bits of a byte and the preceding 32 KiB are
/// enough.
package struct GzipCheckpoints: Sendable, Equatable {
  /// A position between two blocks, or before a member.
  package struct Point: Sendable, Equatable {
    /// The first unconsumed byte of the packed file.
    package var packed: UInt64
    /// Number of unconsumed bits of the byte before, from 0 to 7.
    package var bits: UInt8
    /// Number of unpacked bytes before it.
    package var unpacked: UInt64
    /// The last of them, packed with zlib; empty before a member.
    package var window: [UInt8]

    package init(packed: UInt64, bits: UInt8, unpacked: UInt64, window: [UInt8]) {
      (self.packed, self.bits, self.unpacked, self.window) = (packed, bits, unpacked, window)
    }
  }

  /// Initial distance between two positions, in unpacked bytes.
  package static let usualSpacing: UInt64 = 2 << 20
  /// Maximum number of positions; beyond it, every other one is dropped.
  static let limit = 1024

  /// Ascending; the first one is the start of the file.
  package private(set) var points = [Point(packed: 0, bits: 0, unpacked: 0, window: [])]
  /// Number of unpacked bytes, excluding an overlong line without an end.
  package private(set) var unpackedBytes: UInt64 = 0
  /// End of the last complete line.
  package private(set) var wholeEnd: UInt64 = 0
  /// The part missing at the end.
  package private(set) var note: PlainStream.Note?
  private var spacing = Self.usualSpacing

  /// Positions that were found before; `nil` if they are inconsistent.
  package init?(points: [Point], unpackedBytes: UInt64, wholeEnd: UInt64, note: PlainStream.Note?) {
    guard points.first?.packed == 0, points.first?.unpacked == 0, points.allSatisfy({ $0.bits < 8 }),
      zip(points, points.dropFirst()).allSatisfy({ $0.packed < $1.packed && $0.unpacked <= $1.unpacked }),
      points.last.map({ $0.unpacked <= unpackedBytes }) == true, wholeEnd <= unpackedBytes
    else { return nil }
    (self.points, self.unpackedBytes, self.wholeEnd, self.note) = (points, unpackedBytes, wholeEnd, note)
  }

  /// Unpacks a file once, without keeping the result.
  ///
  /// - Parameters:
  ///   - descriptor: The file's descriptor; read at offsets, independent of its position.
  ///   - limit: Maximum unpacked bytes; the rest is left out, and ``note`` says so.
  ///   - spacing: Unpacked bytes between two positions.
  /// - Throws: `GunzipFailure` if nothing could be unpacked.
  package init(
    of descriptor: Int32, limit: UInt64 = Gunzip.defaultLimit, spacing: UInt64 = GzipCheckpoints.usualSpacing
  ) throws(GunzipFailure) {
    self.spacing = spacing
    guard let inflater = Inflater() else { throw .cannotRead(.other(ENOMEM)) }
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { [input, room].forEach { $0.deallocate() } }
    var reading = GzipReading(inflater, stopsAtBlocks: true)
    while !reading.isDone {
      var rest = UnsafeRawBufferPointer(start: nil, count: 0)
      do throws(FileFailure) {
        rest = UnsafeRawBufferPointer(
          rebasing: input[..<(try Posix.read(descriptor, into: input, at: reading.packed))])
      } catch { throw .cannotRead(error) }
      let hasEnded = rest.isEmpty
      var made = 0
      repeat {
        made = try reading.take(&rest, into: room)
        guard reading.unpacked <= limit else {
          note = .tooLarge(limit: limit)
          end(at: limit)
          return
        }
        note(UnsafeRawBufferPointer(rebasing: room[..<made]), upTo: reading.unpacked)
        mark(reading, inflater)
      } while !reading.isDone && (!rest.isEmpty || made == room.count)
      if hasEnded, !reading.isDone { reading.end() }
    }
    let result = try reading.result
    end(at: result.bytes)
    note = result.damage.map(PlainStream.Note.damaged)
  }

  /// Records the end of the last complete line.
  private mutating func note(_ bytes: UnsafeRawBufferPointer, upTo end: UInt64) {
    // Fast if there is none, as in files made to expand.
    guard let base = bytes.baseAddress, memchr(base, 10, bytes.count) != nil,
      let last = bytes.lastIndex(of: UInt8(ascii: "\n"))
    else { return }
    wholeEnd = end - UInt64(bytes.count - last - 1)
  }

  private mutating func end(at end: UInt64) {
    unpackedBytes = end - wholeEnd > UInt64(RejectionReason.lineLimit) ? wholeEnd : end
    points.removeAll { $0.unpacked > unpackedBytes }
  }

  private mutating func mark(_ reading: GzipReading, _ inflater: Inflater) {
    guard let last = points.last, reading.unpacked >= last.unpacked + spacing, reading.packed > last.packed
    else {
      return
    }
    if reading.isBetweenMembers {
      points.append(Point(packed: reading.packed, bits: 0, unpacked: reading.unpacked, window: []))
    } else if let bits = inflater.bitsAtBoundary {
      let window = Self.packed(inflater.window)
      points.append(Point(packed: reading.packed, bits: bits, unpacked: reading.unpacked, window: window))
    }
    guard points.count > Self.limit else { return }
    points = stride(from: 0, to: points.count, by: 2).map { points[$0] }
    spacing *= 2
  }

  /// The last position at or before an unpacked offset.
  package func point(before offset: UInt64) -> Point? {
    points.last { $0.unpacked <= offset }
  }

  private static func packed(_ window: [UInt8]) -> [UInt8] {
    let room = Int(compressBound(uLong(window.count)))
    return [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      var length = uLong(room)
      count = compress2(buffer.baseAddress, &length, window, uLong(window.count), 6) == Z_OK ? Int(length) : 0
    }
  }

  static func unpacked(_ window: [UInt8]) -> [UInt8]? {
    var isSound = false
    let bytes = [UInt8](unsafeUninitializedCapacity: Inflater.windowLength) { buffer, count in
      var length = uLong(Inflater.windowLength)
      isSound = uncompress(buffer.baseAddress, &length, window, uLong(window.count)) == Z_OK
      count = isSound ? Int(length) : 0
    }
    return isSound ? bytes : nil
  }
}
