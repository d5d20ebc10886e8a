import Codecs
import Essentials
import Platform

/// The lock that lets one import at a time write to a store: an import cannot see what another is about to write.
///
/// The lock is held on an empty file beside the store and released by the system however the process ends; the file is
/// removed with it. Only accounts that may write to the store can open that file; otherwise a reader could block
/// imports forever. If the file cannot be created there, the lock is on a file in a folder of the user and excludes
/// only that user's imports. Without either, and on a file system without locks, imports run unlocked.
struct ImportLock {
  /// The time between two attempts to take a lock that another process holds.
  private static let pace = Duration.milliseconds(50)

  private let descriptor: Int32
  private let path: String
  /// The store, if this import created it.
  private let madeStore: String?

  /// Takes the lock of a store, and waits as long as another import holds it.
  ///
  /// - Parameters:
  ///   - store: The metrics file, created if missing.
  ///   - folder: The folder of this user's lock files, created if missing; empty for none.
  ///   - stop: Raised to stop waiting.
  ///   - wait: Called once if another import holds the lock.
  /// - Returns: `nil` if no lock is available.
  /// - Throws: `CancellationError` if it is stopped while waiting.
  static func take(
    for store: String, in folder: String, stop: WakeSignal, whenTaken wait: () -> Void
  ) async throws -> ImportLock? {
    // Created first, because its owner decides who may hold the lock. A failure is reported when the store is written.
    let made = Posix.status(at: store) == nil ? makeStore(store) : nil
    let place = Posix.place(of: store)
    var hasWaited = false
    let beside = PathParts.sibling(of: place) { ".\($0).importing" }
    for path in [beside, Self.path(for: place, in: folder)] {
      guard let path else { continue }
      do throws(FileFailure) {
        while true {
          if let descriptor = try open(path, for: path == beside ? Writers(of: place) : Writers()) {
            return ImportLock(descriptor: descriptor, path: path, madeStore: made)
          }
          if !hasWaited { wait() }
          hasWaited = true
          if stop.isRaised { break }
          try? await Task.sleep(for: pace)
        }
      } catch { continue }
      throw CancellationError()
    }
    return nil
  }

  /// - Returns: `nil` if another import holds the lock.
  private static func open(_ path: String, for writers: Writers) throws(FileFailure) -> Int32? {
    // Another process may remove the file between two calls.
    for _ in 0..<8 {
      let descriptor: Int32
      do throws(FileFailure) { descriptor = try Posix.openRegular(path) } catch {
        if error.number == EACCES, let found = Posix.status(ofName: path), !writers.mayUse(found, group: nil)
        {
          try Posix.remove(path)
        } else {
          guard error.number == ENOENT else { throw error }
          try make(path, for: writers)
        }
        continue
      }
      do throws(FileFailure) {
        let status = try Posix.status(of: descriptor)
        let mayUse = writers.mayUse(status, group: Posix.group(of: descriptor))
        if mayUse, try !Posix.lock(descriptor, wait: .zero) {
          Posix.close(descriptor)
          return nil
        }
        // The previous holder may have removed the file between opening and locking.
        if mayUse, Posix.status(ofName: path)?.identity == status.identity { return descriptor }
        if !mayUse { try Posix.remove(path) }
      } catch {
        Posix.close(descriptor)
        throw error
      }
      Posix.close(descriptor)
    }
    throw FileFailure(.open(path), number: EAGAIN)
  }

  /// Creates the file under a temporary name first, so that it never exists with the wrong owner.
  private static func make(_ path: String, for writers: Writers) throws(FileFailure) {
    ReplacementFile.removeLeftovers(of: path)
    let file = try ReplacementFile(for: path)
    if geteuid() == 0 { Posix.setOwner(writers.owner, of: file.descriptor) }
    let hasGroup = writers.group.map { Posix.setGroup($0, of: file.descriptor) } ?? true
    Posix.setPermissions(
      hasGroup || writers.isEverybody ? writers.permissions : 0o600, of: file.descriptor)
    do { try file.putInFreePlace() } catch { guard error.number == EEXIST else { throw error } }
  }

  /// Releases the lock, and removes a store that was created for it if it is still empty.
  func release() {
    if let madeStore { removeEmpty(madeStore) }
    Posix.unlink(path)
    Posix.close(descriptor)
  }

  private func removeEmpty(_ store: String) {
    guard let file = try? Posix.openRegular(store, .appending) else { return }
    defer { Posix.close(file) }
    var lock = WriterLock(path: store)
    defer { lock.close() }
    // Writers that wait for this lock notice that the file has been unlinked.
    guard (try? lock.take(with: file, for: .replacing, wait: .zero)) == true else { return }
    let status = try? Posix.status(of: file)
    guard status?.size == 0, status?.identity == Posix.status(ofName: store)?.identity else { return }
    Posix.unlink(store)
    Posix.unlink(WriterLock.place(for: store))
  }

  private static func makeStore(_ path: String) -> String? {
    guard let place = try? Posix.trustedEntry(of: path), (try? Posix.createFolder(of: place)) != nil,
      let made = try? Posix.openRegular(place, .appending, creating: 0o644)
    else { return nil }
    Posix.close(made)
    return place
  }

  /// The path of a lock file for the resolved path of a store; `nil` if the folder cannot be created.
  private static func path(for place: String, in folder: String) -> String? {
    guard !folder.isEmpty else { return nil }
    let name = Array(place.utf8).withUnsafeBytes { ContentHash.of($0) }
    let path = PathParts.join(folder, String(name, radix: 16) + ".lock")
    return (try? Posix.createFolder(of: path, permissions: 0o700)) == nil ? nil : path
  }
}

/// The users that may write to a store, and so may open its import lock.
private struct Writers {
  let owner: UInt32
  /// `nil` if only the owner may write to the store.
  let group: UInt32?
  /// The permissions of the lock file.
  let permissions: UInt32

  var isEverybody: Bool { permissions & 0o006 != 0 }

  /// Only the current user.
  init() {
    (owner, group, permissions) = (geteuid(), nil, 0o600)
  }

  init(of store: String) {
    let status = Posix.status(at: store)
    let shared = (status?.permissions ?? 0) & 0o022
    owner = status?.owner ?? geteuid()
    group = shared == 0 ? nil : Posix.group(at: store)
    permissions = 0o600 | shared | shared << 1
  }

  /// True if a lock file cannot be opened by anyone but these users.
  func mayUse(_ lock: FileStatus, group: UInt32?) -> Bool {
    let others = lock.permissions & 0o066
    guard lock.kind == .regular, others & ~permissions == 0 else { return false }
    if isEverybody { return true }
    let isGroups = self.group != nil && group == self.group
    if others & 0o060 != 0 { return isGroups }
    return lock.owner == owner || (self.group != nil && (isGroups || [0, geteuid()].contains(lock.owner)))
  }
}
