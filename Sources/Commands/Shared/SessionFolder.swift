package import Essentials
package import Platform

/// The folder of a session's store.
///
/// It is removed with the session; if session and guard die, by the next session.
package struct SessionFolder {
  private static let prefix = "mistertop-demo-"
  /// A file that is locked while the session lives; a process number would be meaningless in another container.
  private static let lockName = ".session"

  package let folder: URL
  /// Checked before removal: an account that may rename the folder could put another folder of this user in its place.
  private let identity: FileIdentity?
  /// Open as long as the session lives.
  private let lock: Int32

  /// Creates the folder for a process: new, with an unpredictable name, accessible only to its owner.
  ///
  /// - Throws: `FileFailure`. Never uses an existing folder, or a parent in which others may rename the new one.
  package static func make(process: Int32, in parent: URL) throws(FileFailure) -> SessionFolder {
    guard keepsNames(parent) else { throw FileFailure(.useOpenFolder(parent.path), number: EACCES) }
    let folder = parent.appendingPathComponent(try OpenFolder(parent.path).makeFolder(prefix + "\(process)-"))
    let path = folder.appendingPathComponent(lockName).path
    guard let lock = try Posix.openAlone(path, permissions: 0o600, with: .system) else {
      throw FileFailure(.lock, number: EWOULDBLOCK)
    }
    return SessionFolder(folder: folder, identity: Posix.status(ofName: folder.path)?.identity, lock: lock)
  }

  /// True if only root may rename other accounts' entries of a folder, judging by its permissions.
  private static func keepsNames(_ folder: URL) -> Bool {
    guard let status = Posix.status(at: folder.path) else { return true }
    guard [0, geteuid()].contains(status.owner) else { return false }
    let isSticky = status.permissions & 0o1000 != 0
    // A group whose number is that of the account is private to the account.
    let isOwnGroup = status.owner == geteuid() && Posix.group(at: folder.path) == geteuid()
    return isSticky || status.permissions & (isOwnGroup ? 0o002 : 0o022) == 0
  }

  /// Ends the session and removes the folder with its contents, but no other folder that has taken its name.
  package func remove() {
    if let identity, let parent = try? OpenFolder(folder.deletingLastPathComponent().path) {
      parent.removeFolder(folder.lastPathComponent, if: identity)
    }
    close()
  }

  /// Ends the session but keeps the folder.
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
