import Foundation

/// A file opened for reading at any place.
///
/// Never mapped: a file that shrinks meanwhile must not end the program.
package struct ReadableFile: Sendable {
  private let descriptor: Int32

  /// Opens a file.
  ///
  /// - Throws: `POSIXError` with the system's reason; `EISDIR` for a folder.
  package init(path: String) throws {
    // Without O_NONBLOCK a pipe that nobody writes to would hold the program here.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.lastError }
    do {
      guard try status.st_mode & S_IFMT != S_IFDIR else { throw POSIXError(.EISDIR) }
    } catch {
      close()
      throw error
    }
  }

  /// How many bytes the file has at this moment.
  ///
  /// - Throws: `POSIXError` with the system's reason: taken for empty, the file would pass for read.
  package var size: UInt64 {
    get throws { UInt64(max(0, try status.st_size)) }
  }

  private var status: stat {
    get throws {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw Self.lastError }
      return status
    }
  }

  /// How the file looks at this moment.
  ///
  /// - Throws: `POSIXError` with the system's reason.
  package var fileStatus: FileStatus {
    get throws { FileStatus(try status) }
  }

  /// Whether it can be read at any place; a pipe, a socket or a terminal cannot.
  package var canSeek: Bool { lseek(descriptor, 0, SEEK_CUR) >= 0 }

  /// Reads at a place; returns how many bytes there were, 0 at the end.
  ///
  /// - Throws: `POSIXError` with the system's reason.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
    guard let offset = off_t(exactly: offset) else { return 0 }
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, offset)
      if count >= 0 { return count }
      guard errno == EINTR else { throw Self.lastError }
    }
  }

  /// The first place from `offset` on that is no hole; `offset` itself where nothing is known of holes.
  package func dataStart(from offset: UInt64) -> UInt64 {
    (try? PosixFileSystem.dataStart(in: descriptor, from: offset)) ?? offset
  }

  /// Gives the descriptor back.
  package func close() {
    #if canImport(Darwin)
      _ = Darwin.close(descriptor)
    #else
      _ = Glibc.close(descriptor)
    #endif
  }

  private static var lastError: POSIXError {
    POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }
}
