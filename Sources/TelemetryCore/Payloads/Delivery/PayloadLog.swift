import Essentials
import Platform

#if canImport(os)
  import os
#endif

/// Ready-made logs for ``MetricsSubscriber``.
public enum PayloadLog {
  /// The unified log (subsystem `Telemetry`, category `payloads`), or lines on standard error where there is none.
  public static let system: @Sendable (PayloadSummary) -> Void = lines { line in
    #if canImport(os)
      Logger(subsystem: "Telemetry", category: "payloads").notice("\(line, privacy: .public)")
    #else
      // A line that cannot be logged is lost: a closed standard error must not stop the program.
      var line = line + "\n"
      line.withUTF8 { bytes in try? Posix.write(UnsafeRawBufferPointer(bytes), to: STDERR_FILENO) }
    #endif
  }

  /// A log of JSON lines of about a thousand bytes at most: `PayloadSummary.lines(limit:)`.
  ///
  /// - Parameter write: Receives each line, without the newline.
  public static func lines(
    to write: @escaping @Sendable (String) -> Void
  ) -> @Sendable (PayloadSummary) -> Void {
    { summary in summary.lines().forEach(write) }
  }
}
