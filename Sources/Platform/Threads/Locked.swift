import Essentials

/// A value behind a lock: the only lock type of the package.
///
/// The standard `Mutex` needs macOS 15 and the package supports macOS 13, so this wraps the platform's own lock. Hold
/// it for short, non-suspending work only; it is not recursive.
///
/// `@unchecked Sendable` is safe here: `value` is not used outside this type, and is read or written only between
/// `lock` and `unlock` in ``withLock(_:)``; `inout` access cannot leave the closure, and `sending` checks what goes in
/// or out.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
  @usableFromInline
  var value: Value
  @usableFromInline
  let primitive: PrimitiveLock

  /// Creates a lock around `value`.
  package init(_ value: sending Value) {
    self.value = value
    primitive = PrimitiveLock()
  }

  deinit {
    primitive.destroy()
  }

  /// Runs `body` with exclusive access to the value.
  @inlinable
  package func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    primitive.lock()
    defer { primitive.unlock() }
    return try body(&value)
  }
}

/// The platform's own lock, at a fixed address until it is destroyed.
@usableFromInline
struct PrimitiveLock {
  #if canImport(Darwin)
    private typealias Primitive = os_unfair_lock
  #else
    private typealias Primitive = pthread_mutex_t
  #endif

  private let address: UnsafeMutablePointer<Primitive>

  init() {
    address = UnsafeMutablePointer<Primitive>.allocate(capacity: 1)
    #if canImport(Darwin)
      address.initialize(to: os_unfair_lock())
    #else
      address.initialize(to: pthread_mutex_t())
      pthread_mutex_init(address, nil)
    #endif
  }

  /// Frees it; no one may hold or request it any more.
  func destroy() {
    #if !canImport(Darwin)
      pthread_mutex_destroy(address)
    #endif
    address.deinitialize(count: 1)
    address.deallocate()
  }

  @usableFromInline
  func lock() {
    #if canImport(Darwin)
      os_unfair_lock_lock(address)
    #else
      pthread_mutex_lock(address)
    #endif
  }

  @usableFromInline
  func unlock() {
    #if canImport(Darwin)
      os_unfair_lock_unlock(address)
    #else
      pthread_mutex_unlock(address)
    #endif
  }
}
