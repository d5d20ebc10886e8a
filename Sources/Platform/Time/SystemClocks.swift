import Essentials

extension Timestamp {
  /// The time of the system's wall clock.
  package static func now() -> Timestamp {
    let time = read(CLOCK_REALTIME)
    // Whole seconds first: 31 years in nanoseconds have more digits than a `Double`.
    return Timestamp(Double(time.tv_sec - unixEpochDistance) + Double(time.tv_nsec) / 1e9)
  }
}

extension MonotonicInstant {
  /// The time of the system's monotonic clock, which is the same for all processes.
  package static func now() -> MonotonicInstant {
    MonotonicInstant(nanoseconds: clockNanoseconds(CLOCK_MONOTONIC))
  }
}

/// The processor time of this process.
package enum ProcessorTime {
  /// Nanoseconds used by all threads so far.
  package static func now() -> Int64 { clockNanoseconds(CLOCK_PROCESS_CPUTIME_ID) }
}

private func read(_ clock: clockid_t) -> timespec {
  var time = timespec()
  clock_gettime(clock, &time)
  return time
}

private func clockNanoseconds(_ clock: clockid_t) -> Int64 {
  let time = read(clock)
  return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}
