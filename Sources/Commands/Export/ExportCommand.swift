import ClickHouse
import DashboardCore
import Essentials
package import History
package import JSONLines
package import Platform
import QueryLanguage
import Symbolication
import TelemetryCore
import TerminalUI

/// `mistertop export [FILE]…`: writes samples in a format that other programs read.
///
/// A file is written completely or not at all. Output to a terminal contains no control sequences.
package struct ExportCommand: Command {
  package static let name = "export"
  package static let operands = "[FILE | FOLDER | - | ADDRESS]…"
  package static let summary =
    "Writes samples as CSV, JSON Lines, OpenMetrics or InfluxDB line protocol, or imported payloads."
  package static let examples = [
    CommandExample(
      "mistertop export --since 2h --format csv metrics.jsonl",
      "the last two hours as a table"),
    CommandExample(
      "mistertop export --format openmetrics --label host=web1 metrics.jsonl",
      "samples for Prometheus, with the name of the host"),
  ]
  package static let options =
    SampleSelection.options + [
      format, labels, label, each, output, force, .map, .zone, .texts, .noIndex, .authorities,
    ]
    + SymbolOptions.options

  package static let readsServers = true

  private static let format = CommandOption(
    "format", "FORMAT", completion: .words(ExportFormat.allCases.map(\.rawValue) + [crashReports]),
    help:
      "csv (default), jsonl (the lines as recorded), openmetrics, influx, metrickit (payloads) or ips (crash reports)"
  )
  private static let labels = CommandOption(
    "labels", "LIST", completion: .words(PayloadOriginTable.dimensions.sorted()),
    help:
      "the dimensions of payloads that become labels, tags or columns: version, build, device, os, region, state …"
  )
  private static let label = CommandOption(
    "label", "NAME=VALUE", help: "a label, tag or column of every sample, such as host=web1 (repeatable)")
  private static let each = CommandOption(
    "each", help: "with openmetrics: single payloads, with a short id, instead of the sums of days")
  /// The name of the format of Apple's crash reports, whose output is a folder.
  private static let crashReports = "ips"
  private static let output = CommandOption(
    "output", "FILE",
    help: "the file to write, whole or not at all; for ips a folder (default: standard output)")
  private static let force = CommandOption("force", help: "replace the output file if it exists")

  package struct Request: Sendable, Equatable {
    /// Files; `-` for standard input.
    package var paths: [String]
    /// The server that is read instead of files.
    package var server: ServerOperand?
    package var selection = SampleSelection()
    package var format = ExportFormat.csv
    /// The dimensions of payloads to write; `nil` for those usual in the format.
    package var labels: [String]?
    /// The labels of every sample.
    package var fixedLabels: [ExportOptions.Label] = []
    /// True for single payloads instead of the sums of days.
    package var isEach = false
    /// True to write the crashes of payloads as Apple's crash reports, each to a file in the folder `output`.
    package var isOfCrashes = false
    /// The file to write; `nil` for standard output.
    package var output: String?
    /// True to replace an existing file.
    package var replaces = false
    /// The folder of the history indexes; `nil` to use none.
    package var indexFolder: String?
    /// The mapping for lines in foreign formats; `nil` to recognize the format.
    package var mapping: LineMapping?
    /// The debug symbols that name the functions in call stacks.
    package var symbols = SymbolOptions()

    package init(paths: [String]) {
      self.paths = paths
    }
  }

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    var request = Request(paths: arguments.files)
    request.server = try arguments.server
    request.selection = try SampleSelection(arguments, knowing: .fields)
    let name = try arguments.choice(format)
    request.isOfCrashes = name == crashReports
    if request.isOfCrashes, request.server != nil {
      throw .conflict("--format \(crashReports)", "an address: crash reports are made of payload files")
    }
    request.format = name.flatMap(ExportFormat.init) ?? request.format
    request.labels = try labels(arguments)
    request.fixedLabels = try fixedLabels(arguments, request.format, isOfCrashes: request.isOfCrashes)
    request.isEach = arguments.has(each)
    if request.isEach, request.format != .openmetrics { throw .needs(each.flag, "--format openmetrics") }
    request.output = try arguments.fileName(output).flatMap { $0 == "-" ? nil : $0 }
    request.replaces = arguments.has(force)
    request.indexFolder = arguments.indexFolder
    request.mapping = try arguments.mapping
    // Crash reports have the functions that are known from before, too.
    request.symbols = try request.isOfCrashes ? SymbolOptions(arguments) : .named(in: arguments)
    return request
  }

  private static func labels(_ arguments: Arguments) throws(UsageError) -> [String]? {
    let known = PayloadOriginTable.dimensions
    return try arguments.value(labels, expecting: "a list of \(Arguments.list(known.sorted()))") { text in
      let names = text.split(separator: ",").map(String.init)
      return Set(names).count == names.count && known.isSuperset(of: names) ? names : nil
    }
  }

  private static func fixedLabels(
    _ arguments: Arguments, _ format: ExportFormat, isOfCrashes: Bool
  ) throws(UsageError) -> [ExportOptions.Label] {
    var found: [ExportOptions.Label] = []
    for text in arguments.values(label) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts[0]
      guard parts.count == 2, !parts[1].isEmpty, name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil else {
        throw .invalidValue(text, for: label.flag, expected: "NAME=VALUE, a name of letters, digits and _")
      }
      let taken = ExportOptions.Label.reserved.union(PayloadOriginTable.dimensions).union(found.map(\.name))
      guard !taken.contains(name), !name.hasPrefix("__") else {
        throw .invalidValue(text, for: label.flag, expected: "a name that has no other meaning in an export")
      }
      found.append(ExportOptions.Label(name, parts[1]))
    }
    guard found.isEmpty || !isOfCrashes && [.csv, .openmetrics, .influx].contains(format) else {
      throw .needs(label.flag, "--format csv, openmetrics or influx")
    }
    return found
  }

  package static func run(_ request: Request, in context: CommandContext) -> ExitCode {
    if request.mapping?.time == nil,
      let refusal = PayloadOperands.refusal(of: request.paths, by: Self.self, context.console)
    {
      return refusal
    }
    var request = request
    if request.server == nil {
      request.paths = FileOperands.files(request.paths) {
        context.console.writeError("mistertop export: \($0)")
      }
    }
    let stop = WakeSignal()
    // Only an output file needs cleanup after a signal.
    let signals = request.output.map { _ in TerminationSignals(stop: stop) }
    let code = ExportCommand(request, console: context.console).run(stop: stop)
    signals?.dieOfSignal()
    return code
  }

  private let request: Request
  private let console: Console
  private let temporaryFolder: String

  package init(
    _ request: Request, console: Console,
    temporaryFolder: String = FileManager.default.temporaryDirectory.path
  ) {
    self.request = request
    self.console = console
    self.temporaryFolder = temporaryFolder
  }

  /// Runs to the end, or until it is stopped.
  ///
  /// - Parameters:
  ///   - stop: Raised to stop it.
  ///   - input: The descriptor that `-` stands for.
  package func run(stop: WakeSignal = WakeSignal(), input: Int32 = 0) -> ExitCode {
    if request.isOfCrashes {
      var crashes = CrashReportExport(request, console: console)
      return crashes.run(stop: stop, input: input)
    }
    guard let files = openFiles(input) else { return .failed }
    // Makes the file size limit an error instead of a fatal signal that leaves a temporary file behind.
    signal(SIGXFSZ, SIG_IGN)
    do {
      guard let path = request.output else {
        return try write(files, stop) { [isTerminal = console.isTerminal] in
          isTerminal ? console.write(SafeText.decode($0)) : console.writeBytes($0)
        }.code
      }
      let former = try fileToReplace(at: path, input)
      let file = try ReplacementFile(for: path, readers: .usual, links: .followed)
      let (code, isUnread) = try write(files, stop) { try file.write($0) }
      guard !isUnread else {
        report(path, "was not written: no sample could be read")
        return code
      }
      guard request.replaces else {
        try file.putInFreePlace()
        return code
      }
      try file.takeAttributesOfReplaced()
      // Root must not hand its output to the owner of a file that has just appeared there.
      let owner = try Posix.status(of: file.descriptor).owner
      guard owner == geteuid() || owner == former?.owner else {
        throw FileFailure(.useFile(path), number: EACCES)
      }
      try file.putInPlace()
      return code
    } catch is CancellationError {
      return .interrupted
    } catch let unknown as UnknownMetric {
      console.writeError("mistertop export: \(unknown.sentence)")
    } catch let refusal as Refusal {
      report(request.output ?? "", refusal.rawValue)
    } catch let problem as SourceProblem {
      report(problem.path, FileErrorFormatter.problem(problem.error))
    } catch let failure as FileFailure where failure == .other(EEXIST) {
      report(request.output ?? "", Refusal.exists.rawValue)
    } catch {
      report(request.output ?? temporaryFolder, FileErrorFormatter.problem(error))
    }
    return .failed
  }

  private func report(_ path: String, _ problem: String) {
    console.writeError("mistertop export: \(SafeText.sanitized(path)): \(problem)")
  }

  // MARK: Input

  private struct SourceProblem: Error {
    let path: String
    let error: any Error
  }

  /// All files, opened before anything is written; `nil` if one cannot be opened.
  private func openFiles(_ input: Int32) -> [(path: String, source: ExportSource)]? {
    let cache = request.indexFolder.map { IndexCache(folder: URL(fileURLWithPath: $0)) }
    var sources: [(String, ExportSource)] = []
    for path in request.paths {
      do {
        if let server = request.server {
          sources += try serverSources(server).map { (path, $0) }
          continue
        }
        sources.append((path, try request.source(of: path, input: input, cache: cache)))
      } catch {
        report(path, FileErrorFormatter.problem(error))
        return nil
      }
    }
    return sources
  }

  private func serverSources(_ server: ServerOperand) throws -> [ExportSource] {
    try ClickHouseSource(of: server, ProcessEnvironment.ofProcess.variables)
      .exportSources(in: request.selection.window, of: .all)
  }

  // MARK: Output

  private func makeStream(_ symbols: Symbolicator?) -> ExportStream {
    var selection = request.selection
    if request.server == nil { selection.readOrigins(in: request.paths, mapping: request.mapping) }
    var payloads = ExportOptions.known
    (payloads.labels, payloads.isEach, payloads.fixed) = (request.labels, request.isEach, request.fixedLabels)
    return ExportStream(
      request.format.writer(temporaryFolder: temporaryFolder, payloads: payloads),
      filter: selection.filter(symbols))
  }

  /// - Returns: `failed` if nothing of a file could be read, or only part of a packed one; `isUnread` if in that case
  ///   no sample was written at all.
  private func write(
    _ sources: [(path: String, source: ExportSource)], _ stop: WakeSignal, to emit: ([UInt8]) throws -> Void
  ) throws -> (code: ExitCode, isUnread: Bool) {
    var code = ExitCode.success
    // Without a named folder nothing is added, so that what is exported depends on what is recorded alone.
    let symbols = request.symbols.folders.isEmpty ? nil : request.symbols.makeSymbolicator()
    var stream = makeStream(symbols)
    var output: [UInt8] = []
    var met = EmptySelection(of: "sample", seesFields: false)
    var progress = ProgressLine(
      show: request.output == nil && console.isTerminal ? nil : console.showProgress,
      total: sources.reduce(0) { sum, next in sum.flatMap { sum in next.source.size.map { sum + $0 } } })
    defer { progress.clear() }
    for (path, source) in sources {
      stream.beginSource()
      var metrics = 0
      let outcome: ExportSource.Outcome
      do {
        outcome = try source.forEachPiece { batch, catalogue, chunk, offset in
          if stop.isRaised { throw CancellationError() }
          met.note(catalogue, from: &metrics)
          try sorting { () throws(FileFailure) in
            try stream.take(batch, catalogue, chunk: chunk, at: offset, into: &output)
          }
          progress.advance(by: Double(chunk.count))
          try emit(output)
          output.removeAll(keepingCapacity: true)
        }
      } catch let error as POSIXError {
        throw SourceProblem(path: path, error: error)
      } catch let problem as ServerProblem {
        throw SourceProblem(path: path, error: problem)
      }
      progress.clear()
      if outcome.isUnreadable || outcome.note != nil { code = .failed }
      for line in outcome.lines(of: path, knowsLines: source.isWhole) + outcome.advice(path, request.mapping)
      {
        console.writeError("mistertop export: \(line)")
      }
    }
    // Head of the output, not emitted yet if there was no piece.
    if code == .success { try emit(output + stream.head()) }
    try finish(&stream, stop, to: emit)
    if let symbols, !finish(symbols) { code = .failed }
    let isUnread = code == .failed && stream.written == 0
    return (try reportOmissions(stream, met) ? code : .failed, isUnread)
  }

  /// Keeps the symbols that were looked up.
  ///
  /// - Returns: False if something went wrong, which is reported.
  private func finish(_ symbols: Symbolicator) -> Bool {
    symbols.keep()
    for problem in symbols.problems { console.writeError("mistertop export: \(SafeText.sanitized(problem))") }
    return symbols.problems.isEmpty
  }

  private func finish(
    _ stream: inout ExportStream, _ stop: WakeSignal, to emit: ([UInt8]) throws -> Void
  ) throws {
    /// Distinguishes a failure of the output from a failure of the temporary sort files.
    struct OutputProblem: Error { let error: any Error }
    do {
      try stream.finish { bytes in
        if stop.isRaised { throw CancellationError() }
        do { try emit(bytes) } catch { throw OutputProblem(error: error) }
      }
    } catch let problem as OutputProblem {
      throw problem.error
    } catch let failure as FileFailure {
      throw SourceProblem(path: temporaryFolder, error: failure)
    }
  }

  /// Attributes a failure of the sorting to the folder of temporary files.
  private func sorting(_ body: () throws(FileFailure) -> Void) throws {
    do throws(FileFailure) { try body() } catch { throw SourceProblem(path: temporaryFolder, error: error) }
  }

  /// - Returns: False if the query matches nothing.
  /// - Throws: `UnknownMetric` if a metric or a bucket of the selection does not exist.
  private func reportOmissions(
    _ stream: ExportStream, _ met: EmptySelection
  ) throws(UnknownMetric) -> Bool {
    let selection = request.selection
    if stream.written == 0, stream.omitted == 0, selection.isUnmet(by: met) {
      let unknown = UnknownMetric(sentence: met.sentence(selection))
      guard selection.query != nil else { throw unknown }
      // A file without samples is what was asked for, but a script that reads only the exit code has to know.
      console.writeError("mistertop export: \(unknown.sentence)")
      return false
    }
    guard stream.omitted > 0 else { return true }
    let (samples, were) =
      stream.omitted == 1 ? ("1 sample", "was") : ("\(stream.omitted) samples", "were")
    console.writeError(
      "mistertop export: \(samples) cannot be expressed in \(request.format.rawValue) and \(were) left out")
    return true
  }

  // MARK: The output file

  /// A requested metric that does not exist.
  private struct UnknownMetric: Error {
    let sentence: String
  }

  private enum Refusal: String, Error {
    case exists = "already exists; --force replaces it"
    case isRead = "is one of the inputs, so it cannot be the output"
    case isNoFile = "is not a regular file, so it cannot be replaced"
  }

  /// The file to be replaced by the output, if any; checked before any work is done.
  ///
  /// - Throws: `Refusal` if that file is an input, must not be replaced, or is not a regular file.
  private func fileToReplace(at path: String, _ input: Int32) throws -> FileStatus? {
    let streams = request.paths.contains("-") ? [input] : []
    let sources = request.paths.filter { $0 != "-" }.map { TailSource.file($0) }
    let status = Posix.status(at: path)
    guard let status else { return nil }
    guard !PositionStore.isFollowed(path, by: sources, streams: streams) else { throw Refusal.isRead }
    guard request.replaces else { throw Refusal.exists }
    guard status.kind == .regular else { throw Refusal.isNoFile }
    return status
  }
}

extension ExportCommand.Request {
  /// - Parameter input: The descriptor that `-` stands for.
  func source(of path: String, input: Int32, cache: IndexCache? = nil) throws -> ExportSource {
    path == "-"
      ? ExportSource(descriptor: input, mapping: mapping)
      : try ExportSource(path: path, window: selection.window, cache: cache, mapping: mapping)
  }
}

extension SampleSelection {
  /// - Parameter symbols: Names the functions in call stacks.
  fileprivate func filter(_ symbols: Symbolicator?) -> ExportStream.Filter {
    var filter = ExportStream.Filter(since: since, until: until) { admits($0) }
    if query?.needsFields == true { filter.chooses = { chooses($0, of: $1, payload: $2) } }
    if let symbols {
      filter.replaces = { metric, payload in
        guard metric.bucket == PayloadArchive.bucket else { return nil }
        return PayloadDiagnostic.symbolicated(Array(payload), of: metric.name, by: symbols).map(Array.init)
      }
    }
    return filter
  }
}
