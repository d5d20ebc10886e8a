import Codecs
import Foundation
import Platform

/// The lock that keeps imports into one store apart: an import cannot see what another is about to write.
///
/// It is held on an empty file beside the store, which goes with it. Only those who may write to the store can open that
/// file, or a reader could hold up imports for ever. Where none can be made there, or it is somebody else's, the lock is on
/// a file in a folder of the user, which keeps only the imports of that user apart. The system releases it however the
/// process ends. Without either place, and on a file system without locks, imports run unlocked.
struct ImportLock {
  /// The time between two attempts at a lock that another process has.
  private static let pace = Duration.milliseconds(50)

  private let descriptor: Int32
  private let path: String

  /// Takes the lock of a store, however long another import has it.
  ///
  /// - Parameters:
  ///   - store: The metrics file, which need not exist.
  ///   - folder: Where the lock files of this user are, created if missing; empty for none.
  ///   - stop: Raised to stop waiting.
  ///   - wait: Called once if another import has it.
  /// - Returns: `nil` if there is nothing to lock.
  /// - Throws: `CancellationError` when it was stopped while waiting.
  static func take(
    for store: String, in folder: String, stop: WakeSignal, whenTaken wait: () -> Void
  ) async throws -> ImportLock? {
    let place = Posix.place(of: store)
    var hasWaited = false
    for path in [PathParts.sibling(of: place) { ".\($0).importing" }, Self.path(for: place, in: folder)] {
      guard let path else { continue }
      do throws(FileFailure) {
        while true {
          if let descriptor = try open(path, for: Posix.status(at: place)) {
            return ImportLock(descriptor: descriptor, path: path)
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

  /// - Parameter store: The store, if there is one.
  /// - Returns: `nil` if another import has the lock.
  private static func open(_ path: String, for store: FileStatus?) throws(FileFailure) -> Int32? {
    let owner = store?.owner ?? geteuid()
    let isShared = (store?.permissions ?? 0) & 0o022 != 0
    let mayUse = { (status: FileStatus) in
      isShared || (status.permissions & 0o077 == 0 && [0, owner, geteuid()].contains(status.owner))
    }
    // What a reader of the store could hold is no import's, or one of an older version's.
    if let found = Posix.status(ofName: path), found.kind == .regular, !mayUse(found) {
      try Posix.remove(path)
    }
    let descriptor = try Posix.openAlone(
      path, .reading, permissions: isShared ? 0o644 : 0o600, with: .system, mayUse: mayUse)
    // For the imports of its owner.
    if let descriptor, geteuid() == 0, owner != 0 { Posix.setOwner(owner, of: descriptor) }
    return descriptor
  }

  /// Lets the next import have it.
  func release() {
    Posix.unlink(path)
    Posix.close(descriptor)
  }

  /// The same for every spelling of a path and every link to the store; `nil` where it cannot be.
  private static func path(for place: String, in folder: String) -> String? {
    guard !folder.isEmpty else { return nil }
    let name = Array(place.utf8).withUnsafeBytes { ContentHash.of($0) }
    let path = PathParts.join(folder, String(name, radix: 16) + ".lock")
    return (try? Posix.createFolder(of: path, permissions: 0o700)) == nil ? nil : path
  }
}
