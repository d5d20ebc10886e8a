#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Waits for changes and lets a ``TailSet`` read them, on the thread that calls it.
package struct TailLoop {
  /// Seconds that changes are gathered when they come one after the other; the first after a pause is read at once.
  static let pace = 0.003

  private let set: TailSet
  private let stop: StopSignal

  package init(set: TailSet, stop: StopSignal) {
    self.set = set
    self.stop = stop
  }

  /// Runs until stopped.
  ///
  /// - Parameters:
  ///   - afterRound: called when all that was there was delivered, or a part of much.
  package func run(deliver: (TailMember, TailOutput) -> Void, afterRound: () -> Void) {
    var lastLook = -Double.infinity
    while !stop.isRaised {
      let now = Self.now()
      set.look(at: now)
      lastLook = now
      repeat {
        set.run(at: now, deliver: deliver)
        afterRound()
      } while set.isBusy && !stop.isRaised
      wait(until: set.deadline(now: Self.now()))
      let early = lastLook + Self.pace - Self.now()
      if early > 0, !stop.isRaised { usleep(UInt32(early * 1e6)) }
    }
  }

  private func wait(until deadline: Double?) {
    var requests = (set.descriptors + [stop.descriptor]).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let milliseconds = deadline.map { max(0, min(60_000, ($0 - Self.now()) * 1000)) }
    _ = poll(&requests, DescriptorCount(requests.count), milliseconds.map { Int32($0.rounded(.up)) } ?? -1)
  }

  /// Seconds of a clock that does not jump.
  package static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

#if canImport(Darwin)
  private typealias DescriptorCount = UInt32
#else
  private typealias DescriptorCount = UInt
#endif

/// Ends a ``TailLoop`` from any thread.
package final class StopSignal: Sendable {
  package let descriptor: Int32
  private let end: Int32

  package init() {
    var ends: [Int32] = [-1, -1]
    // Without a pipe (no descriptor left) poll ignores the -1, and the loop ends at its next look.
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

  package func raise() {
    var byte: UInt8 = 1
    _ = write(end, &byte, 1)
  }

  package var isRaised: Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }
}
