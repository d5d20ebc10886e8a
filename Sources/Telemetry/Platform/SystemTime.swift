#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The clocks of the system that signposts read.
enum SystemTime {
  /// Time that no change of the wall clock moves, and that all processes see alike.
  @Sendable
  static func monotonic() -> Duration { read(CLOCK_MONOTONIC) }

  /// The processor time that all threads of this process used so far.
  static func processor() -> Duration { read(CLOCK_PROCESS_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
