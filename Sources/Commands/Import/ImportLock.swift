import Foundation
import History
import Platform

/// Keeps imports into one store apart: what one of them is about to write is not held yet when another one looks.
///
/// It is the lock of an empty file that stands for the store, in a folder of the person's own: the system opens it however
/// its process ends. Where there is no such file, and on a file system without locks, imports go without.
struct ImportLock {
  /// How often a lock that another process has is tried.
  private static let pace = Duration.milliseconds(50)

  private let descriptor: Int32

  /// Takes the lock of a store, however long another import has it.
  ///
  /// - Parameters:
  ///   - store: The metrics file, which need not be there.
  ///   - folder: Where the files stand; made if it is missing, and empty where there is none.
  ///   - stop: Raised to wait no longer.
  ///   - wait: Called once if another import has it.
  /// - Returns: nil where there is nothing to lock.
  /// - Throws: `CancellationError` when it was stopped while it waited.
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
      while try !Posix.lock(descriptor, waits: false) {
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

  /// Whatever a path is written like, and whatever links it goes by, one store has one name.
  private static func name(for store: String) -> String {
    let place = Array(Posix.place(of: store).utf8)
    return String(place.withUnsafeBytes { ContentHash.of($0) }, radix: 16) + ".lock"
  }
}
