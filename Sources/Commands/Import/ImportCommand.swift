package import Foundation
import MisterMetrics
package import Platform
import Telemetry
import TerminalUI

/// `mistertop import FILE… --store FILE`: records the payloads of files as entries.
///
/// Files are read on all cores and recorded in the order of their names. A payload that came before or that the store
/// holds already adds nothing. Each batch is whole payloads; what an import that was ended by force left of one in the
/// store, the next import completes. Of two imports into one store the second waits for the first.
package struct ImportCommand {
  /// Entries are written together when there are so many: a few megabytes.
  private static let batchSize = 8_192
  /// Files are given to the cores in pieces of so many bytes or files.
  private static let pieceSize: (bytes: UInt64, files: Int) = (1 << 20, 64)

  private let request: ImportRequest
  private let console: Console
  private let lockFolder: String
  private let speaker: String
  private let workers: Int

  /// - Parameters:
  ///   - lockFolder: See ``Surroundings/lockFolder``; empty for none.
  ///   - speaker: What complaints begin with.
  package init(
    request: ImportRequest, console: Console, lockFolder: String, speaker: String = "mistertop import: ",
    workers: Int = ProcessInfo.processInfo.activeProcessorCount
  ) {
    self.speaker = speaker
    self.request = request
    self.console = console
    self.lockFolder = lockFolder
    self.workers = workers
  }

  /// Runs to its end, or until it is stopped.
  ///
  /// - Parameters:
  ///   - stop: Raised to end it behind the payloads that are being written.
  ///   - input: What `-` stands for.
  ///   - now: The time of payloads that tell none and come from no file.
  /// - Returns: `failed` if something could not be read or written; all else is recorded even then.
  package func run(stop: WakeSignal = WakeSignal(), input: Int32 = 0, now: Date = Date()) async -> ExitCode {
    do {
      // A rehearsal writes nothing that could come twice.
      let folder = request.isRehearsal ? "" : lockFolder
      let lock = try await ImportLock.take(for: request.store, in: folder, stop: stop) {
        complain(request.store, "waiting for another import into this store")
      }
      defer { lock?.release() }
      return await importAll(stop, input, now)
    } catch {
      complain("stopped", "nothing was recorded")
      return .interrupted
    }
  }

  private func importAll(_ stop: WakeSignal, _ input: Int32, _ now: Date) async -> ExitCode {
    let status = Posix.status(at: request.store)
    if let status, let problem = refusal(status) {
      complain(request.store, problem)
      return .failed
    }
    var finder = PayloadFinder(store: status?.identity)
    for path in request.paths { finder.add(path) }
    var importing: Importing
    do {
      importing = Importing(
        held: try await HeldPayloads(store: request.store, workers: workers),
        store: try MetricFileStore(file: URL(fileURLWithPath: request.store)), request: request)
    } catch {
      complain(request.store, FileWords.problem(error))
      return .failed
    }
    for problem in finder.problems {
      complain(problem.path, problem.text)
      importing.tally.addProblem()
    }
    do {
      try await read(finder.files, into: &importing, stop, input, now)
    } catch is CancellationError {
      complain("stopped", "what was recorded until then is whole")
      return .interrupted
    } catch {
      complain(request.store, "\(error)")
      return .failed
    }
    console.write(importing.tally.text(of: request))
    return importing.tally.problems > 0 ? .failed : .fine
  }

  private func read(
    _ files: [PayloadFinder.Found], into importing: inout Importing, _ stop: WakeSignal, _ input: Int32,
    _ now: Date
  ) async throws {
    let pieces = Self.pieces(files)
    let timeZone = request.timeZone
    var progress = ProgressLine(
      show: console.showProgress, total: files.reduce(0) { $0 + Double($1.size) })
    defer { progress.clear() }
    // More pieces than cores: while a batch is written, none of them waits.
    try await OrderedReduce.runInTask(count: pieces.count, workers: workers * 4) { isStopped in
      { index in
        try pieces[index].map { file in
          if isStopped() { throw CancellationError() }
          return ReadPayloads(path: file.path, input: input, timeZone: timeZone, now: now)
        }
      }
    } deliver: { read in
      if stop.isRaised { throw CancellationError() }
      for file in read {
        if !file.errors.isEmpty { progress.clear() }
        for error in file.errors { complain(file.path, error) }
        try await importing.take(file)
        progress.advance(by: Double(file.size))
      }
    }
    try await importing.flush()
  }

  private static func pieces(_ files: [PayloadFinder.Found]) -> [[PayloadFinder.Found]] {
    var pieces: [[PayloadFinder.Found]] = []
    var bytes: UInt64 = 0
    for file in files {
      if pieces.isEmpty || bytes >= pieceSize.bytes || pieces[pieces.count - 1].count >= pieceSize.files {
        pieces.append([])
        bytes = 0
      }
      pieces[pieces.count - 1].append(file)
      bytes += file.size
    }
    return pieces
  }

  /// Why nothing can be recorded in what stands where the store is to be: what else a file holds would be lost among lines.
  private func refusal(_ status: FileStatus) -> String? {
    guard status.kind == .regular else { return "is no file that metrics could be recorded in" }
    guard status.size > 0 else { return nil }
    do {
      return MetricLines.mayBegin(store: try MetricLines.head(of: request.store))
        ? nil : "holds something else than metrics; nothing is recorded in it"
    } catch {
      return FileWords.problem(error)
    }
  }

  private func complain(_ subject: String, _ words: String) {
    console.complain("\(speaker)\(SafeText.sanitized(subject)): \(words)")
  }

  /// What has been found and written so far.
  private struct Importing {
    let held: HeldPayloads
    let store: MetricFileStore
    let request: ImportRequest
    var tally = ImportTally()
    private var seen: Set<PayloadHash> = []
    private var batch: [MetricEntry] = []

    init(held: HeldPayloads, store: MetricFileStore, request: ImportRequest) {
      (self.held, self.store, self.request) = (held, store, request)
    }

    mutating func take(_ file: ReadPayloads) async throws {
      tally.take(file)
      for item in file.items {
        guard seen.insert(item.hash).inserted else {
          tally.addDuplicate()
          continue
        }
        let missing = held.missing(item.entries, of: item.hash)
        tally.take(item.facts, recorded: missing.count, isNew: !held.holds(item.hash))
        batch += missing
        if batch.count >= ImportCommand.batchSize { try await flush() }
      }
    }

    mutating func flush() async throws {
      defer { batch.removeAll(keepingCapacity: true) }
      if !batch.isEmpty, !request.isRehearsal { try await store.append(batch) }
    }
  }
}
