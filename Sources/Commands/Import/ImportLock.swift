import Codecs
import Foundation
import History
import Platform

/// The lock that keeps imports into one store apart: an import cannot see what another is about to write.
///
/// It is held on an empty file that represents the store, in a folder of the user: the system releases it however the
/// process ends. Without such a folder, and on a file system without locks, imports run unlocked.
struct ImportLock {
  /// The time between two attempts at a lock that another process has.
  private static let pace = Duration.milliseconds(50)

  private let descriptor: Int32

  /// Takes the lock of a store, however long another import has it.
  ///
  /// - Parameters:
  ///   - store: The metrics file, which need not exist.
  ///   - folder: Where the lock files are, created if missing; empty for none.
  ///   - stop: Raised to stop waiting.
  ///   - wait: Called once if another import has it.
  /// - Returns: `nil` if there is nothing to lock.
  /// - Throws: `CancellationError` when it was stopped while waiting.
  static func take(
    for store: String, in folder: String, stop: WakeSignal, whenTaken wait: () -> Void
  ) async throws -> ImportLock? {
    guard !folder.isEmpty else { return nil }
    let descriptor: Int32
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let path = folder + "/" + name(for: store)
      descriptor = try Posix.openOrCreate(path, permissions: 0o600)
    } catch {
      return nil
    }
    let lock = ImportLock(descriptor: descriptor)
    do {
      var hasWaited = false
      while try !Posix.lock(descriptor, wait: .zero) {
        if !hasWaited { wait() }
        hasWaited = true
        if stop.isRaised { throw CancellationError() }
        try await Task.sleep(for: pace)
      }
      return lock
    } catch {
      lock.release()
      if error is CancellationError { throw error }
      return nil
    }
  }

  /// Lets the next import have it.
  func release() {
    Posix.close(descriptor)
  }

  /// The same for every spelling of a path and every link to the store.
  private static func name(for store: String) -> String {
    let place = Array(Posix.place(of: store).utf8)
    return String(place.withUnsafeBytes { ContentHash.of($0) }, radix: 16) + ".lock"
  }
}
