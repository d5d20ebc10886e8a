import Dashboard
import Foundation
import Platform
import TerminalUI

/// A session to be written as a test.
struct PendingTest<Simulated: HostedSimulation>: Sendable {
  /// What was run.
  let session: Simulated.Script
  /// The start of the names of its files.
  let name: String
  /// From when on what followed is asserted.
  let since: Duration

  /// Plays the session once more for what followed.
  fileprivate func texts() throws(UnwritableTest) -> (json5: String, swift: String) {
    try Simulated.test(of: session, name: name, since: since)
  }
}

/// Writes sessions as tests to a folder: two files, both or none, and never over another file.
struct SessionTestWriter {
  let folder: String

  /// Writes `NAME.json5` and `NAMETests.swift`.
  ///
  /// - Returns: What was written, or why nothing was, in a sentence.
  func write(_ pending: PendingTest<some HostedSimulation>) -> String {
    do throws(UnwritableTest) {
      let test = try pending.texts()
      return write([
        NewFile(name: "\(pending.name).json5", text: test.json5),
        NewFile(name: "\(pending.name)Tests.swift", text: test.swift),
      ])
    } catch {
      return "No test was written: \(SafeText.sanitized(error.reason))"
    }
  }

  /// Writes files.
  ///
  /// - Returns: What was written, or why nothing was, in a sentence.
  func write(_ files: [NewFile]) -> String {
    var written: [String] = []
    for file in files {
      let path = PathParts.join(folder, file.name)
      do throws(FileFailure) {
        let new = try ReplacementFile(for: path, readers: .usual, links: .followed)
        try new.write(Array(file.text.utf8))
        try new.putInFreePlace()
        written.append(path)
      } catch {
        for path in written { Posix.unlink(path) }
        let problem = error == .other(EEXIST) ? "already exists" : FileErrorFormatter.problem(error)
        return "No test was written: \(file.name): \(problem)"
      }
    }
    return "Wrote \(files.map(\.name).joined(separator: " and "))"
  }
}
