#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Unpacks gzip files, the rotated ones of which nobody vouches for what they hold.
///
/// Read and written in pieces of 256 KiB; how much comes out is limited, and so is what a file of few bytes can do.
package struct Gunzip: Sendable {
  /// How much is unpacked of one file at most, in bytes, unless told otherwise: 2 GiB.
  package static let defaultLimit: UInt64 = 2 << 30
  private static let bufferSize = 256 << 10

  private let limit: UInt64
  private let fileSystem: any TailFileSystem

  package init(limit: UInt64 = Gunzip.defaultLimit, fileSystem: any TailFileSystem = PosixFileSystem()) {
    self.limit = limit
    self.fileSystem = fileSystem
  }

  /// Unpacks a file into another one that only its owner may read, which takes its place when it is whole.
  ///
  /// Of a damaged file that is kept which could be unpacked.
  ///
  /// - Parameters:
  ///   - path: The packed file.
  ///   - target: The unpacked one; what has the path before is replaced.
  ///   - isCancelled: Asked for every piece.
  /// - Throws: `GunzipFailure`; what has the path then is left as it is.
  package func unpack(
    _ path: String, to target: String, isCancelled: () -> Bool = { false }
  ) throws(GunzipFailure) -> UnpackedFile {
    let replacement = try Self.writing { () throws(FileFailure) in try ReplacementFile(for: target) }
    let unpacked = try unpack(path, toDescriptor: replacement.descriptor, isCancelled: isCancelled)
    try Self.writing { () throws(FileFailure) in try replacement.putInPlace() }
    return unpacked
  }

  /// Unpacks a file to where a descriptor stands; after a failure some of it may be there.
  package func unpack(
    _ path: String, toDescriptor descriptor: Int32, isCancelled: () -> Bool = { false }
  ) throws(GunzipFailure) -> UnpackedFile {
    guard let inflater = Inflater() else { throw .cannotRead(.other(ENOMEM)) }
    let file = try Self.reading { () throws(FileFailure) in try fileSystem.open(path) }
    defer { fileSystem.close(file) }
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferSize, alignment: 16)
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferSize, alignment: 16)
    defer { [input, room].forEach { $0.deallocate() } }
    var reading = GzipReading(inflater)
    while !reading.isDone {
      let count = try Self.reading { () throws(FileFailure) in
        try fileSystem.read(file, at: reading.packed, into: input)
      }
      var rest = UnsafeRawBufferPointer(rebasing: input[..<count])
      var made = 0
      repeat {
        guard !isCancelled() else { throw .cancelled }
        made = try reading.take(&rest, into: room)
        guard reading.unpacked <= limit else { throw .tooLarge }
        let piece = UnsafeRawBufferPointer(rebasing: room[..<made])
        try Self.writing { () throws(FileFailure) in try PosixFileSystem.write(piece, to: descriptor) }
      } while !reading.isDone && (!rest.isEmpty || made == room.count)
      if count == 0, !reading.isDone { reading.end() }
    }
    return try reading.result
  }

  private static func reading<Result>(_ body: () throws(FileFailure) -> Result) throws(GunzipFailure)
    -> Result
  {
    do throws(FileFailure) { return try body() } catch { throw .cannotRead(error) }
  }

  private static func writing<Result>(_ body: () throws(FileFailure) -> Result) throws(GunzipFailure)
    -> Result
  {
    do throws(FileFailure) { return try body() } catch { throw .cannotWrite(error) }
  }
}
