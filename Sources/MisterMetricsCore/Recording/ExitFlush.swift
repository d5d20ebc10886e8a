import Essentials
import Platform

/// An object that holds records for a moment before they are stored.
package protocol ExitFlushing: AnyObject, Sendable {
  /// Stores pending records; returns when it is done.
  func flushBeforeExit()
}

/// Writes what stores have gathered when the program ends by returning or `exit`.
///
/// A short program would otherwise lose its last quarter of a second. A killed process gets no such chance, but
/// acknowledged records are already in the file.
package enum ExitFlush {
  private struct Weak: Sendable {
    weak let holder: (any ExitFlushing)?
  }

  private static let holders = Locked<[Weak]>([])
  private static let isHooked = Locked(false)

  /// Registers `holder` to be flushed at exit, for as long as it lives.
  package static func register(_ holder: any ExitFlushing) {
    holders.withLock { holders in
      holders.removeAll { $0.holder == nil }
      holders.append(Weak(holder: holder))
    }
    let isFirst = isHooked.withLock { hooked in
      defer { hooked = true }
      return !hooked
    }
    if isFirst { atexit { ExitFlush.flushAll() } }
  }

  private static func flushAll() {
    RecordQueue.shared.deliverBeforeExit()
    for weak in holders.withLock({ $0 }) { weak.holder?.flushBeforeExit() }
  }
}
