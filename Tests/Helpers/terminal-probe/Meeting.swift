#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A value that takes a while to be made, and that another thread waits for as soon as the making has begun.
///
/// The runtime holds a lock of its own meanwhile.
private let made: Int = {
  Task.detached { meet() }
  usleep(400_000)
  return 7
}()

/// Comes to the value, from whatever thread.
@discardableResult
func meet() -> Int { made }
