import Foundation
import TestSupport

/// A folder with a metrics file, the tables of its writers, and the processes that write to it.
final class WriterBench {
  let folder: TemporaryFolder
  /// The metrics file.
  let path: String
  private(set) var tables: [String: AckTable] = [:]
  private var nextIndex = 0

  /// - Parameter path: The metrics file, where it is not to lie in the folder.
  init(path: String? = nil) throws {
    folder = try TemporaryFolder()
    self.path = path ?? folder.path("metrics.jsonl")
  }

  /// Starts a writer under a name of its own.
  ///
  /// - Parameters:
  ///   - action: `record`, `foreign` or `gather`.
  ///   - size: About so many bytes a line.
  ///   - options: Words of the form `key=value`.
  ///   - wrapper: A program, with its arguments, that starts the writer.
  func start(
    _ action: String = "record", size: Int = 200, _ options: String..., wrapper: [String] = [],
    environment: [String: String] = [:]
  ) throws -> RunningWriter {
    let name = NumberedRecord.writer(nextIndex, size: size)
    nextIndex += 1
    let table = try AckTable(path: folder.path(name))
    tables[name] = table
    let words =
      wrapper + [try ChildProcess.program("metric-writer"), action, path, folder.path(name), name] + options
    let process = try ChildProcess(
      words[0], Array(words.dropFirst()), environment: environment, output: folder.path("output"))
    return RunningWriter(name: name, table: table, process: process)
  }

  /// Starts a process that removes old entries for as long as it lives.
  func startOptimizing() throws -> ChildProcess {
    try ChildProcess(
      try ChildProcess.program("metric-writer"), ["optimize", path, "31536000"], output: folder.path("output")
    )
  }

  /// The metrics file and its numbered predecessors, oldest first.
  var files: [String] {
    var files = [path]
    while FileManager.default.fileExists(atPath: "\(path).\(files.count)") {
      files.append("\(path).\(files.count)")
    }
    return files.filter(FileManager.default.fileExists(atPath:)).reversed()
  }

  /// What the processes said on their standard streams.
  var output: String {
    (try? String(contentsOfFile: folder.path("output"), encoding: .utf8)) ?? ""
  }

  /// Adds up what became of the records of all writers.
  ///
  /// - Parameter deaths: So many lines may be half written.
  func check(deaths: Int, kept: [String] = [], into tally: inout MatrixRun.Tally) throws {
    try Ledger(tables: tables, kept: kept, deaths: deaths).check(files, into: &tally)
  }
}

/// A writer at work.
struct RunningWriter {
  let name: String
  let table: AckTable
  let process: ChildProcess

  /// Waits until it has recorded so much, or has ended.
  func waitForRecords(_ count: Int = 1) {
    wait { table.offeredAt(count) != 0 || table.isFinished }
  }

  /// Waits until `condition` holds or the process has ended, but not for ever.
  func wait(until condition: () -> Bool) {
    let deadline = ContinuousClock.now + .seconds(30)
    while !condition(), process.isRunning, ContinuousClock.now < deadline { usleep(200) }
  }
}
