import CAttributes
import Essentials

/// An open folder, whose operations stay in it even if its path is renamed or replaced.
///
/// No operation follows a symbolic link of the name that it is given.
package final class OpenFolder: Sendable {
  /// The path by which it was opened, for messages.
  package let path: String
  private let descriptor: Int32

  /// Opens a folder, for which the permission to enter it is enough.
  package init(_ path: String) throws(FileFailure) {
    self.path = path
    do {
      descriptor = try Posix.open(path, flags: O_RDONLY | O_DIRECTORY)
    } catch {
      guard error.number == EACCES else { throw FileFailure(.openFolder(path), number: error.number) }
      do { descriptor = try Posix.open(path, flags: Self.entering | O_DIRECTORY) } catch {
        throw FileFailure(.openFolder(path), number: error.number)
      }
    }
  }

  /// Opens a folder of this user alone, making it, and those above it, where it is missing.
  ///
  /// - Returns: The folder, by its path without links, and what was made for it, the uppermost first.
  /// - Throws: `EACCES` for a folder, or a link to one, of another account.
  package static func own(_ path: String) throws(FileFailure) -> (folder: OpenFolder, made: [String]) {
    let place = try Posix.trustedEntry(of: path)
    let made = try Posix.createFolder(of: PathParts.join(place, "."), permissions: 0o700)
    let descriptor = try Posix.open(place, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    let folder = OpenFolder(place, descriptor)
    guard folder.isOurs else { throw FileFailure(.useFolder(place), number: EACCES) }
    folder.setPermissions(0o700)
    return (folder, made)
  }

  deinit { Posix.close(descriptor) }

  /// The path of a name in it, for messages.
  package func path(of name: String) -> String { PathParts.join(path, name) }

  /// Opens a name with flags of `open(2)`; neither a link is followed nor a FIFO waited for.
  package func open(_ name: String, flags: Int32, permissions: UInt32 = 0) throws(FileFailure) -> Int32 {
    let safe = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let opened = Posix.retrying {
      openat(descriptor, name, flags | safe, mode_t(truncatingIfNeeded: permissions))
    }
    guard opened >= 0 else { throw FileFailure(.open(path(of: name))) }
    return opened
  }

  /// Sets its permissions, if the process may do so.
  package func setPermissions(_ permissions: UInt32) {
    Posix.setPermissions(permissions, of: descriptor)
  }

  /// How what has the name looks, be it a link; `nil` if nothing has it.
  package func status(of name: String) -> FileStatus? {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return FileStatus(status)
  }

  /// Renames a file, replacing anything that has the other name.
  package func rename(_ source: String, to target: String) throws(FileFailure) {
    guard renameat(descriptor, source, descriptor, target) == 0 else {
      throw FileFailure(.rename(path(of: source), to: path(of: target)))
    }
  }

  /// Has two files change their names, at once.
  ///
  /// - Throws: With `EINVAL`, `ENOSYS` or `ENOTSUP` on a file system that cannot do that.
  func exchange(_ left: String, _ right: String) throws(FileFailure) {
    guard exchange_names(descriptor, left, right) == 0 else {
      throw FileFailure(.rename(path(of: left), to: path(of: right)))
    }
  }

  /// Gives a file a second name.
  ///
  /// - Throws: `.other(EEXIST)` if something has it.
  package func link(_ source: String, as target: String) throws(FileFailure) {
    guard linkat(descriptor, source, descriptor, target, 0) == 0 else { throw .last }
  }

  /// Removes a name that is not a folder's; a missing one counts as removed.
  package func remove(_ name: String) throws(FileFailure) {
    guard unlinkat(descriptor, name, 0) != 0, errno != ENOENT else { return }
    throw FileFailure(.remove(path(of: name)))
  }

  /// Makes a folder for this user alone, whose name begins like this and that nothing had before.
  ///
  /// - Returns: Its name.
  package func makeFolder(_ prefix: String) throws(FileFailure) -> String {
    for _ in 1...100 {
      let name = prefix + RandomName.letters(8)
      if mkdirat(descriptor, name, 0o700) == 0 { return name }
      guard errno == EEXIST else { break }
    }
    throw FileFailure(.createFolder(of: path(of: prefix)))
  }

  /// Removes a folder of this user with all that is in it; links are removed, not followed.
  ///
  /// Anything that cannot be removed stays, and so does a folder of others.
  ///
  /// - Parameter identity: The expected folder: an account that may rename it could put another of this user's in its place.
  package func removeFolder(_ name: String, if identity: FileIdentity) {
    guard let folder = try? OpenFolder(name, in: self), folder.isOurs,
      (try? Posix.status(of: folder.descriptor))?.identity == identity
    else { return }
    folder.removeContents()
    _ = unlinkat(descriptor, name, AT_REMOVEDIR)
  }

  private func removeContents() {
    for name in names() where unlinkat(descriptor, name, 0) != 0 {
      guard let folder = try? OpenFolder(name, in: self), folder.isOurs else { continue }
      folder.removeContents()
      _ = unlinkat(descriptor, name, AT_REMOVEDIR)
    }
  }

  /// True if a file is this user's, no process has its lock, and it was not written to for a minute: on a file system
  /// without locks every process seems to have it.
  package func isAbandoned(_ name: String, now: Timestamp = .now()) -> Bool {
    guard let file = try? open(name, flags: O_RDONLY) else { return false }
    defer { Posix.close(file) }
    guard let status = try? Posix.status(of: file), status.kind == .regular, status.owner == geteuid(),
      Double(status.modified) / 1e9 < now.unixSeconds - 60
    else { return false }
    return (try? Posix.lock(file, wait: .zero)) == true
  }

  /// Which folder has a name, if it is this user's alone and a file in it is abandoned.
  package func abandoned(_ name: String, lock: String, now: Timestamp) -> FileIdentity? {
    guard let folder = try? OpenFolder(name, in: self), folder.isOurs,
      let status = try? Posix.status(of: folder.descriptor), status.permissions == 0o700,
      folder.isAbandoned(lock, now: now)
    else { return nil }
    return status.identity
  }

  private convenience init(_ name: String, in parent: OpenFolder) throws(FileFailure) {
    let descriptor = try parent.open(name, flags: O_RDONLY | O_DIRECTORY)
    self.init(parent.path(of: name), descriptor)
  }

  private init(_ path: String, _ descriptor: Int32) {
    (self.path, self.descriptor) = (path, descriptor)
  }

  private var isOurs: Bool { (try? Posix.status(of: descriptor))?.owner == geteuid() }

  private func names() -> [String] {
    guard let copy = try? Posix.duplicate(descriptor) else { return [] }
    guard let stream = fdopendir(copy) else {
      Posix.close(copy)
      return []
    }
    return Posix.names(in: stream)
  }

  /// Makes its entries durable.
  package func sync(
    with call: (Int32) -> Int32 = FileOperations.system.syncFolder
  ) throws(FileFailure) {
    do { try Posix.sync(descriptor, path: path, with: call) } catch {
      throw FileFailure(.syncFolder(path), number: error.number)
    }
  }

  #if os(Linux)
    /// `O_PATH`, which is not imported.
    static let entering: Int32 = 0o10000000
  #else
    static let entering: Int32 = O_SEARCH
  #endif
}

/// Unpredictable names.
enum RandomName {
  private static let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")

  /// Letters and digits from the system's random source.
  static func letters(_ count: Int) -> String {
    String((0..<count).compactMap { _ in letters.randomElement() })
  }
}
