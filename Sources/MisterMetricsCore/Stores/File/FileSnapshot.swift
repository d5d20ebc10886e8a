import Platform

/// The files of a store at one point in time, held open, so that rotation or compaction does not affect a reader.
final class FileSnapshot: Sendable {
  /// One file, up to the size it has in the snapshot; parts are ordered oldest first.
  struct Part: Sendable {
    let descriptor: Int32
    let size: Int
  }

  let parts: [Part]

  /// Opens the existing files; none for a store without a file.
  init(path: String) throws(FileFailure) {
    var lock = WriterLock(path: path)
    defer { lock.close() }
    while true {
      guard let current = try Self.open(path) else {
        parts = try Self.numbered(path)
        return
      }
      do throws(FileFailure) {
        // Under the lock, no rotation is in progress and every line in the file is complete.
        _ = try lock.take(with: current, for: .reading)
        let status = try Posix.status(of: current)
        if Posix.status(at: path)?.identity == status.identity {
          parts = try Self.numbered(path) + [Part(descriptor: current, size: Int(clamping: status.size))]
          lock.giveBack(current)
          return
        }
      } catch {
        Posix.close(current)
        throw error
      }
      Posix.close(current)
    }
  }

  deinit {
    for part in parts { Posix.close(part.descriptor) }
  }

  /// - Returns: `nil` if the file does not exist.
  private static func open(_ path: String) throws(FileFailure) -> Int32? {
    do { return try Posix.open(path) } catch {
      guard error == .missing else { throw error }
      return nil
    }
  }

  private static func numbered(_ path: String) throws(FileFailure) -> [Part] {
    var parts: [Part] = []
    for name in NumberedFiles(path: path).existing.reversed() {
      guard let descriptor = try open(name) else { continue }
      parts.append(Part(descriptor: descriptor, size: Int(clamping: try Posix.status(of: descriptor).size)))
    }
    return parts
  }
}
