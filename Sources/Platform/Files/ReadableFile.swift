import Essentials

/// A file opened for reading at any place.
///
/// Never mapped: a file that shrinks while it is read must not end the program.
package struct ReadableFile: Sendable {
  private let descriptor: Int32

  /// Opens a file.
  ///
  /// - Throws: `POSIXError` with the system's reason; `EISDIR` for a folder, `ENODEV` for a device, `EOPNOTSUPP` for a file that is
  ///   made up as it is read: both say that they are empty, and are not.
  package init(path: String) throws {
    try self.init(taking: Self.posix { () throws(FileFailure) in try Posix.open(path) })
  }

  /// A file that is open already; it is closed with this, or at once if it cannot be read.
  ///
  /// - Throws: as ``init(path:)``.
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

  /// Opens a file that can be read at any place.
  ///
  /// - Throws: as ``init(path:)``; `ESPIPE` for a pipe, a socket or a terminal.
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
  /// - Throws: `POSIXError` with the system's reason: a size of 0 would look like a file that was read.
  package var size: UInt64 {
    get throws { try status.size }
  }

  /// How the file looks at this moment.
  ///
  /// - Throws: `POSIXError` with the system's reason.
  package var status: FileStatus {
    get throws { try Self.posix { () throws(FileFailure) in try Posix.status(of: descriptor) } }
  }

  /// True if there is something to read in a file that says that it is empty, as those of `/proc` do.
  private var isMadeUp: Bool {
    get throws {
      var byte: UInt8 = 0
      let count = try withUnsafeMutableBytes(of: &byte) { try read(into: $0, at: 0) }
      // It may also have grown since.
      return try count > 0 && size == 0
    }
  }

  /// True if it can be read at any place; a pipe, a socket or a terminal cannot.
  package var canSeek: Bool { lseek(descriptor, 0, SEEK_CUR) >= 0 }

  /// Reads at a place; returns how many bytes there were, 0 at the end.
  ///
  /// - Throws: `POSIXError` with the system's reason.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
    guard offset <= UInt64(Int.max) else { return 0 }
    return try Self.posix { () throws(FileFailure) in
      try Posix.read(descriptor, into: buffer, at: offset)
    }
  }

  /// The first place from `offset` on that is no hole; `offset` itself where nothing is known of holes.
  package func dataStart(from offset: UInt64) -> UInt64 {
    (try? Posix.dataStart(in: descriptor, from: offset)) ?? offset
  }

  /// Gives the descriptor back.
  package func close() {
    Posix.close(descriptor)
  }

  /// The error that Foundation throws for the same reason.
  private static func posix<Value>(_ body: () throws(FileFailure) -> Value) throws -> Value {
    do throws(FileFailure) { return try body() } catch {
      throw POSIXError(POSIXErrorCode(rawValue: error.number) ?? .EIO)
    }
  }
}
