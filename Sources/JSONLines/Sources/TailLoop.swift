import Essentials
package import Platform

/// Waits for changes and has a ``TailSet`` read them, on the calling thread.
package struct TailLoop {
  /// Seconds over which successive changes are collected; the first change after a pause is read at once.
  static let pace = 0.003
  /// Seconds until the next look for changes while reading continues, because reading may never catch up.
  static let timeout = 0.1

  private let set: TailSet
  private let stop: WakeSignal

  package init(set: TailSet, stop: WakeSignal) {
    self.set = set
    self.stop = stop
  }

  /// The reason the loop ended.
  package enum Ending: Sendable {
    case stopped
    /// The reader of the output is gone.
    case outputClosed
  }

  /// Runs until stopped.
  ///
  /// - Parameters:
  ///   - output: A descriptor; the loop ends when its reader closes it, even with nothing to write.
  ///   - deadline: The time of the next round even if nothing happens.
  ///   - afterRound: Called when everything available was delivered, or part of a large amount.
  @discardableResult
  package func run(
    output: Int32? = nil, deadline: () -> MonotonicInstant? = { nil },
    deliver: (TailMember, TailOutput) -> Void,
    afterRound: () -> Void
  ) -> Ending {
    var lastLook = MonotonicInstant.distantPast
    while !stop.isRaised {
      lastLook = MonotonicInstant.now()
      set.look(at: lastLook)
      repeat {
        // The current time, not that of the look: a file in its quiet period would otherwise wait for all others.
        set.run(at: MonotonicInstant.now(), deliver: deliver)
        afterRound()
      } while set.isBusy && !stop.isRaised && MonotonicInstant.now() < lastLook + Self.timeout
      if set.isBusy { continue }
      let deadlines = [set.deadline(now: MonotonicInstant.now()), deadline()].compactMap { $0 }
      if wait(until: deadlines.min(), output) { return .outputClosed }
      let early = lastLook + Self.pace - MonotonicInstant.now()
      if early > 0, !stop.isRaised { usleep(UInt32(early * 1e6)) }
    }
    return .stopped
  }

  /// - Returns: True if the output no longer has a reader.
  private func wait(until deadline: MonotonicInstant?, _ output: Int32?) -> Bool {
    var requests = (set.descriptors + [stop.descriptor]).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    // No events: `poll` reports errors anyway.
    requests.append(pollfd(fd: output ?? -1, events: 0, revents: 0))
    let milliseconds = deadline.map { max(0, min(60_000, ($0 - MonotonicInstant.now()) * 1000)) }
    _ = poll(&requests, DescriptorCount(requests.count), milliseconds.map { Int32($0.rounded(.up)) } ?? -1)
    return (requests.last?.revents ?? 0) & Int16(POLLERR | POLLHUP) != 0
  }
}

#if canImport(Darwin)
  private typealias DescriptorCount = UInt32
#else
  private typealias DescriptorCount = UInt
#endif
