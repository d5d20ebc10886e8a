import CZlib

/// zlib's reader of gzip, one member of a file after the other.
final class Inflater {
  /// What came of a step.
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

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Makes ready for the next member.
  func restart() { inflateReset(stream) }

  /// Unpacks as much of the input as there is room for the outcome of.
  ///
  /// - Returns: How many bytes were taken from the input and how many were put into the output.
  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> (taken: Int, made: Int, outcome: Outcome) {
    let (offered, room) = (uInt(clamping: input.count), uInt(clamping: output.count))
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: Bytef.self)
    stream.pointee.avail_in = offered
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: Bytef.self)
    stream.pointee.avail_out = room
    let status = inflate(stream, Z_NO_FLUSH)
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
