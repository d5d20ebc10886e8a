import Foundation
import MisterMetrics

/// Where the program's own messages go while it owns the screen.
package struct LogFile: Sendable {
  private let path: String

  package init(path: String) {
    self.path = path
  }

  /// Lets the notes of the metrics library, which would go to standard error, come here from now on.
  package func takeNotes() {
    MetricLog.redirect { append($0) }
  }

  /// Adds a line with the present time; a log that cannot be written must not stop the program.
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
