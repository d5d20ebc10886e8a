import CAttributes
import Essentials

/// An open folder, whose operations stay in it even if its path is renamed or replaced.
///
/// No operation follows a symbolic link with the given name.
package final class OpenFolder: Sendable {
  /// The path by which it was opened, for messages.
  package let path: String
  private let descriptor: Int32

  /// Opens a folder, which requires only the permission to enter it.
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

  /// Opens a folder of this user alone, and creates it and its parents if missing.
  ///
  /// - Returns: The folder, by its path without links, and the folders created for it, outermost first.
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

  /// The path of an entry, for messages.
  package func path(of name: String) -> String { PathParts.join(path, name) }

  /// Opens an entry with flags of `open(2)`, without following a link or waiting for a FIFO.
  package func open(_ name: String, flags: Int32, permissions: UInt32 = 0) throws(FileFailure) -> Int32 {
    let safe = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let opened = Posix.retrying {
      openat(descriptor, name, flags | safe, mode_t(truncatingIfNeeded: permissions))
    }
    guard opened >= 0 else { throw FileFailure(.open(path(of: name))) }
    return opened
  }

  /// Sets its permissions, if the process is allowed to.
  package func setPermissions(_ permissions: UInt32) {
    Posix.setPermissions(permissions, of: descriptor)
  }

  /// The status of an entry itself, even of a link; `nil` if there is none.
  package func status(of name: String) -> FileStatus? {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return FileStatus(status)
  }

  /// Renames a file, replacing the target if it exists.
  package func rename(_ source: String, to target: String) throws(FileFailure) {
    guard renameat(descriptor, source, descriptor, target) == 0 else {
      throw FileFailure(.rename(path(of: source), to: path(of: target)))
    }
  }

  /// Atomically exchanges the names of two files.
  ///
  /// - Throws: `EINVAL`, `ENOSYS` or `ENOTSUP` if the file system cannot do that.
  func exchange(_ left: String, _ right: String) throws(FileFailure) {
    guard exchange_names(descriptor, left, right) == 0 else {
      throw FileFailure(.rename(path(of: left), to: path(of: right)))
    }
  }

  /// Gives a file a second name.
  ///
  /// - Throws: `.other(EEXIST)` if the name is in use.
  package func link(_ source: String, as target: String) throws(FileFailure) {
    guard linkat(descriptor, source, descriptor, target, 0) == 0 else { throw .last }
  }

  /// Removes an entry that is not a folder; a missing one counts as removed.
  package func remove(_ name: String) throws(FileFailure) {
    guard unlinkat(descriptor, name, 0) != 0, errno != ENOENT else { return }
    throw FileFailure(.remove(path(of: name)))
  }

  /// Creates a folder for this user alone, with a unique name that starts with the prefix.
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

  /// Removes a folder of this user with all its contents; links are removed, not followed.
  ///
  /// Anything that cannot be removed stays, and so does a folder of another user.
  ///
  /// - Parameter identity: The expected folder: an account that may rename it could put another of this user's in its
  ///   place.
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

  /// True if a file is this user's, no process holds its lock, and it was not written to for a minute: on a file system
  /// without locks, every process seems to hold it.
  package func isAbandoned(_ name: String, now: Timestamp = .now()) -> Bool {
    guard let file = try? open(name, flags: O_RDONLY) else { return false }
    defer { Posix.close(file) }
    guard let status = try? Posix.status(of: file), status.kind == .regular, status.owner == geteuid(),
      Double(status.modified) / 1e9 < now.unixSeconds - 60
    else { return false }
    return (try? Posix.lock(file, wait: .zero)) == true
  }

  /// The identity of the folder with a name, if it belongs to this user alone and a file in it is abandoned.
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
    /// `O_PATH`, which Swift does not import.
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
