import Essentials

/// Tells a child of `fork()` not to repeat work that its parent was about to do.
package enum ForkCount {
  /// Safe to share: it is written only by the handler below, which the system runs in a new process before anything
  /// else and while that process has one thread.
  nonisolated(unsafe) private static let forks = watched()

  /// The number of forks between this process and the one that first asked; cheap enough to call for every record.
  package static var now: UInt32 { forks.pointee }

  private static func watched() -> UnsafeMutablePointer<UInt32> {
    let count = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    count.initialize(to: 0)
    pthread_atfork(nil, nil) { ForkCount.forks.pointee &+= 1 }
    return count
  }
}
