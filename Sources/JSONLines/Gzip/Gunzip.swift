import Essentials
import Platform

/// Unpacks gzip files; a rotated one may contain anything, so it is not trusted.
///
/// Works in pieces of 256 KiB and limits the output, so that a small file cannot do unlimited harm.
package struct Gunzip: Sendable {
  /// Default maximum of unpacked bytes per file: 2 GiB.
  package static let defaultLimit: UInt64 = 2 << 30
  /// The first bytes of every gzip file.
  package static let magic: [UInt8] = [0x1F, 0x8B]
  private static let bufferSize = 256 << 10

  private let limit: UInt64
  private let fileSystem: any TailFileSystem

  package init(limit: UInt64 = Gunzip.defaultLimit, fileSystem: any TailFileSystem = PosixFileSystem()) {
    self.limit = limit
    self.fileSystem = fileSystem
  }

  /// Unpacks a file into a new one, which only its owner may read and which appears once it is complete.
  ///
  /// The readable part of a damaged file is kept.
  ///
  /// - Parameters:
  ///   - path: The packed file.
  ///   - target: The unpacked file; an existing file is replaced.
  ///   - isCancelled: Called for each piece.
  /// - Throws: `GunzipFailure`; the target file is then unchanged.
  package func unpack(
    _ path: String, to target: String, isCancelled: () -> Bool = { false }
  ) throws(GunzipFailure) -> UnpackedFile {
    let replacement = try Self.writing { () throws(FileFailure) in try ReplacementFile(for: target) }
    let unpacked = try unpack(path, toDescriptor: replacement.descriptor, isCancelled: isCancelled)
    try Self.writing { () throws(FileFailure) in try replacement.putInPlace() }
    return unpacked
  }

  /// Unpacks a file to the current position of a descriptor; after a failure, part of it may have been written.
  package func unpack(
    _ path: String, toDescriptor descriptor: Int32, isCancelled: () -> Bool = { false }
  ) throws(GunzipFailure) -> UnpackedFile {
    let file = try Self.reading { () throws(FileFailure) in try fileSystem.open(path) }
    defer { fileSystem.close(file) }
    return try unpack(isCancelled: isCancelled) { position, buffer throws(GunzipFailure) in
      try Self.reading { () throws(FileFailure) in
        try fileSystem.read(file, at: position, into: buffer)
      }
    } write: { piece throws(GunzipFailure) in
      try Self.writing { () throws(FileFailure) in try Posix.write(piece, to: descriptor) }
    }
  }

  /// Unpacks bytes in memory.
  ///
  /// - Returns: The unpacked bytes, and whether they are complete.
  /// - Throws: `GunzipFailure`.
  package func unpack(_ packed: [UInt8]) throws(GunzipFailure) -> (bytes: [UInt8], file: UnpackedFile) {
    var bytes: [UInt8] = []
    let file = try unpack { position, buffer throws(GunzipFailure) in
      let rest = packed.dropFirst(Int(clamping: position)).prefix(buffer.count)
      buffer.copyBytes(from: rest)
      return rest.count
    } write: { piece throws(GunzipFailure) in
      bytes.append(contentsOf: piece)
    }
    return (bytes, file)
  }

  private func unpack(
    isCancelled: () -> Bool = { false },
    read: (UInt64, UnsafeMutableRawBufferPointer) throws(GunzipFailure) -> Int,
    write: (UnsafeRawBufferPointer) throws(GunzipFailure) -> Void
  ) throws(GunzipFailure) -> UnpackedFile {
    guard let inflater = Inflater() else { throw .cannotRead(.other(ENOMEM)) }
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferSize, alignment: 16)
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferSize, alignment: 16)
    defer { [input, room].forEach { $0.deallocate() } }
    var reading = GzipReading(inflater)
    while !reading.isDone {
      let count = try read(reading.packed, input)
      var rest = UnsafeRawBufferPointer(rebasing: input[..<count])
      var made = 0
      repeat {
        guard !isCancelled() else { throw .cancelled }
        made = try reading.take(&rest, into: room)
        guard reading.unpacked <= limit else { throw .tooLarge }
        try write(UnsafeRawBufferPointer(rebasing: room[..<made]))
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
