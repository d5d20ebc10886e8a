#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Makes a descriptor readable, once for any number of changes.
final class WakeSignal: Sendable {
  /// Readable from ``raise()`` to ``clear()``; -1, which `poll` passes over, if there was no descriptor left.
  let descriptor: Int32
  private let end: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) != 0 { ends = [-1, -1] }
    for end in ends where end >= 0 {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    descriptor = ends[0]
    end = ends[1]
  }

  deinit {
    close(descriptor)
    close(end)
  }

  /// Raising twice before a clearing is harmless: the pipe is full at worst, and readable all the same.
  func raise() {
    var byte: UInt8 = 1
    _ = write(end, &byte, 1)
  }

  func clear() {
    var bytes: (UInt64, UInt64) = (0, 0)
    _ = withUnsafeMutableBytes(of: &bytes) { read(descriptor, $0.baseAddress, $0.count) }
  }
}
