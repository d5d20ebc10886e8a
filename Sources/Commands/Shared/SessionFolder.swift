package import Essentials
package import Platform

/// The folder of a session's store, removed with the session; after the death of both session and guard, by the next one.
package struct SessionFolder {
  private static let prefix = "mistertop-demo-"
  /// Its lock is held as long as the session lives: a process number means nothing in another container.
  private static let lockName = ".session"

  package let folder: URL
  /// An account that may rename the folder could put another of this user's in its place.
  private let identity: FileIdentity?
  /// Open as long as the session lives.
  private let lock: Int32

  /// Makes the folder of a process: new, under an unpredictable name, and only for its owner.
  ///
  /// - Throws: `FileFailure`; an existing folder is never used, nor a parent in which others may rename it.
  package static func make(process: Int32, in parent: URL) throws(FileFailure) -> SessionFolder {
    guard keepsNames(parent) else { throw FileFailure(.useOpenFolder(parent.path), number: EACCES) }
    let folder = parent.appendingPathComponent(try OpenFolder(parent.path).makeFolder(prefix + "\(process)-"))
    let path = folder.appendingPathComponent(lockName).path
    guard let lock = try Posix.openAlone(path, permissions: 0o600, with: .system) else {
      throw FileFailure(.lock, number: EWOULDBLOCK)
    }
    return SessionFolder(folder: folder, identity: Posix.status(ofName: folder.path)?.identity, lock: lock)
  }

  /// True if no one but root may rename what is not his in a folder, as far as its permissions tell.
  private static func keepsNames(_ folder: URL) -> Bool {
    guard let status = Posix.status(at: folder.path) else { return true }
    guard [0, geteuid()].contains(status.owner) else { return false }
    let isSticky = status.permissions & 0o1000 != 0
    // Where each account has a group of its own, it has the account's number, and no one else is in it.
    let isOwnGroup = status.owner == geteuid() && Posix.group(at: folder.path) == geteuid()
    return isSticky || status.permissions & (isOwnGroup ? 0o002 : 0o022) == 0
  }

  /// Removes it with what is in it, but no other folder that has its name; the session has ended then.
  package func remove() {
    if let identity, let parent = try? OpenFolder(folder.deletingLastPathComponent().path) {
      parent.removeFolder(folder.lastPathComponent, if: identity)
    }
    close()
  }

  /// Ends the session and leaves the folder.
  package func close() { Posix.close(lock) }

  /// Removes the folders of this user's sessions that have ended.
  package static func removeStale(in parent: URL, now: Timestamp) {
    guard keepsNames(parent), let folder = try? OpenFolder(parent.path) else { return }
    for name in (try? Posix.names(in: parent.path)) ?? [] where name.hasPrefix(prefix) {
      let digits = name.dropFirst(prefix.count).prefix { $0 != "-" }
      guard let process = Int32(digits), process > 0, kill(process, 0) != 0, errno == ESRCH else { continue }
      if let found = folder.abandoned(name, lock: lockName, now: now) { folder.removeFolder(name, if: found) }
    }
  }
}
