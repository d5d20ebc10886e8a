import Essentials
import Platform

extension Program.Environment {
  /// The system's clocks and `poll`.
  package static var machine: Program.Environment {
    var environment = Program.Environment(
      now: { Timestamp.now() }, steady: { MonotonicInstant.now() }, wait: poll)
    environment.edit = Editor.show
    environment.start = Shell.start
    return environment
  }

  private static func poll(_ descriptors: [Int32], _ seconds: Double?) -> Set<Int32> {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // Rounded up, so that the deadline has passed when poll returns; at most a day, because the timeout has 32 bits.
    let timeout = seconds.map { Int32((min($0, 86_400) * 1000).rounded(.up)) } ?? -1
    #if canImport(Darwin)
      let count = Darwin.poll(&entries, nfds_t(entries.count), timeout)
    #else
      let count = Glibc.poll(&entries, nfds_t(entries.count), timeout)
    #endif
    guard count > 0 else { return [] }
    // Any event counts: a lost terminal reports a hang-up and no data.
    return Set(entries.filter { $0.revents != 0 }.map(\.fd))
  }
}
