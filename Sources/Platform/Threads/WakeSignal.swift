import Essentials

/// Makes a descriptor readable from any thread, once for any number of changes: wakes a loop, or ends it.
package final class WakeSignal: Sendable {
  /// Readable from ``raise()`` to ``clear()``; -1, which `poll` ignores, if no descriptor was left.
  package let descriptor: Int32
  private let end: Int32

  package init() {
    var ends: [Int32] = [-1, -1]
    // Without a pipe (no descriptor left), `poll` ignores the -1, and a loop notices at its next turn.
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

  /// Raises the signal; raising it twice before clearing is harmless: the pipe is full at worst, and still readable.
  package func raise() {
    var byte: UInt8 = 1
    _ = write(end, &byte, 1)
  }

  /// Clears everything raised so far; a remainder would wake a loop again and again.
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

  /// Waits until a descriptor is writable or the signal is raised.
  ///
  /// - Returns: True if it is writable, or if a write would report that there is no reader.
  package func waits(untilWritable output: Int32) -> Bool { waits(for: output, POLLOUT) }

  /// Waits until a descriptor is readable or the signal is raised.
  ///
  /// - Returns: True if it is readable, or if a read would report the end.
  package func waits(untilReadable input: Int32) -> Bool { waits(for: input, POLLIN) }

  /// Waits until the signal is raised, at most so long.
  ///
  /// - Returns: True if it was raised.
  package func waits(upTo limit: Duration) -> Bool {
    let deadline = MonotonicInstant.now() + limit / .seconds(1)
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let rest = (deadline - MonotonicInstant.now()) * 1000
      let ready = poll(&request, 1, Int32(max(0, min(60_000, rest.rounded(.up)))))
      if ready > 0 || rest <= 0 { return ready > 0 }
    }
  }

  private func waits(for other: Int32, _ events: Int32) -> Bool {
    var requests = [
      pollfd(fd: other, events: Int16(events), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&requests, 2, -1) < 0, errno == EINTR {}
    return requests[0].revents != 0
  }
}
