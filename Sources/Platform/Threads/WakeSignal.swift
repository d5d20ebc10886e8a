import Essentials

/// Makes a descriptor readable from any thread, once for any number of changes: wakes a loop, or ends it.
package final class WakeSignal: Sendable {
  /// Readable from ``raise()`` to ``clear()``; -1, which `poll` passes over, if there was no descriptor left.
  package let descriptor: Int32
  private let end: Int32

  package init() {
    var ends: [Int32] = [-1, -1]
    // Without a pipe (no descriptor left) poll ignores the -1, and a loop looks at its next turn.
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
  package func raise() {
    var byte: UInt8 = 1
    _ = write(end, &byte, 1)
  }

  /// Clears everything raised so far: what is left would wake a loop again and again.
  package func clear() {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { bytes in
      // A pipe holds 64 KiB; a sender that never stops raising must not block us.
      for _ in 0..<16 {
        guard read(descriptor, bytes.baseAddress, bytes.count) == bytes.count else { return }
      }
    }
  }

  /// True if it was raised since it was last cleared.
  package var isRaised: Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }

  /// Waits until something can be written to a descriptor, or the signal is raised.
  ///
  /// - Returns: whether something can be written, or whether a write would report that no one reads it.
  package func waits(untilWritable output: Int32) -> Bool { waits(for: output, POLLOUT) }

  /// Waits until something can be read from a descriptor, or the signal is raised.
  ///
  /// - Returns: whether something can be read, or whether a read would report the end.
  package func waits(untilReadable input: Int32) -> Bool { waits(for: input, POLLIN) }

  private func waits(for other: Int32, _ events: Int32) -> Bool {
    var requests = [
      pollfd(fd: other, events: Int16(events), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&requests, 2, -1) < 0, errno == EINTR {}
    return requests[0].revents != 0
  }
}
