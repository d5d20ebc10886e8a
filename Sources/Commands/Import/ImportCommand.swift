package import Codecs
import Dispatch
package import Essentials
import MisterMetricsCore
package import Platform
import Symbolication
import TelemetryCore
import TerminalUI

/// `mistertop import FILE… --store FILE`: records the payloads of files as entries.
///
/// Files are read on all cores and recorded in the order of their names. A payload that was imported before, or that
/// the store (including its rotated and packed files) already holds, adds nothing. A batch consists of whole payloads;
/// if an import is killed in the middle of one, the next import completes it. If two imports write to the same store,
/// the second waits for the first.
package struct ImportCommand: Command {
  package static let name = "import"
  package static let operands = "[FILE | FOLDER | -]…"
  package static let summary =
    "Records the MetricKit payloads of files and folders, each once: JSON, wrapped or not, gzip too."
  package static let examples = [
    CommandExample(
      "mistertop import payloads/ --store metrics.jsonl",
      "MetricKit payloads of a folder, each once"),
    CommandExample(
      "mistertop import --dry-run payload.json.gz",
      "report what would be recorded"),
  ]
  package static let options = [.store, zone, userKey, dryRun] + SymbolOptions.options

  private static let zone = CommandOption(
    "zone", "ZONE", completion: .zones,
    help: "the time zone of the devices, for times without one (default: this machine's)")
  private static let userKey = CommandOption(
    "user-key", "PATH", completion: .nothing,
    help: "the keys to the user or device around a payload, such as event.user.id (default: the usual names)")
  private static let dryRun = CommandOption(
    "dry-run", help: "report what would be recorded, and record nothing")

  package struct Request: Sendable, Equatable {
    /// Files and folders; `-` for standard input.
    package var paths: [String]
    /// The metrics file.
    package var store: String
    /// The time zone of the devices, for times that are written without one.
    package var timeZone: ZoneOffsets
    /// The keys to the user; `nil` for the usual ones.
    package var userKey: String?
    /// True to report what would be recorded without recording it.
    package var isDryRun = false
    /// The debug symbols that name the functions in call stacks.
    package var symbols = SymbolOptions()

    package init(paths: [String], store: String, timeZone: ZoneOffsets) {
      (self.paths, self.store, self.timeZone) = (paths, store, timeZone)
    }
  }

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    guard !arguments.operands.isEmpty else {
      throw .missingOperand("FILE, the file or folder with payloads")
    }
    let store = try arguments.fileName(.store) ?? arguments.environment.defaultStore
    let timeZone = try arguments.zone(zone)
    var request = Request(paths: arguments.namedFiles, store: store, timeZone: timeZone ?? .current)
    request.isDryRun = arguments.has(dryRun)
    request.userKey = arguments.value(userKey)
    request.symbols = try .named(in: arguments)
    return request
  }

  /// Blocks the main thread; if it were free to run other work, it could receive the signals.
  package static func run(_ request: Request, in context: CommandContext) -> ExitCode {
    let stop = WakeSignal()
    // Signals keep their default action, or a read from a pipe could not be interrupted; nothing is recorded before it
    // ends.
    let signals = request.paths.contains("-") ? nil : TerminationSignals(stop: stop)
    let code = Locked(ExitCode.failed)
    let end = DispatchSemaphore(value: 0)
    let command = ImportCommand(request, console: context.console, lockFolder: context.environment.lockFolder)
    Task.detached {
      let result = await command.run(stop: stop)
      code.withLock { $0 = result }
      end.signal()
    }
    end.wait()
    signals?.dieOfSignal()
    return code.withLock { $0 }
  }

  /// Entries written at once: a few megabytes.
  private static let batchSize = 8_192
  /// Maximum bytes and files that one task reads.
  private static let pieceSize: (bytes: UInt64, files: Int) = (1 << 20, 64)

  private let request: Request
  private let console: Console
  private let lockFolder: String
  private let speaker: String
  private let workers: Int

  /// - Parameters:
  ///   - lockFolder: See ``ProcessEnvironment/lockFolder``; empty for none.
  ///   - speaker: The prefix of error messages.
  package init(
    _ request: Request, console: Console, lockFolder: String, speaker: String = "mistertop import: ",
    workers: Int = ProcessInfo.processInfo.activeProcessorCount
  ) {
    self.speaker = speaker
    self.request = request
    self.console = console
    self.lockFolder = lockFolder
    self.workers = workers
  }

  /// Runs to the end, or until it is stopped.
  ///
  /// - Parameters:
  ///   - stop: Raised to stop after the payloads that are being written.
  ///   - input: The descriptor that `-` stands for.
  ///   - now: The time of payloads that have none and do not come from a file.
  /// - Returns: `failed` if anything could not be read or written; the rest is recorded nevertheless.
  package func run(stop: WakeSignal = WakeSignal(), input: Int32 = 0, now: Date = Date()) async -> ExitCode {
    do {
      // A dry run writes nothing, so it needs no protection from other imports.
      let lock =
        request.isDryRun
        ? nil
        : try await ImportLock.take(for: request.store, in: lockFolder, stop: stop) {
          report(request.store, "waiting for another import into this store")
        }
      defer { lock?.release() }
      return try await importAll(stop, input, now)
    } catch {
      report("stopped", "nothing was recorded")
      return .interrupted
    }
  }

  /// - Throws: `CancellationError` if it is stopped before anything is recorded.
  private func importAll(_ stop: WakeSignal, _ input: Int32, _ now: Date) async throws -> ExitCode {
    let status = Posix.status(at: request.store)
    if let status, let problem = refusal(status) {
      report(request.store, problem)
      return .failed
    }
    var finder = PayloadFinder(store: status?.identity)
    for path in request.paths { finder.add(path) }
    var importing: Importing
    do {
      importing = Importing(
        stored: try await StoredPayloads(store: request.store, workers: workers, stop: stop),
        store: try MetricFileStore(path: request.store), request: request)
    } catch let unread as StoredPayloads.Unread {
      let problem = FileErrorFormatter.problem(unread.cause)
      report(unread.path, "\(problem); nothing was recorded: it may already hold the payloads")
      return .failed
    } catch let stopped as CancellationError {
      throw stopped
    } catch {
      report(request.store, FileErrorFormatter.problem(error))
      return .failed
    }
    for note in importing.stored.notes {
      report(note.path, note.text)
      importing.summary.addProblem()
    }
    for problem in finder.problems {
      report(problem.path, problem.text)
      importing.summary.addProblem()
    }
    do {
      try await read(finder.files, into: &importing, stop, input, now)
    } catch is CancellationError {
      report("stopped", "the payloads recorded so far are complete")
      return .interrupted
    } catch {
      report(request.store, "\(error)")
      return .failed
    }
    if let symbols = importing.symbols { finish(symbols, &importing.summary) }
    console.write(importing.summary.text(of: request))
    return importing.summary.problems > 0 ? .failed : .success
  }

  /// Keeps the symbols that were looked up, and reports those that were not found.
  private func finish(_ symbols: Symbolicator, _ summary: inout ImportSummary) {
    symbols.keep()
    for problem in symbols.problems {
      console.writeError("\(speaker)\(SafeText.sanitized(problem))")
      summary.addProblem()
    }
    summary.missing = symbols.missing.modules
  }

  private func read(
    _ files: [PayloadFinder.Found], into importing: inout Importing, _ stop: WakeSignal, _ input: Int32,
    _ now: Date
  ) async throws {
    let pieces = Self.pieces(files)
    let (timeZone, userKey) = (request.timeZone, request.userKey)
    var progress = ProgressLine(
      show: console.showProgress, total: files.reduce(0) { $0 + Double($1.size) })
    defer { progress.clear() }
    // More pieces in flight than cores, so that no core is idle while a batch is written.
    try await OrderedReduce.runInTask(count: pieces.count, workers: workers * 4) { isStopped in
      { index in
        try pieces[index].map { file in
          if isStopped() { throw CancellationError() }
          return PayloadFileContents(
            path: file.path, input: input, timeZone: timeZone, userKey: userKey, now: now)
        }
      }
    } deliver: { read in
      if stop.isRaised { throw CancellationError() }
      for file in read {
        if !file.errors.isEmpty { progress.clear() }
        for error in file.errors { report(file.path, error) }
        try await importing.add(file)
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

  /// The reason not to record into an existing file: contents of another kind would be mixed with the lines.
  private func refusal(_ status: FileStatus) -> String? {
    guard status.kind == .regular else { return "is not a regular file, so nothing can be recorded in it" }
    guard status.size > 0 else { return nil }
    do {
      return MetricLines.mayBegin(store: try MetricLines.head(of: request.store))
        ? nil : "is not a metrics file; nothing was recorded in it"
    } catch {
      return FileErrorFormatter.problem(error)
    }
  }

  private func report(_ subject: String, _ problem: String) {
    console.writeError("\(speaker)\(SafeText.sanitized(subject)): \(problem)")
  }

  /// The state of an import in progress.
  private struct Importing {
    let stored: StoredPayloads
    let store: MetricFileStore
    let request: Request
    /// The symbols of the named folders; nothing is named by the cache alone, so that equal imports are equal.
    let symbols: Symbolicator?
    var summary = ImportSummary()
    private var seen: Set<PayloadHash> = []
    private var batch: [MetricEntry] = []

    init(stored: StoredPayloads, store: MetricFileStore, request: Request) {
      (self.stored, self.store, self.request) = (stored, store, request)
      symbols = request.symbols.folders.isEmpty ? nil : request.symbols.makeSymbolicator()
    }

    mutating func add(_ file: PayloadFileContents) async throws {
      summary.add(file)
      for item in file.items {
        guard seen.insert(item.source.contentHash).inserted else {
          summary.addDuplicate()
          continue
        }
        let entries =
          symbols.map { symbols in item.entries.map { $0.symbolicated(by: symbols) } } ?? item.entries
        let missing = stored.missing(entries, of: item.source)
        summary.add(item.facts, recorded: missing.count, isNew: !stored.contains(item.source))
        batch += missing
        if batch.count >= ImportCommand.batchSize { try await flush() }
      }
    }

    mutating func flush() async throws {
      defer { batch.removeAll(keepingCapacity: true) }
      if !batch.isEmpty, !request.isDryRun { try await store.append(batch) }
    }
  }
}
