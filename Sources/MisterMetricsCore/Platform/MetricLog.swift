import Essentials
import Platform

#if canImport(os)
  import os
#endif

/// Where the package's rare notes to the developer go: the unified log, or standard error where there is none.
package enum MetricLog {
  private static let destination = Locked<@Sendable (String) -> Void>(system)

  /// Writes one note.
  package static func note(_ message: String) {
    let write = destination.withLock { $0 }
    write(message)
  }

  /// Sends notes somewhere else; for tests.
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
