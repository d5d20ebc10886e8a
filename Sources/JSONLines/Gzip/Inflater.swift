import CZlib

/// zlib's gzip reader, for the members of a file in order, or for the data after one of its blocks.
package final class Inflater {
  /// Maximum distance of a back-reference, in bytes.
  static let windowLength = 32 << 10

  /// The result of a step.
  package enum Outcome: Equatable {
    /// More input or more room is needed.
    case goesOn
    /// The member has ended; its checksum and length match.
    case memberEnded
    case damaged
    case outOfMemory
  }

  /// At a fixed address: zlib keeps a pointer to it.
  private let stream: UnsafeMutablePointer<z_stream>

  /// Fails if there is no memory.
  init?() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard mistertop_gunzip_start(stream) == Z_OK else {
      stream.deallocate()
      return nil
    }
  }

  /// Starts after a block, in the middle of a member, whose checksum is then not verified; `nil` if that fails.
  ///
  /// - Parameters:
  ///   - bits: The number of unconsumed bits of the last byte before, from 0 to 7, and that byte.
  ///   - window: The last unpacked bytes before, at most ``windowLength``.
  package init?(behind bits: (count: UInt8, byte: UInt8), window: [UInt8]) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard mistertop_inflate_start(stream) == Z_OK else {
      stream.deallocate()
      return nil
    }
    let (count, byte) = (Int32(bits.count), Int32(bits.byte))
    let isPrimed = count == 0 || inflatePrime(stream, count, byte >> (8 - count)) == Z_OK
    // The object frees the allocation.
    guard isPrimed, inflateSetDictionary(stream, window, uInt(clamping: window.count)) == Z_OK else {
      return nil
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Prepares for the next member.
  func restart() { inflateReset(stream) }

  /// Number of unconsumed bits of the last byte, if the last step ended between two blocks of a member; otherwise
  /// `nil`.
  private(set) var bitsAtBoundary: UInt8?

  /// The last unpacked bytes of the member that later data may refer to.
  var window: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.windowLength) { buffer, count in
      var length: uInt = 0
      count = inflateGetDictionary(stream, buffer.baseAddress, &length) == Z_OK ? Int(length) : 0
    }
  }

  /// Unpacks as much of the input as fits into the buffer.
  ///
  /// - Parameter stopsAtBlocks: True to stop after each block and set ``bitsAtBoundary``.
  /// - Returns: The number of bytes consumed and produced.
  package func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, stopsAtBlocks: Bool = false
  ) -> (taken: Int, made: Int, outcome: Outcome) {
    let (offered, room) = (uInt(clamping: input.count), uInt(clamping: output.count))
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: Bytef.self)
    stream.pointee.avail_in = offered
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: Bytef.self)
    stream.pointee.avail_out = room
    let status = inflate(stream, stopsAtBlocks ? Z_BLOCK : Z_NO_FLUSH)
    // zlib.h: 128 is added after a block, 64 in the last one; the lowest three bits count the unused bits of the byte.
    let type = stream.pointee.data_type
    bitsAtBoundary = stopsAtBlocks && type & 128 != 0 && type & 64 == 0 ? UInt8(type & 7) : nil
    let outcome: Outcome =
      switch status {
      // Z_BUF_ERROR: no progress was possible, which more input or more room will change.
      case Z_OK, Z_BUF_ERROR: .goesOn
      case Z_STREAM_END: .memberEnded
      case Z_MEM_ERROR: .outOfMemory
      default: .damaged
      }
    return (Int(offered - stream.pointee.avail_in), Int(room - stream.pointee.avail_out), outcome)
  }
}
