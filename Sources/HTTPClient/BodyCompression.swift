import CZlib
package import Essentials

/// Compression of bodies, for endpoints that accept `Content-Encoding: gzip`.
package enum BodyCompression {
  /// Out of memory.
  package struct Failure: Error, Sendable, Hashable {}

  /// Bytes of output written at a time.
  private static let pieceSize = 64 << 10

  /// Compresses a body as one gzip member without name and time: equal bodies give equal bytes.
  package static func gzip(_ body: some ContiguousBytes) throws(Failure) -> Data {
    // At a fixed address: zlib keeps a pointer to it.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    guard mistertop_gzip_start(stream) == Z_OK else { throw Failure() }
    defer { deflateEnd(stream) }
    var packed = Data()
    let isWhole = body.withUnsafeBytes { write($0, through: stream, to: &packed) }
    guard isWhole else { throw Failure() }
    return packed
  }

  private static func write(
    _ body: UnsafeRawBufferPointer, through stream: UnsafeMutablePointer<z_stream>, to packed: inout Data
  ) -> Bool {
    var rest = body
    return withUnsafeTemporaryAllocation(byteCount: pieceSize, alignment: 16) { room in
      while true {
        // zlib counts in 32 bits.
        let (offered, space) = (uInt(clamping: rest.count), uInt(clamping: room.count))
        stream.pointee.next_in = rest.baseAddress?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_in = offered
        stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_out = space
        let status = deflate(stream, Int(offered) == rest.count ? Z_FINISH : Z_NO_FLUSH)
        packed.append(contentsOf: room.prefix(Int(space - stream.pointee.avail_out)))
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Int(offered - stream.pointee.avail_in)))
        if status == Z_STREAM_END { return true }
        // Z_BUF_ERROR: the output space was full.
        guard status == Z_OK || status == Z_BUF_ERROR else { return false }
      }
    }
  }
}
