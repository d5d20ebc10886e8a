import Essentials
import MisterMetricsCore
import Platform

/// The log of the program's messages while it owns the screen.
package struct LogFile: Sendable {
  private let path: String

  package init(path: String) {
    self.path = path
  }

  /// Redirects the messages of the metrics library from standard error to this log.
  package func redirectMetricLog() {
    MetricLog.redirect { append($0) }
  }

  /// Appends a line with the current time, unless the log or its folder belongs to another account.
  ///
  /// Failures are ignored: they must not stop the program.
  package func append(_ message: String) {
    guard !path.isEmpty else { return }
    do throws(FileFailure) {
      try Posix.createFolder(of: path, permissions: 0o700)
      // The owner of either could read the names in the messages.
      guard Posix.status(at: PathParts(path).directory)?.owner == geteuid() else { return }
      let descriptor = try Posix.openRegular(path, .appending, creating: 0o600)
      defer { Posix.close(descriptor) }
      guard try Posix.status(of: descriptor).owner == geteuid() else { return }
      let line = Array("\(Date().ISO8601Format()) \(message)\n".utf8)
      try line.withTypedBytes { bytes throws(FileFailure) in try Posix.write(bytes, to: descriptor) }
    } catch {
      // There is no other place to report it.
    }
  }
}
