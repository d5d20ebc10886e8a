import Essentials
package import Platform

/// Waits for changes and lets a ``TailSet`` read them, on the thread that calls it.
package struct TailLoop {
  /// Seconds that changes are gathered when they come one after the other; the first after a pause is read at once.
  static let pace = 0.003
  /// Seconds after which it is looked again though there is still something to read: it may never come to an end.
  static let timeout = 0.1

  private let set: TailSet
  private let stop: WakeSignal

  package init(set: TailSet, stop: WakeSignal) {
    self.set = set
    self.stop = stop
  }

  /// Why it ended.
  package enum Ending: Sendable {
    case stopped
    /// No one reads what is written any more.
    case outputClosed
  }

  /// Runs until stopped.
  ///
  /// - Parameters:
  ///   - output: a descriptor at whose closing by its reader the loop ends, be there something to write or not.
  ///   - deadline: when another round is wanted though nothing happens.
  ///   - afterRound: called when all that was there was delivered, or a part of much.
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
        // By the time it is: what waits for a file to be quiet would else wait until all others are.
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

  /// - Returns: whether the output has no reader any more.
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
