#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes what file stores have gathered when the program ends by returning or `exit`.
///
/// A short program would otherwise lose its last quarter of a second. A killed process gets no such chance; what was
/// acknowledged is in the file by then.
enum ExitFlush {
  private struct Weak: Sendable {
    weak let writer: LineWriter?
  }

  private static let writers = Locked<[Weak]>([])
  private static let isHooked = Locked(false)

  /// Has `writer` flushed at exit, for as long as it lives.
  static func register(_ writer: LineWriter) {
    writers.withLock { writers in
      writers.removeAll { $0.writer == nil }
      writers.append(Weak(writer: writer))
    }
    let isFirst = isHooked.withLock { hooked in
      defer { hooked = true }
      return !hooked
    }
    if isFirst { atexit { ExitFlush.flushAll() } }
  }

  private static func flushAll() {
    RecordQueue.shared.deliverBeforeExit()
    for weak in writers.withLock({ $0 }) { weak.writer?.flushBeforeExit() }
  }
}
