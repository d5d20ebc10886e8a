package import Foundation
package import Platform

/// The folder of a session's store, removed with the session; after the death of both session and guard, by the next one.
package enum SessionFolder {
  private static let prefix = "mistertop-demo-"
  /// Its lock is held as long as the session lives: a process number says nothing in another container.
  private static let lockName = ".session"

  /// Makes the folder of a process: new, under a name that nobody can foresee, and for its owner alone.
  ///
  /// - Returns: The folder, and the descriptor that tells that the session lives, to be closed at its end.
  /// - Throws: `FileFailure`; what has been there is never used, nor a parent in which anybody may rename what is not his.
  package static func make(process: Int32, in parent: URL) throws(FileFailure) -> (folder: URL, lock: Int32) {
    if let status = Posix.status(at: parent.path), status.permissions & 0o1002 == 0o002 {
      throw FileFailure(.useOpenFolder(parent.path), number: EACCES)
    }
    let folder = parent.appendingPathComponent(try OpenFolder(parent.path).makeFolder(prefix + "\(process)-"))
    let path = folder.appendingPathComponent(lockName).path
    guard let lock = try Posix.openAlone(path, permissions: 0o600, with: .system) else {
      throw FileFailure(.lock, number: EWOULDBLOCK)
    }
    return (folder, lock)
  }

  /// Removes it with what is in it; nothing if another folder has its name.
  ///
  /// - Parameter lock: What ``make(process:in:)`` has opened.
  package static func remove(_ folder: URL, lock: Int32) {
    guard let parent = try? OpenFolder(folder.deletingLastPathComponent().path),
      let identity = (try? Posix.status(of: lock))?.identity
    else { return }
    parent.removeFolder(folder.lastPathComponent, with: (lockName, identity))
  }

  /// Removes the folders of this user's sessions that have ended.
  package static func removeStale(in parent: URL, now: Timestamp) {
    guard let folder = try? OpenFolder(parent.path) else { return }
    for name in (try? Posix.names(in: parent.path)) ?? [] where name.hasPrefix(prefix) {
      let digits = name.dropFirst(prefix.count).prefix { $0 != "-" }
      guard let process = Int32(digits), process > 0, kill(process, 0) != 0, errno == ESRCH else { continue }
      if folder.isAbandoned(name, lock: lockName, now: now) { folder.removeFolder(name) }
    }
  }
}
