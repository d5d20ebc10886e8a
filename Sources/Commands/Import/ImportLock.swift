import Codecs
import Essentials
import Platform

/// The lock that lets one import at a time write to a store: an import cannot see what another is about to write.
///
/// It is held on an empty file beside the store, which is removed with it. Only accounts that may write to the store can open
/// that file, or a reader could block imports for ever. If it cannot be made there, the lock is on a file in a folder of the
/// user, which separates only that user's imports. The system releases it however the process ends. Without either place,
/// and on a file system without locks, imports run unlocked.
struct ImportLock {
  /// The time between two attempts at a lock that another process has.
  private static let pace = Duration.milliseconds(50)

  private let descriptor: Int32
  private let path: String
  /// The store, if there was none.
  private let madeStore: String?

  /// Takes the lock of a store, however long another import has it.
  ///
  /// - Parameters:
  ///   - store: The metrics file, made if missing.
  ///   - folder: Where the lock files of this user are, created if missing; empty for none.
  ///   - stop: Raised to stop waiting.
  ///   - wait: Called once if another import has it.
  /// - Returns: `nil` if there is nothing to lock.
  /// - Throws: `CancellationError` when it was stopped while waiting.
  static func take(
    for store: String, in folder: String, stop: WakeSignal, whenTaken wait: () -> Void
  ) async throws -> ImportLock? {
    // Its owner decides who may hold its lock; a store that cannot be made is reported when it is written to.
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

  /// - Returns: `nil` if another import has the lock.
  private static func open(_ path: String, for writers: Writers) throws(FileFailure) -> Int32? {
    // Others may remove it between two calls.
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
        // Between opening and locking, the previous holder may have removed it.
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

  /// Completes it under another name first, so that it never has the wrong owner.
  private static func make(_ path: String, for writers: Writers) throws(FileFailure) {
    ReplacementFile.removeLeftovers(of: path)
    let file = try ReplacementFile(for: path)
    if geteuid() == 0 { Posix.setOwner(writers.owner, of: file.descriptor) }
    let hasGroup = writers.group.map { Posix.setGroup($0, of: file.descriptor) } ?? true
    Posix.setPermissions(
      hasGroup || writers.isEverybody ? writers.permissions : 0o600, of: file.descriptor)
    do { try file.putInFreePlace() } catch { guard error.number == EEXIST else { throw error } }
  }

  /// Lets the next import have it; a store that was made for it goes if it is empty.
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
    // Writers that wait for it see that the name is gone.
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

  /// The same for every spelling of a path and every symbolic link to the store; `nil` where it cannot be.
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
  /// `nil` for a store of its owner alone.
  let group: UInt32?
  /// Of the lock.
  let permissions: UInt32

  var isEverybody: Bool { permissions & 0o006 != 0 }

  /// This user alone.
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

  /// True if no one else can open a lock.
  func mayUse(_ lock: FileStatus, group: UInt32?) -> Bool {
    let others = lock.permissions & 0o066
    guard lock.kind == .regular, others & ~permissions == 0 else { return false }
    if isEverybody { return true }
    let isGroups = self.group != nil && group == self.group
    if others & 0o060 != 0 { return isGroups }
    return lock.owner == owner || (self.group != nil && (isGroups || [0, geteuid()].contains(lock.owner)))
  }
}
