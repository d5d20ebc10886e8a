package import Codecs
import Essentials
import Platform
import TerminalUI

/// Loads payload files into a store that is shown in their place, as if the user had imported them.
package struct PayloadLoader: Sendable {
  /// The name of the store in its folder, as the screen shows it.
  package static let storeName = "payloads.jsonl"

  private let paths: [String]
  private let store: String
  private let timeZone: ZoneOffsets

  /// - Parameters:
  ///   - paths: Files and folders of payloads.
  ///   - store: The file to record into, which must be new or empty.
  ///   - timeZone: The zone of the devices, for times that are written without one.
  package init(_ paths: [String], into store: String, timeZone: ZoneOffsets = .current) {
    (self.paths, self.store, self.timeZone) = (paths, store, timeZone)
  }

  /// The result of loading.
  package struct Outcome: Sendable, Equatable {
    /// The files that could not be read, with the reasons, safe to print on a terminal.
    package let problems: [String]
    /// True if there is anything to show.
    package let hasPayloads: Bool
    /// Number of files in folders that were not read, because their names end otherwise.
    package var skipped = 0

    /// `skipped 4 files of other kinds`; `nil` if there are none.
    var skippedNote: String? {
      skipped == 0
        ? nil
        : "skipped \(Plural.count(skipped, "file")) of other kinds (\(PayloadFinder.endings.joined(separator: ", ")) are read)"
    }

    /// All problems in one line; `nil` if there are none.
    package var message: String? {
      guard let first = problems.first else { return nil }
      return problems.count == 1 ? first : "\(first); \(problems.count - 1) more in the log"
    }
  }

  /// Reads the files and records their payloads.
  ///
  /// - Parameter console: The console that shows progress, and nothing else.
  package func run(console: Console) async -> Outcome {
    let problems = Locked<[String]>([])
    let silent = Console(
      write: { _ in }, writeError: { line in problems.withLock { $0.append(line) } },
      showProgress: console.showProgress)
    let command = ImportCommand(
      ImportCommand.Request(paths: paths, store: store, timeZone: timeZone), console: silent, lockFolder: "",
      speaker: "")
    _ = await command.run()
    let size = Posix.status(at: store)?.size ?? 0
    var finder = PayloadFinder(store: nil)
    for path in paths { finder.add(path) }
    return Outcome(
      problems: problems.withLock { $0 }.map { SafeText.sanitized($0) }, hasPayloads: size > 0,
      skipped: finder.skipped)
  }
}
