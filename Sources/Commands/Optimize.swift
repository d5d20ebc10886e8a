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
  ///   - console: Where to write what was done.
  ///   - now: The time to count back from.
  /// - Returns: How it went; a file that is missing or cannot be written is a failure.
  package func run(console: Console, now: Date = Date()) async -> ExitCode {
    var code = ExitCode.fine
    for file in files {
      do {
        guard FileManager.default.fileExists(atPath: file.path) else {
          throw CocoaError(.fileNoSuchFile)
        }
        let done = try await MetricFileStore(file: file).optimize(removingBefore: keep.cutoff(before: now))
        console.write("\(file.path): \(summary(of: done))\n")
      } catch CocoaError.fileNoSuchFile {
        console.complain("mistertop optimize: \(file.path): no such file")
        code = .failed
      } catch {
        console.complain("mistertop optimize: \(file.path): \(error)")
        code = .failed
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
