import Foundation
import Platform
import Sync
import TerminalUI

/// A session that is to be kept as a test.
struct UnwrittenTest: Sendable {
  /// What was played.
  let session: Scenario
  /// The name that its files begin with.
  let name: String
  /// From when on the transitions are asserted.
  let since: Duration
}

/// Keeps what was played as a test in a folder: two files, both or none, and never over another.
struct SessionFiles {
  let folder: String

  /// Writes `NAME.json5` and `NAMETests.swift`.
  ///
  /// - Returns: What was written, or why nothing was, in a sentence.
  func write(_ wanted: UnwrittenTest) -> String {
    do throws(SessionTest.Failure) {
      let test = try SessionTest(scenario: wanted.session, name: wanted.name, since: wanted.since)
      return write([("\(wanted.name).json5", test.json5), ("\(wanted.name)Tests.swift", test.swift)])
    } catch {
      return "No test was written: \(SafeText.sanitized(error.message))"
    }
  }

  private func write(_ files: [(name: String, text: String)]) -> String {
    var written: [String] = []
    for file in files {
      let path = URL(fileURLWithPath: folder).appendingPathComponent(file.name).path
      do throws(FileFailure) {
        let new = try ReplacementFile(for: path, readers: .usual)
        try new.write(Array(file.text.utf8))
        try new.putInFreePlace()
        written.append(path)
      } catch {
        for path in written { try? FileManager.default.removeItem(atPath: path) }
        let problem = error == .other(EEXIST) ? "is there already" : FileWords.problem(error)
        return "No test was written: \(file.name): \(problem)"
      }
    }
    return "Wrote \(files.map(\.name).joined(separator: " and "))"
  }
}
