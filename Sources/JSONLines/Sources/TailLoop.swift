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
  private let stop: WakeSignal

  package init(set: TailSet, stop: WakeSignal) {
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
