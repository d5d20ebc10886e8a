import Essentials

/// Tells a child of `fork()` that what its parent was about to do is not for it to do again.
package enum ForkCount {
  /// Safe to share: it is written only by the handler below, which the system runs in a new process before anything else
  /// and while that process has one thread.
  nonisolated(unsafe) private static let forks = watched()

  /// The number of forks between this process and the one that asked first; cheap enough for every record.
  package static var now: UInt32 { forks.pointee }

  private static func watched() -> UnsafeMutablePointer<UInt32> {
    let count = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    count.initialize(to: 0)
    pthread_atfork(nil, nil) { ForkCount.forks.pointee &+= 1 }
    return count
  }
}
