import Essentials
import Platform

#if canImport(os)
  import os
#endif

/// The destination of the package's rare messages to the developer: the unified log, or standard error if there is
/// none.
package enum MetricLog {
  private static let destination = Locked<@Sendable (String) -> Void>(system)

  /// Writes one message.
  package static func note(_ message: String) {
    let write = destination.withLock { $0 }
    write(message)
  }

  /// Redirects messages; for tests.
  package static func redirect(to destination: (@Sendable (String) -> Void)?) {
    let write = destination ?? Self.system
    Self.destination.withLock { $0 = write }
  }

  private static let system: @Sendable (String) -> Void = { message in
    #if canImport(os)
      Logger(subsystem: "MisterMetrics", category: "recording").notice("\(message, privacy: .public)")
    #else
      Posix.writeError("MisterMetrics: \(message)\n")
    #endif
  }
}
