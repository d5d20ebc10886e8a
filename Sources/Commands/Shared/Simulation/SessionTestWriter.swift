import DashboardCore
import Essentials
import Platform
import SimulationKit
import TerminalUI

/// A session to write as a test.
struct PendingTest<World: HostedWorld>: Sendable {
  /// The session that was run.
  let session: DrivenScenario<World>
  /// The prefix of its file names.
  let name: String
  /// Start of the asserted decisions.
  let since: Duration

  /// Replays the session to determine its decisions.
  fileprivate func kept() throws(UnwritableTest) -> KeptSession<DrivenScenario<World>> {
    do throws(KeptSession<DrivenScenario<World>>.Failure) {
      return try KeptSession(of: session, named: name, since: since)
    } catch {
      throw UnwritableTest(reason: error.message)
    }
  }
}

/// Writes sessions as tests into a folder: two files, both or neither, never overwriting another file.
struct SessionTestWriter {
  let folder: String

  /// Writes `NAME.json5` and `NAMETests.swift`.
  ///
  /// - Returns: The files written, or the reason why there are none, as a sentence.
  func write(_ pending: PendingTest<some HostedWorld>) -> String {
    do throws(UnwritableTest) { return try save(pending) } catch { return sentence(error) }
  }

  /// Writes files.
  ///
  /// - Returns: The files written, or the reason why there are none, as a sentence.
  func write(_ files: [NewFile]) -> String {
    do throws(UnwritableTest) { return try save(files) } catch { return sentence(error) }
  }

  private func sentence(_ failure: UnwritableTest) -> String {
    "No test was written: \(SafeText.sanitized(failure.reason))"
  }

  /// Writes `NAME.json5` and `NAMETests.swift`.
  ///
  /// - Returns: The files written, as a sentence.
  func save(_ pending: PendingTest<some HostedWorld>) throws(UnwritableTest) -> String {
    let test = try pending.kept()
    return try save([
      NewFile(name: "\(pending.name).json5", text: test.json5),
      NewFile(name: "\(pending.name)Tests.swift", text: test.swift),
    ])
  }

  private func save(_ files: [NewFile]) throws(UnwritableTest) -> String {
    // All names are checked and all bytes are on disk before the first file gets its name.
    let prepared = try files.map { file throws(UnwritableTest) in
      try naming(file) { () throws(FileFailure) in try prepare(file) }
    }
    do throws(UnwritableTest) {
      for (file, new) in zip(files, prepared) {
        try naming(file) { () throws(FileFailure) in try new.putInFreePlace() }
      }
    } catch {
      // Another process has created one of them meanwhile.
      for new in prepared { try? new.takeBack() }
      throw error
    }
    return "Wrote \(files.map(\.name).joined(separator: " and "))"
  }

  private func prepare(_ file: NewFile) throws(FileFailure) -> ReplacementFile {
    let path = PathParts.join(folder, file.name)
    let new = try ReplacementFile(for: path, readers: .usual, links: .followed)
    guard !Posix.isTaken(new.path) else { throw .other(EEXIST) }
    try new.write(Array(file.text.utf8))
    try new.sync()
    return new
  }

  /// Adds the name of the file to a failure.
  private func naming<Value>(
    _ file: NewFile, _ body: () throws(FileFailure) -> Value
  ) throws(UnwritableTest) -> Value {
    do throws(FileFailure) { return try body() } catch {
      let problem = error == .other(EEXIST) ? "already exists" : FileErrorFormatter.problem(error)
      throw UnwritableTest(reason: "\(file.name): \(problem)")
    }
  }
}
