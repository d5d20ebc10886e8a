import Foundation
import Platform
import Sync
import TerminalUI

/// A session to be written as a test.
struct PendingTest: Sendable {
  /// What was run.
  let session: Scenario
  /// The start of the names of its files.
  let name: String
  /// From when on the transitions are asserted.
  let since: Duration
}

/// Writes sessions as tests to a folder: two files, both or none, and never over another file.
struct SessionTestWriter {
  let folder: String

  /// Writes `NAME.json5` and `NAMETests.swift`.
  ///
  /// - Returns: What was written, or why nothing was, in a sentence.
  func write(_ pending: PendingTest) -> String {
    do throws(SessionTest.Failure) {
      let test = try SessionTest(scenario: pending.session, name: pending.name, since: pending.since)
      return write([("\(pending.name).json5", test.json5), ("\(pending.name)Tests.swift", test.swift)])
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
        let problem = error == .other(EEXIST) ? "already exists" : FileErrorFormatter.problem(error)
        return "No test was written: \(file.name): \(problem)"
      }
    }
    return "Wrote \(files.map(\.name).joined(separator: " and "))"
  }
}
