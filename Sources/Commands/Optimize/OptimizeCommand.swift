package import Essentials
import JSONLines
import MisterMetricsCore
import Platform
import TerminalUI

/// `mistertop optimize [FILE] --keep AGE`: removes old samples and nothing else.
///
/// Of the rotated files, only those numbered by a store are compacted, from `FILE.1` up to the first gap of two
/// numbers. Later ones, packed ones, and those named by other programs are left as they are and listed.
package struct OptimizeCommand: Command {
  package static let name = "optimize"
  package static let operands = "[FILE]"
  package static let summary =
    "Removes samples older than an age, safe while others write; of rotated files only from FILE.1 on, up to a gap."
  package static let examples = [
    CommandExample(
      "mistertop optimize --keep 30d metrics.jsonl",
      "remove older samples, while others write"),
    CommandExample(
      "mistertop optimize --keep 12h",
      "keep half a day of the default store"),
  ]
  package static let options = [keep, .store]

  private static let keep = CommandOption(
    "keep", "AGE", help: "the age up to which samples are kept, such as 30d, 2w or 12h")

  package struct Request: Sendable, Equatable {
    /// The metrics file; its numbered rotated files are included.
    package var path: String
    package var keep: Retention
  }

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    try arguments.rejectOperands(after: 1)
    let retention = try arguments.value(keep, expecting: "an age such as 30d, 2w or 12h") { Retention($0) }
    guard let retention else { throw .missingOption(keep.flag) }
    return Request(path: arguments.operands.first ?? arguments.store, keep: retention)
  }

  package static func run(_ request: Request, in context: CommandContext) async -> ExitCode {
    await OptimizeCommand(paths: [request.path], keep: request.keep)
      .run(console: context.console)
  }

  private let paths: [String]
  private let keep: Retention

  /// - Parameters:
  ///   - paths: The metrics files; their numbered rotated files are included.
  ///   - keep: The age up to which samples are kept.
  package init(paths: [String], keep: Retention) {
    self.paths = paths
    self.keep = keep
  }

  /// Removes the samples.
  ///
  /// - Parameter now: The time from which ages are counted back.
  /// - Returns: `failed` if a file is missing or cannot be written.
  package func run(console: Console, now: Date = Date()) async -> ExitCode {
    var code = ExitCode.success
    for path in paths {
      do {
        // A store treats a missing file as empty.
        try ReadableFile.seekable(path: path).close()
        let done = try await MetricFileStore.named(path).optimize(removingBefore: keep.cutoff(before: now))
        console.write("\(SafeText.sanitized(path)): \(summary(of: done))\n" + Self.remark(on: path))
      } catch {
        let problem = FileErrorFormatter.problem(error, readsInput: false)
        console.writeError("mistertop optimize: \(path): \(problem)")
        code = .failed
      }
    }
    return code
  }

  /// A line that lists the rotated files that were left alone; empty if there are none.
  private static func remark(on path: String) -> String {
    let place = Posix.place(of: path)
    let numbered = Set(NumberedFiles(path: place).existing.map { PathKey($0) })
    let others = RotatedFile.beside(place).filter { !numbered.contains(PathKey($0.path)) }
    guard !others.isEmpty else { return "" }
    let names = others.map(\.name).sortedByBytes().map { SafeText.sanitized($0) }.joined(separator: ", ")
    let name = SafeText.sanitized(PathParts(place).name)
    return "\(names): left as \(others.count == 1 ? "it is" : "they are"); "
      + "only \(name) and its numbered files from \(name).1 on, up to a gap of two, are compacted\n"
  }

  private func summary(of done: MetricOptimization) -> String {
    let unreadable = done.undecodable > 0 ? " (\(done.undecodable) of them unreadable)" : ""
    return "\(done.removed) removed, \(done.kept) kept\(unreadable)"
  }
}
