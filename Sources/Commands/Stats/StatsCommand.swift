package import Aggregation
import ClickHouse
package import Codecs
import Essentials
import History
package import JSONLines
package import Platform
import QueryLanguage
import TerminalUI

/// `mistertop stats [FILE]…`: count, extremes, mean, spread and percentiles of every metric, over whole files.
package struct StatsCommand: Command {
  package static let name = "stats"
  package static let operands = "[FILE | FOLDER | ADDRESS]…"
  package static let summary = "Prints count, extremes, mean, spread and percentiles of every metric."
  package static let examples = [
    CommandExample(
      "mistertop stats --since 2h metrics.jsonl",
      "the last two hours; with an index, only the needed parts are read"),
    CommandExample(
      "mistertop stats --where 'api and p95 > 400ms' metrics.jsonl",
      "only what a query chooses"),
  ]
  package static let options =
    SampleSelection.options + [fields, incidents, sensitivity, format, threads]
    + [.map, .zone, .texts, .noIndex, .authorities]

  package static let readsServers = true

  private static let fields = CommandOption(
    "fields", help: "give each field of a struct a row of its own, named name.field")
  private static let incidents = CommandOption(
    "incidents",
    help: "list incidents in the files and their rotated files instead of the metrics (table or json)")
  private static let sensitivity = CommandOption(
    "sensitivity", "LEVEL", completion: .cases(of: DetectionBudget.Sensitivity.self),
    help: "low, normal or high: about 0.1, 1 or 10 false lines an hour among the incidents (default: normal)")
  private static let format = CommandOption(
    "format", "FORMAT", completion: .cases(of: StatsFormat.self), help: "table (default), json or csv")
  private static let threads = CommandOption(
    "threads", "N", help: "the number of cores to read with (default: all)")

  package struct Request: Sendable, Equatable {
    /// Files; `-` for standard input.
    package var paths: [String]
    /// The server that is read instead of files.
    package var server: ServerOperand?
    package var selection = SampleSelection()
    /// Units from the configuration, by `bucket.name`.
    package var units: [String: ValueUnit] = [:]
    /// True to list the fields of structs in rows of their own.
    package var includesFields = false
    /// True to list incidents instead of metrics.
    package var listsIncidents = false
    /// The number of false lines allowed among the incidents.
    package var sensitivity = DetectionBudget.Sensitivity.normal
    package var format = StatsFormat.table
    /// The folder of the history indexes; `nil` to use none.
    package var indexFolder: String?
    /// The mapping for lines in foreign formats; `nil` to recognize the format.
    package var mapping: LineMapping?
    /// Maximum cores that read at the same time.
    package var workers = ProcessInfo.processInfo.activeProcessorCount
    /// Maximum numbers kept of all metrics together, so that their percentiles are exact.
    package var keptNumbers = keptNumbersLimit

    package init(paths: [String]) {
      self.paths = paths
    }
  }

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    var request = Request(paths: arguments.files)
    request.server = try arguments.server
    request.includesFields = arguments.has(fields)
    request.listsIncidents = arguments.has(incidents)
    // Incidents are detected in all samples of a series, whatever their fields.
    request.selection = try SampleSelection(
      arguments, knowing: request.listsIncidents ? [] : [.fields, .figures, .figuresOfChosen])
    if request.selection.query?.needsFigures ?? false { request.units = arguments.configuration.units }
    request.format = try arguments.choice(format) ?? request.format
    let level: DetectionBudget.Sensitivity? = try arguments.choice(sensitivity)
    if level != nil, !request.listsIncidents { throw .needs(sensitivity.flag, incidents.flag) }
    if request.listsIncidents {
      request.sensitivity = level ?? arguments.configuration.sensitivity ?? request.sensitivity
      if request.server != nil { throw .conflict(incidents.flag, "an address: incidents are found in files") }
      if request.format == .csv { throw .conflict(incidents.flag, "--format csv") }
      // Incidents cover all series and depend on the order of lines, so neither option applies.
      for option in [fields, threads] where arguments.has(option) {
        throw .conflict(incidents.flag, option.flag)
      }
    }
    request.indexFolder = arguments.indexFolder
    request.mapping = try arguments.mapping
    let count = try arguments.value(threads, expecting: "a number from 1 to 256") { text in
      Int(text).flatMap { (1...256).contains($0) ? $0 : nil }
    }
    request.workers = count ?? request.workers
    return request
  }

  package static func run(_ request: Request, in context: CommandContext) async -> ExitCode {
    if request.mapping?.time == nil,
      let refusal = PayloadOperands.refusal(of: request.paths, by: Self.self, context.console)
    {
      return refusal
    }
    var request = request
    if request.server == nil {
      request.paths = FileOperands.files(request.paths) {
        context.console.writeError("mistertop stats: \($0)")
      }
    }
    // All rotated files of a path are open at once while incidents are read.
    if request.listsIncidents { Posix.raiseDescriptorLimit() }
    return await StatsCommand(request).run(console: context.console)
  }

  private let request: Request
  private let clock: @Sendable () -> Timestamp

  /// - Parameter clock: Samples may be ahead of this clock.
  package init(_ request: Request, clock: @escaping @Sendable () -> Timestamp = { .now() }) {
    (self.request, self.clock) = (request, clock)
  }

  /// Reads the files and prints the table; rejected lines are reported by reason on standard error.
  package func run(console: Console) async -> ExitCode {
    if request.listsIncidents { return listIncidents(console: console) }
    var request = request
    if request.server == nil { request.selection.readOrigins(in: request.paths, mapping: request.mapping) }
    return await StatsCommand(request, clock: clock).printTable(console: console)
  }

  private func printTable(console: Console) async -> ExitCode {
    var table = StatsTable(limit: request.keptNumbers)
    var result = ExitCode.success
    for path in request.paths {
      do {
        let outcome = try await read(path, into: &table)
        if report(outcome, of: path, console) == .failed { result = .failed }
      } catch {
        report(error, of: path, console)
        result = .failed
      }
    }
    let rows = table.takeRows(chosenBy: request.selection.query, units: request.units)
    // No head without a row where nothing could be read; an empty list is JSON, too.
    guard result == .success || !rows.isEmpty || request.format == .json else { return result }
    request.format.write(rows, toTerminal: console.isTerminal) { console.write($0) }
    guard result == .success, rows.isEmpty, request.selection.isUnmet(by: table.met) else { return result }
    console.writeError("mistertop stats: \(table.met.sentence(request.selection))")
    return .failed
  }

  private func listIncidents(console: Console) -> ExitCode {
    var result = ExitCode.success
    var listing = IncidentListing(
      request.selection, sensitivity: request.sensitivity, mapping: request.mapping, clock: clock)
    listing.read(request.paths) { path, outcome in
      do {
        if report(try outcome.get(), of: path, console) == .failed { result = .failed }
      } catch {
        report(error, of: path, console)
        result = .failed
      }
    }
    do {
      console.write(request.format == .json ? try listing.json() : listing.text(zone: .local, now: clock()))
    } catch {
      console.writeError("mistertop stats: \(FileErrorFormatter.problem(error))")
      return .failed
    }
    guard result == .success, !listing.isChosen, request.selection.isUnmet(by: listing.met) else {
      return result
    }
    console.writeError("mistertop stats: \(listing.met.sentence(request.selection))")
    return .failed
  }

  /// Reports the outcome of a file's lines.
  ///
  /// - Returns: `failed` if nothing of the file could be read, or only part of a packed one.
  private func report(_ outcome: ReadingOutcome, of path: String, _ console: Console) -> ExitCode {
    for line in outcome.lines(of: path, mapping: request.mapping) {
      console.writeError("mistertop stats: \(line)")
    }
    return outcome.isFailed ? .failed : .success
  }

  private func report(_ error: any Error, of path: String, _ console: Console) {
    console.writeError("mistertop stats: \(SafeText.sanitized(path)): \(FileErrorFormatter.problem(error))")
  }

  private func read(_ path: String, into table: inout StatsTable) async throws -> ReadingOutcome {
    if let server = request.server { return try read(server, into: &table) }
    if path == "-" { return try readStream(STDIN_FILENO, into: &table) }
    if StreamedFile.isNeeded(path) {
      let packed = try Posix.open(path)
      defer { Posix.close(packed) }
      return try readStream(packed, into: &table)
    }
    let file = try OpenFile(path: path, mapping: request.mapping)
    let size = try file.status.size
    let cache = request.indexFolder.map { IndexCache(folder: URL(fileURLWithPath: $0)) }
    let ranges = try IndexedRanges.ranges(of: file, in: request.selection.window, cache: cache)
    var gathered = table
    var outcome = ReadingOutcome()
    outcome.isWhole = ranges == [0..<size]
    for range in ranges {
      try await FileScan(path: path, bytes: range, mapping: request.mapping).run(
        workers: request.workers,
        initial: StatsPart(
          request.selection, includesFields: request.includesFields, limit: request.keptNumbers),
        countsHalfLine: range.upperBound >= size,
        fold: { part, batch, scanner in part.fold(batch, scanner.catalogue) },
        deliver: { part in
          gathered.merge(part.state, part.scanner.catalogue)
          outcome.add(part.scanner)
        })
    }
    table = gathered
    return outcome
  }

  /// Reads the samples of a server as the lines that they were.
  private func read(_ server: ServerOperand, into table: inout StatsTable) throws -> ReadingOutcome {
    let source = ClickHouseSource(of: server, ProcessEnvironment.ofProcess.variables)
    var outcome = ReadingOutcome()
    for source in try source.exportSources(in: request.selection.window, of: .all) {
      var part = StatsPart(
        request.selection, includesFields: request.includesFields, limit: request.keptNumbers)
      var last = MetricCatalogue()
      _ = try source.forEachPiece { batch, catalogue, _, _ in
        part.fold(batch, catalogue)
        last = catalogue
      }
      table.merge(part, last)
    }
    outcome.isWhole = false
    return outcome
  }

  private func readStream(_ descriptor: Int32, into table: inout StatsTable) throws -> ReadingOutcome {
    var stream = SampleStream(descriptor: descriptor, mapping: request.mapping)
    var part = StatsPart(
      request.selection, includesFields: request.includesFields, limit: request.keptNumbers)
    try stream.forEachBatch { part.fold($0, $1) }
    table.merge(part, stream.catalogue)
    return stream.outcome
  }
}
