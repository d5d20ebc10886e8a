import Foundation
import MisterMetrics

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

  /// Adds a line with the current time; failure to write must not stop the program.
  package func append(_ message: String) {
    guard !path.isEmpty else { return }
    let url = URL(fileURLWithPath: path)
    try? FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try? file.write(contentsOf: Data("\(Date().ISO8601Format()) \(message)\n".utf8))
  }
}
