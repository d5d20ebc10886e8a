package import Foundation
import MisterMetrics

/// `mistertop optimize FILE… --keep 30d`: removes old entries and nothing else.
package struct OptimizeCommand: Sendable {
  private let files: [URL]
  private let keep: Retention

  /// Removes old entries.
  ///
  /// - Parameters:
  ///   - files: The metrics files; their rotated predecessors are included.
  ///   - keep: How much to keep.
  package init(files: [URL], keep: Retention) {
    self.files = files
    self.keep = keep
  }

  /// Runs the command.
  ///
  /// - Parameters:
  ///   - output: Takes a line for standard output.
  ///   - error: Takes a line for standard error.
  ///   - now: The time to count back from.
  /// - Returns: The exit code: 0, or 1 when a file is missing or cannot be written.
  package func run(
    output: (String) -> Void, error: (String) -> Void, now: Date = Date()
  ) async -> Int32 {
    var code: Int32 = 0
    for file in files {
      do {
        guard FileManager.default.fileExists(atPath: file.path) else {
          throw CocoaError(.fileNoSuchFile)
        }
        let done = try await MetricFileStore(file: file).optimize(removingBefore: keep.cutoff(before: now))
        output("\(file.path): \(summary(of: done))")
      } catch CocoaError.fileNoSuchFile {
        error("optimize: \(file.path): no such file")
        code = 1
      } catch let failure {
        error("optimize: \(file.path): \(failure)")
        code = 1
      }
    }
    return code
  }

  private func summary(of done: MetricOptimization) -> String {
    let unreadable = done.undecodable > 0 ? " (\(done.undecodable) of them no entries)" : ""
    return "\(done.removed) removed, \(done.kept) kept\(unreadable)"
  }
}

/// How much to keep, as `--keep` takes it: `30d`, `2w`, `12h`.
package struct Retention: Equatable, Sendable {
  private enum Unit: Character {
    case hours = "h"
    case days = "d"
    case weeks = "w"
  }

  private let count: Int
  private let unit: Unit

  /// Reads a number with its unit, or `nil` when it is none.
  package init?(_ text: String) {
    guard let last = text.last, let unit = Unit(rawValue: last) else { return nil }
    let digits = text.dropLast()
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let count = Int(digits), count <= 1_000_000 else {
      return nil
    }
    self.count = count
    self.unit = unit
  }

  /// The oldest moment to keep: hours to the second, days and weeks from the start of the day on.
  ///
  /// - Parameters:
  ///   - now: The time to count back from.
  ///   - calendar: What a day is.
  package func cutoff(before now: Date, calendar: Calendar = .current) -> Date {
    switch unit {
    case .hours: return now.addingTimeInterval(-3_600 * Double(count))
    case .days, .weeks:
      let days = unit == .weeks ? count * 7 : count
      let exact = calendar.date(byAdding: .day, value: -days, to: now) ?? .distantPast
      return calendar.startOfDay(for: exact)
    }
  }
}
