import CZlib

/// zlib's gzip reader, for the members of a file in order, or for the data after one of its blocks.
final class Inflater {
  /// The most that what is behind a place of a member refers back to, in bytes.
  static let windowLength = 32 << 10

  /// The result of a step.
  enum Outcome: Equatable {
    /// More input or more room is needed.
    case goesOn
    /// The member has ended, and its checksum and its length fit.
    case memberEnded
    case damaged
    case outOfMemory
  }

  /// In one place for good: zlib keeps a pointer to it.
  private let stream: UnsafeMutablePointer<z_stream>

  /// `nil` where there is no memory.
  init?() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard mistertop_gunzip_start(stream) == Z_OK else {
      stream.deallocate()
      return nil
    }
  }

  /// Begins behind a block, in the middle of a member, whose checksum is not compared then; `nil` where that cannot be.
  ///
  /// - Parameters:
  ///   - bits: How many bits of the last byte before are not taken, from 0 to 7, and that byte.
  ///   - window: The last bytes that came out before, at most ``windowLength``.
  init?(behind bits: (count: UInt8, byte: UInt8), window: [UInt8]) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard mistertop_inflate_start(stream) == Z_OK else {
      stream.deallocate()
      return nil
    }
    let (count, byte) = (Int32(bits.count), Int32(bits.byte))
    let isPrimed = count == 0 || inflatePrime(stream, count, byte >> (8 - count)) == Z_OK
    // The allocation is freed with the object.
    guard isPrimed, inflateSetDictionary(stream, window, uInt(clamping: window.count)) == Z_OK else {
      return nil
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Makes ready for the next member.
  func restart() { inflateReset(stream) }

  /// How many bits of the last byte are not taken yet, where the last step ended between two blocks of a member; else `nil`.
  private(set) var bitsAtBoundary: UInt8?

  /// The last unpacked bytes of the member that later data may refer to.
  var window: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.windowLength) { buffer, count in
      var length: uInt = 0
      count = inflateGetDictionary(stream, buffer.baseAddress, &length) == Z_OK ? Int(length) : 0
    }
  }

  /// Unpacks as much of the input as there is room for.
  ///
  /// - Parameter stopsAtBlocks: True to stop after each block and set ``bitsAtBoundary``.
  /// - Returns: The number of bytes consumed and produced.
  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, stopsAtBlocks: Bool = false
  ) -> (taken: Int, made: Int, outcome: Outcome) {
    let (offered, room) = (uInt(clamping: input.count), uInt(clamping: output.count))
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: Bytef.self)
    stream.pointee.avail_in = offered
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: Bytef.self)
    stream.pointee.avail_out = room
    let status = inflate(stream, stopsAtBlocks ? Z_BLOCK : Z_NO_FLUSH)
    // zlib.h: 128 is added behind a block, 64 in the last one; the lowest three bits count what is left of the byte.
    let type = stream.pointee.data_type
    bitsAtBoundary = stopsAtBlocks && type & 128 != 0 && type & 64 == 0 ? UInt8(type & 7) : nil
    let outcome: Outcome =
      switch status {
      // Z_BUF_ERROR: nothing could be done, which more input or more room will change.
      case Z_OK, Z_BUF_ERROR: .goesOn
      case Z_STREAM_END: .memberEnded
      case Z_MEM_ERROR: .outOfMemory
      default: .damaged
      }
    return (Int(offered - stream.pointee.avail_in), Int(room - stream.pointee.avail_out), outcome)
  }
}
