import CZlib

/// Packs bytes as other programs do.
enum GzipMaker {
  /// A member of a gzip file.
  ///
  /// - Parameter flushes: After so many bytes each, as a program does that wants to be read meanwhile.
  static func member(_ content: [UInt8], flushes: Int = .max) -> [UInt8] {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    guard mistertop_gzip_start(stream) == Z_OK else { return [] }
    defer { deflateEnd(stream) }
    var packed: [UInt8] = []
    var rest = content[...]
    var room = [UInt8](repeating: 0, count: 1 << 16)
    var isDone = false
    while !isDone {
      let piece = Array(rest.prefix(flushes))
      rest = rest.dropFirst(piece.count)
      let flush = rest.isEmpty ? Z_FINISH : Z_FULL_FLUSH
      piece.withUnsafeBufferPointer { input in
        stream.pointee.next_in = input.baseAddress
        stream.pointee.avail_in = uInt(input.count)
        repeat {
          room.withUnsafeMutableBufferPointer { output in
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = uInt(output.count)
            isDone = deflate(stream, flush) == Z_STREAM_END
            packed += output.prefix(output.count - Int(stream.pointee.avail_out))
          }
        } while stream.pointee.avail_out == 0
      }
    }
    return packed
  }
}
