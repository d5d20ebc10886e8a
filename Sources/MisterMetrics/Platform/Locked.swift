#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A value behind a lock: the one lock type of this module.
///
/// The standard `Mutex` needs macOS 15, the package supports macOS 13, so this wraps the platform's own lock.
/// Hold it for short, non-suspending work only; it is not recursive.
///
/// `@unchecked Sendable` is safe here: `value` is private and read or written only between `lock` and `unlock` in
/// ``withLock(_:)``; `inout` access cannot leave the closure, and what goes in or out is checked by `sending`. The
/// lock itself lives at a fixed address (allocated once in `init`, freed in `deinit`, when no other reference exists).
package final class Locked<Value>: @unchecked Sendable {
  #if canImport(Darwin)
    private typealias Primitive = os_unfair_lock
  #else
    private typealias Primitive = pthread_mutex_t
  #endif

  private var value: Value
  private let primitive: UnsafeMutablePointer<Primitive>

  /// Puts `value` behind a new lock.
  package init(_ value: sending Value) {
    self.value = value
    primitive = UnsafeMutablePointer<Primitive>.allocate(capacity: 1)
    #if canImport(Darwin)
      primitive.initialize(to: os_unfair_lock())
    #else
      primitive.initialize(to: pthread_mutex_t())
      pthread_mutex_init(primitive, nil)
    #endif
  }

  deinit {
    #if !canImport(Darwin)
      pthread_mutex_destroy(primitive)
    #endif
    primitive.deinitialize(count: 1)
    primitive.deallocate()
  }

  /// Runs `body` with exclusive access to the value.
  package func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    lock()
    defer { unlock() }
    return try body(&value)
  }

  private func lock() {
    #if canImport(Darwin)
      os_unfair_lock_lock(primitive)
    #else
      pthread_mutex_lock(primitive)
    #endif
  }

  private func unlock() {
    #if canImport(Darwin)
      os_unfair_lock_unlock(primitive)
    #else
      pthread_mutex_unlock(primitive)
    #endif
  }
}
