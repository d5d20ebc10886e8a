import Foundation
import MisterMetricsCore
import TestSupport

/// A folder with a metrics file, the tables of its writers, and the processes that write to it.
final class WriterBench {
  let folder: TemporaryFolder
  /// The metrics file.
  let path: String
  private(set) var tables: [String: AckTable] = [:]
  private var nextIndex = 0

  /// - Parameters:
  ///   - path: The metrics file, where it is not to lie in the folder.
  ///   - folder: A folder of its own if there is none yet.
  init(path: String? = nil, in folder: TemporaryFolder? = nil) throws {
    self.folder = try folder ?? TemporaryFolder()
    let folder = self.folder
    self.path = path ?? folder.path("metrics.jsonl")
  }

  /// Starts a writer under a name of its own.
  ///
  /// - Parameters:
  ///   - options: Words of the form `key=value`.
  ///   - action: `record`, `foreign` or `gather`.
  ///   - size: About so many bytes a line.
  ///   - wrapper: A program, with its arguments, that starts the writer.
  ///   - environment: What is added to the environment.
  func start(
    _ options: String..., action: String = "record", size: Int = 200, wrapper: [String] = [],
    environment: [String: String] = [:]
  ) throws -> RunningWriter {
    let name = newName(size: size)
    let table = try makeTable(name)
    let words =
      wrapper + [try ChildProcess.program("metric-writer"), action, path, folder.path(name), name] + options
    let process = try ChildProcess(
      words[0], Array(words.dropFirst()), environment: environment, output: folder.path("output"))
    return RunningWriter(name: name, table: table, process: process)
  }

  /// A name that no other writer has.
  func newName(size: Int) -> String {
    defer { nextIndex += 1 }
    return NumberedRecord.writer(nextIndex, size: size)
  }

  /// The table of a writer.
  func makeTable(_ writer: String) throws -> AckTable {
    let table = try AckTable(path: folder.path(writer))
    tables[writer] = table
    return table
  }

  /// Starts a process that removes old entries for as long as it lives.
  func startOptimizing() throws -> ChildProcess {
    try ChildProcess(
      try ChildProcess.program("metric-writer"), ["optimize", path, "31536000"], output: folder.path("output")
    )
  }

  /// Waits until a compaction is under way, but not for long: it may have been just now.
  func waitForCompaction() {
    func isUnderWay() -> Bool {
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      return names?.contains { $0.hasPrefix(".metrics.jsonl.mistertop-") } ?? false
    }
    for _ in 0..<1_000 where !isUnderWay() { usleep(200) }
  }

  /// The metrics file and its numbered predecessors, oldest first, whatever numbers there are.
  var files: [String] {
    let url = URL(fileURLWithPath: path)
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)) ?? []
    let start = url.lastPathComponent + "."
    let numbers = names.filter { $0.hasPrefix(start) }.compactMap { Int($0.dropFirst(start.count)) }
    return (numbers.sorted(by: >).map { "\(path).\($0)" } + [path])
      .filter(FileManager.default.fileExists(atPath:))
  }

  /// How many acknowledged records the library's own reader does not give back.
  func countUnreadable() async throws -> Int {
    let entries = try await MetricFileStore(file: URL(fileURLWithPath: path))
      .retrieveAll(from: .distantPast, until: .distantFuture)
    let found = Set(entries.map { "\($0.metric.name) \($0.metric.bucket?.id ?? "")" })
    return tables.reduce(0) { sum, writer in
      let (name, table) = writer
      return sum
        + (0..<table.offered).count {
          table.fate(of: $0) == .acknowledged && !found.contains("\(name) \($0)")
        }
    }
  }

  /// The output of the processes.
  var output: String {
    (try? String(contentsOfFile: folder.path("output"), encoding: .utf8)) ?? ""
  }

  /// Adds up what became of the records of all writers.
  ///
  /// - Parameters:
  ///   - deaths: So many lines may be half written.
  ///   - kept: Lines that must be there besides.
  ///   - copies: Whether a record may stand in two files, as after a failed sync.
  ///   - foreign: Whether a writer that takes no lock is among them.
  func check(
    deaths: Int, kept: [String] = [], copies: Bool = false, foreign: Bool = false,
    into tally: inout MatrixRun.Tally
  ) throws {
    let ledger = Ledger(
      tables: tables, kept: kept, allowsCopiesInOtherFiles: copies, deaths: deaths, allowsBlankLines: foreign)
    try ledger.check(files, into: &tally)
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
