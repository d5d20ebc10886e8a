import CSQLite
import Foundation
import Platform

/// Writes of SQLite that find a full disk, in the thread that asks for it.
enum FullDisk {
  /// The thread, and how many bytes the disk still takes from it.
  private static let state = Locked<(thread: pthread_t, room: Int)?>(nil)

  /// Puts itself before the system call, once for all tests.
  private static let isThere: Bool = {
    guard let system = sqlite3_vfs_find(nil), let set = system.pointee.xSetSystemCall else { return false }
    let write: @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int = {
      descriptor, bytes, count, offset in
      let room = FullDisk.room(for: count)
      guard room > 0 else {
        errno = ENOSPC
        return -1
      }
      return pwrite(descriptor, bytes, room, offset)
    }
    let call = unsafeBitCast(write, to: sqlite3_syscall_ptr.self)
    // Its name depends on how SQLite was built.
    let results = [set(system, "pwrite", call), set(system, "pwrite64", call)]
    return results.contains(SQLITE_OK)
  }()

  private static func room(for count: Int) -> Int {
    state.withLock { state in
      guard let (thread, room) = state, pthread_equal(thread, pthread_self()) != 0 else { return count }
      state = (thread, room - min(room, count))
      return min(room, count)
    }
  }

  /// Does something while the disk takes no more than `room` bytes.
  static func with(room: Int, _ body: () throws -> Void) throws {
    guard isThere else { throw FileFailure(.lock, number: ENOSYS) }
    let thread = pthread_self()
    state.withLock { $0 = (thread, room) }
    defer { state.withLock { $0 = nil } }
    try body()
  }
}
