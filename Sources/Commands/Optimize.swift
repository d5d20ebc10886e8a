package import Foundation
import MisterMetrics

/// `mistertop optimize FILE --keep 30d`: removes old entries and nothing else.
package struct OptimizeCommand: Sendable {
  private let path: String
  private let keep: Double
  private let console: Console

  /// Removes old entries.
  ///
  /// - Parameters:
  ///   - path: The metrics file; its rotated predecessors are included.
  ///   - keep: How old an entry may be, in seconds.
  ///   - console: Where to write what was done.
  package init(path: String, keep: Double, console: Console) {
    self.path = path
    self.keep = keep
    self.console = console
  }

  /// Runs the command.
  ///
  /// - Parameter now: The time to count back from.
  /// - Returns: How it went; a file that is not there is a failure.
  package func run(now: Date = Date()) async -> ExitCode {
    guard FileManager.default.fileExists(atPath: path) else {
      console.complain("optimize: \(path): no such file")
      return .failed
    }
    do {
      let store = try MetricFileStore(file: URL(fileURLWithPath: path))
      let done = try await store.optimize(removingBefore: now.addingTimeInterval(-keep))
      let unreadable = done.undecodable > 0 ? " (\(done.undecodable) of them no entries)" : ""
      console.write("\(path): \(done.removed) removed, \(done.kept) kept\(unreadable)\n")
      return .fine
    } catch {
      console.complain("optimize: \(path): \(error)")
      return .failed
    }
  }
}
