import Foundation
import JSONLines
package import Platform

/// The effects of a writer, a rotation and other events on files, in memory or on the real file system.
package protocol ActionFiles: AnyObject {
  /// A file that a writer holds open, whatever happens to its name.
  associatedtype Held
  /// Opens a file for appending, created if missing; `nil` if that is not possible.
  func hold(_ path: String) -> Held?
  func append(_ bytes: [UInt8], to file: Held)
  func truncate(_ file: Held, to size: Int)
  func content(of file: Held) -> [UInt8]
  /// The number of names that the file still has.
  func names(of file: Held) -> Int

  /// The kind of file at a path; `nil` if nothing exists there.
  func kind(_ path: String) -> FileKind?
  /// True if the path is a symbolic link.
  func isLink(_ path: String) -> Bool
  func content(_ path: String) -> [UInt8]
  func move(_ old: String, _ new: String)
  func delete(_ path: String)
  func duplicate(_ old: String, _ new: String)
  func makeFolder(_ path: String)
  func makeLink(_ path: String, to target: String)
  func setReadable(_ path: String, _ isReadable: Bool)
}

extension MemoryFileSystem: ActionFiles {
  package func hold(_ path: String) -> Inode? { create(path) }
  package func content(of file: Inode) -> [UInt8] { file.bytes }
  package func names(of file: Inode) -> Int { file.links }
  package func kind(_ path: String) -> FileKind? { inode(path)?.kind }
  package func isLink(_ path: String) -> Bool { (try? resolved(path)).map { $0 != path } ?? false }
  package func content(_ path: String) -> [UInt8] { inode(path)?.bytes ?? [] }
  package func move(_ old: String, _ new: String) { rename(old, new) }
  package func delete(_ path: String) { remove(path) }
  package func duplicate(_ old: String, _ new: String) { copy(old, new) }
  package func makeFolder(_ path: String) { makeDirectory(path) }
  package func makeLink(_ path: String, to target: String) { link(path, to: target) }
  package func setReadable(_ path: String, _ isReadable: Bool) { inode(path)?.isReadable = isReadable }
}

/// The real file system, through system calls.
package final class RealActionFiles: ActionFiles {
  /// Closes its descriptor when the last writer releases it.
  package final class Held {
    fileprivate let descriptor: Int32

    fileprivate init?(_ path: String, _ flags: Int32 = O_RDWR | O_APPEND | O_CREAT) {
      var descriptor = open(path, flags | O_CLOEXEC, 0o644)
      var status = stat()
      // A file without permissions is written by a process that opened it earlier; only root could open it now.
      if descriptor < 0, errno == EACCES, stat(path, &status) == 0, chmod(path, 0o600) == 0 {
        descriptor = open(path, flags | O_CLOEXEC)
        chmod(path, status.st_mode & 0o777)
      }
      guard descriptor >= 0 else { return nil }
      self.descriptor = descriptor
    }

    deinit { close(descriptor) }
  }

  package init() {}

  package func hold(_ path: String) -> Held? { Held(path) }

  package func append(_ bytes: [UInt8], to file: Held) {
    _ = write(file.descriptor, bytes, bytes.count)
  }

  package func truncate(_ file: Held, to size: Int) { ftruncate(file.descriptor, off_t(size)) }

  package func content(of file: Held) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(status(of: file)?.st_size ?? 0))
    let count = pread(file.descriptor, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }

  package func names(of file: Held) -> Int { Int(status(of: file)?.st_nlink ?? 0) }

  private func status(of file: Held) -> stat? {
    var status = stat()
    return fstat(file.descriptor, &status) == 0 ? status : nil
  }

  package func kind(_ path: String) -> FileKind? { (try? PosixFileSystem().status(ofPath: path))?.kind }

  package func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  package func content(_ path: String) -> [UInt8] {
    Held(path, O_RDONLY).map(content(of:)) ?? []
  }

  package func move(_ old: String, _ new: String) { rename(old, new) }

  package func delete(_ path: String) {
    if unlink(path) != 0 { rmdir(path) }
  }

  /// Not with Foundation, which would give the copy the modification time of the original.
  package func duplicate(_ old: String, _ new: String) {
    unlink(new)
    if let copy = hold(new) { append(content(old), to: copy) }
  }

  package func makeFolder(_ path: String) { mkdir(path, 0o755) }
  package func makeLink(_ path: String, to target: String) {
    unlink(path)
    symlink(target, path)
  }

  package func setReadable(_ path: String, _ isReadable: Bool) { chmod(path, isReadable ? 0o644 : 0) }
}
