#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The clocks of the system that signposts read, in nanoseconds: reckoning with `Duration` costs as much as reading.
enum SystemTime {
  /// Time that no change of the wall clock moves, and that all processes see alike.
  @Sendable
  static func monotonic() -> Int64 { read(CLOCK_MONOTONIC) }

  /// The processor time that all threads of this process used so far.
  static func processor() -> Int64 { read(CLOCK_PROCESS_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

extension Duration {
  /// The nanoseconds, as many as fit: about 292 years.
  var clampedNanoseconds: Int64 {
    let limit = Duration.nanoseconds(Int64.max)
    guard self < limit else { return .max }
    guard self > .zero - limit else { return -.max }
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}

extension Int64 {
  /// The milliseconds from an earlier number of nanoseconds to this one; 0 if that was later.
  func milliseconds(since start: Int64) -> Double {
    let (length, overflow) = subtractingReportingOverflow(start)
    guard self > start else { return 0 }
    return Double(overflow ? .max : length) / 1e6
  }
}
