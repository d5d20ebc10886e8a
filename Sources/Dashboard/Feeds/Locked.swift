#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A value that several threads change, one at a time.
///
/// The standard `Mutex` needs macOS 15; this is the same over `pthread_mutex_t`.
final class Locked<State: Sendable>: @unchecked Sendable {
  // Safe to share: `state` is only touched between lock and unlock, and the mutex has one address for its life.
  private var state: State
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init(_ state: State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  /// Calls `body` with the value while no other thread has it.
  func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}
