import Essentials

/// A file opened for reading at any offset.
///
/// Never memory-mapped: truncation during a read must not crash the program.
package struct ReadableFile: Sendable {
  private let descriptor: Int32

  /// Opens a file.
  ///
  /// - Throws: `POSIXError` with the system's reason; `EISDIR` for a folder; `ENODEV` for a device and `EOPNOTSUPP` for
  ///   a generated file, both of which report a size of 0 although they have contents.
  package init(path: String) throws {
    try self.init(taking: Self.posix { () throws(FileFailure) in try Posix.open(path) })
  }

  /// Takes a file that is already open; it is closed with this object, or at once if it cannot be read.
  ///
  /// - Throws: As ``init(path:)``.
  package init(taking descriptor: Int32) throws {
    self.descriptor = descriptor
    do {
      let status = try status
      guard status.kind != .directory else { throw POSIXError(.EISDIR) }
      guard status.kind != .device else { throw POSIXError(.ENODEV) }
      if status.kind == .regular, status.size == 0, try isMadeUp { throw POSIXError(.EOPNOTSUPP) }
    } catch {
      close()
      throw error
    }
  }

  /// Opens a file that can be read at any offset.
  ///
  /// - Throws: As ``init(path:)``; `ESPIPE` for a pipe, a socket or a terminal.
  package static func seekable(path: String) throws -> ReadableFile {
    let file = try ReadableFile(path: path)
    guard file.canSeek else {
      file.close()
      throw POSIXError(.ESPIPE)
    }
    return file
  }

  /// The current size in bytes.
  ///
  /// - Throws: `POSIXError` with the system's reason: a size of 0 would look like a file that was read completely.
  package var size: UInt64 {
    get throws { try status.size }
  }

  /// The current status of the file.
  ///
  /// - Throws: `POSIXError` with the system's reason.
  package var status: FileStatus {
    get throws { try Self.posix { () throws(FileFailure) in try Posix.status(of: descriptor) } }
  }

  /// True if a file that reports a size of 0 has contents, as those in `/proc` do.
  private var isMadeUp: Bool {
    get throws {
      var byte: UInt8 = 0
      let count = try withUnsafeMutableBytes(of: &byte) { try read(into: $0, at: 0) }
      // It may also have grown in the meantime.
      return try count > 0 && size == 0
    }
  }

  /// True if it can be read at any offset; a pipe, a socket or a terminal cannot.
  package var canSeek: Bool { lseek(descriptor, 0, SEEK_CUR) >= 0 }

  /// Reads at an offset; returns the number of bytes read, 0 at the end.
  ///
  /// - Throws: `POSIXError` with the system's reason.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
    guard offset <= UInt64(Int.max) else { return 0 }
    return try Self.posix { () throws(FileFailure) in
      try Posix.read(descriptor, into: buffer, at: offset)
    }
  }

  /// The first offset from `offset` on that is not in a hole; `offset` itself if holes are unknown.
  package func dataStart(from offset: UInt64) -> UInt64 {
    (try? Posix.dataStart(in: descriptor, from: offset)) ?? offset
  }

  /// Closes the descriptor.
  package func close() {
    Posix.close(descriptor)
  }

  /// Converts a failure to the error that Foundation throws for the same reason.
  private static func posix<Value>(_ body: () throws(FileFailure) -> Value) throws -> Value {
    do throws(FileFailure) { return try body() } catch {
      throw POSIXError(POSIXErrorCode(rawValue: error.number) ?? .EIO)
    }
  }
}
