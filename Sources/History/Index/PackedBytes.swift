import Codecs
import Essentials
package import JSONLines
package import Platform

/// A local gzip file, read at any offset as if it were unpacked, without an unpacked copy.
package final class PackedBytes: HistoryBytes {
  /// The key of a file's checkpoints.
  struct Origin: Equatable {
    let identity: FileIdentity
    let size: UInt64
    let modified: Int64

    init(_ status: FileStatus) {
      (identity, size, modified) = (status.identity, status.size, status.modified)
    }
  }

  /// Maximum number of cursors to continue from; each takes about 100 KiB.
  private static let cursorLimit = 4

  package let mapping: LineMapping?
  private let descriptor: Int32
  private let origin: Origin
  private let checkpoints: GzipCheckpoints
  private let cursors = Locked<[GzipCursor]>([])

  /// Opens a file, and unpacks it once if no checkpoints are known.
  ///
  /// - Parameter cache: the cache for checkpoints; `nil` for none.
  /// - Throws: `POSIXError` with the system's reason; `GunzipFailure` if nothing can be unpacked.
  package init(path: String, mapping: LineMapping? = nil, cache: IndexCache? = nil) throws {
    self.mapping = mapping
    descriptor = try Posix.open(path)
    do {
      origin = Origin(try Posix.status(of: descriptor))
      if let known = cache?.checkpoints(of: origin) {
        checkpoints = known
      } else {
        checkpoints = try GzipCheckpoints(of: descriptor)
        // Without them, the file is unpacked once more in the next run.
        try? cache?.save(checkpoints, of: origin)
      }
    } catch {
      Posix.close(descriptor)
      throw error
    }
  }

  deinit { Posix.close(descriptor) }

  package var wholeEnd: UInt64? { checkpoints.wholeEnd }

  package var note: String? { checkpoints.note?.text }

  /// The file's status, with the unpacked size.
  package var status: FileStatus {
    get throws {
      var status = try Posix.status(of: descriptor)
      // The checkpoints are valid only for the file as it was.
      guard Origin(status) == origin else { throw POSIXError(.ESTALE) }
      status.size = checkpoints.unpackedBytes
      return status
    }
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
    guard offset < checkpoints.unpackedBytes else { return 0 }
    let wanted = Int(min(UInt64(buffer.count), checkpoints.unpackedBytes - offset))
    let cursor = try cursor(at: offset)
    var count = 0
    while count < wanted {
      let more = try cursor.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count..<wanted]))
      guard more > 0 else { break }
      count += more
    }
    cursors.withLock { cursors in
      cursors.append(cursor)
      if cursors.count > Self.cursorLimit { cursors.removeFirst() }
    }
    return count
  }

  /// A cursor at an offset: one that is already there, or one that skips ahead to it.
  private func cursor(at offset: UInt64) throws -> GzipCursor {
    guard let point = checkpoints.point(before: offset) else { throw POSIXError(.EIO) }
    let near = cursors.withLock { cursors -> GzipCursor? in
      let places = cursors.indices.filter { point.unpacked...offset ~= cursors[$0].position }
      return places.max { cursors[$0].position < cursors[$1].position }.map { cursors.remove(at: $0) }
    }
    let cursor = try near ?? GzipCursor(at: point, of: descriptor)
    guard cursor.position < offset else { return cursor }
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { room.deallocate() }
    while cursor.position < offset {
      let left = Int(min(UInt64(room.count), offset - cursor.position))
      guard try cursor.read(into: UnsafeMutableRawBufferPointer(rebasing: room[..<left])) > 0 else {
        throw POSIXError(.EIO)
      }
    }
    return cursor
  }
}
