import Codecs
import Foundation
import History
import JSONLines
import Platform
import QueryLanguage
import TerminalUI

/// `mistertop stats [FILE]…`: count, extremes, mean, spread and percentiles of every metric, over whole files.
package struct StatsCommand: Command {
  package static let name = "stats"
  package static let operands = "[FILE]…"
  package static let summary = "Prints count, extremes, mean, spread and percentiles of every metric."
  package static let options = SampleSelection.options + [fields, incidents, format, threads, .noIndex]

  private static let fields = CommandOption(
    "fields", help: "give each field of a struct a row of its own, named name.field")
  private static let incidents = CommandOption(
    "incidents", help: "list what was unusual, when and by how much, instead of the metrics (table or json)")
  private static let format = CommandOption("format", "FORMAT", help: "table (default), json or csv")
  private static let threads = CommandOption(
    "threads", "N", help: "the number of cores that read at a time (default: all)")

  package struct Request: Sendable, Equatable {
    /// Files; `-` for standard input.
    package var paths: [String]
    package var selection = SampleSelection()
    /// Whether the fields of structs get rows of their own.
    package var includesFields = false
    /// Whether incidents are listed instead of metrics.
    package var listsIncidents = false
    package var format = StatsFormat.table
    /// Where the indexes of files are kept; `nil` to use none.
    package var indexFolder: String?
    /// How many cores read at a time.
    package var workers = ProcessInfo.processInfo.activeProcessorCount

    package init(paths: [String]) {
      self.paths = paths
    }
  }

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    var request = Request(paths: arguments.files)
    request.includesFields = arguments.has(fields)
    request.listsIncidents = arguments.has(incidents)
    // Incidents are found in all samples of a series, whatever their fields.
    request.selection = try SampleSelection(
      arguments, knowing: request.listsIncidents ? [] : [.fields, .figures])
    request.format = try arguments.choice(format) ?? request.format
    if request.listsIncidents, request.format == .csv { throw .conflict("--incidents", "--format csv") }
    request.indexFolder = arguments.indexFolder
    let count = try arguments.value(threads, expecting: "a number from 1 to 256") { text in
      Int(text).flatMap { (1...256).contains($0) ? $0 : nil }
    }
    request.workers = count ?? request.workers
    return request
  }

  package static func run(_ request: Request, in context: CommandContext) async -> ExitCode {
    if let refusal = PayloadOperands.refusal(of: request.paths, by: Self.self, context.console) {
      return refusal
    }
    return await StatsCommand(request).run(console: context.console)
  }

  private let request: Request

  package init(_ request: Request) {
    self.request = request
  }

  /// Reads the files and writes the table; rejected lines go, by reason, to standard error.
  package func run(console: Console) async -> ExitCode {
    if request.listsIncidents { return listIncidents(console: console) }
    var table = StatsTable()
    var result = ExitCode.success
    for path in request.paths {
      do {
        let (rejections, isWhole) = try await read(path, into: &table)
        for line in FileErrorFormatter.rejections(rejections, of: path, knowsLines: isWhole) {
          console.writeError("mistertop stats: \(line)")
        }
      } catch {
        console.writeError(
          "mistertop stats: \(SafeText.sanitized(path)): \(FileErrorFormatter.problem(error))")
        result = .failed
      }
    }
    let rows = table.rows(chosenBy: request.selection.query)
    console.write(request.format.text(rows, toTerminal: console.isTerminal))
    guard result == .success, rows.isEmpty, request.selection.isUnmet(by: table.met) else { return result }
    console.writeError("mistertop stats: \(table.met.sentence(request.selection))")
    return .failed
  }

  private func listIncidents(console: Console) -> ExitCode {
    var result = ExitCode.success
    for path in request.paths {
      do {
        let listing = try IncidentListing(of: path, request.selection)
        console.write(
          request.format == .json ? try listing.json() : listing.text(zone: .local))
      } catch {
        console.writeError(
          "mistertop stats: \(SafeText.sanitized(path)): \(FileErrorFormatter.problem(error))")
        result = .failed
      }
    }
    return result
  }

  /// - Returns: the lines that were rejected, and whether nothing was left out, so that their numbers are the file's.
  private func read(_ path: String, into table: inout StatsTable) async throws -> (RejectionLog, Bool) {
    if path == "-" { return (try readStandardInput(into: &table), true) }
    let file = try OpenFile(path: path)
    let size = try file.status.size
    let cache = request.indexFolder.map { IndexCache(folder: URL(fileURLWithPath: $0)) }
    let ranges = try IndexedRanges.ranges(of: file, in: request.selection.window, cache: cache)
    var gathered = table
    var rejections = RejectionLog()
    var lines = 0
    for range in ranges {
      try await FileScan(path: path, bytes: range).run(
        workers: request.workers,
        initial: StatsPart(request.selection, includesFields: request.includesFields),
        countsHalfLine: range.upperBound >= size,
        fold: { part, batch, scanner in part.fold(batch, scanner.catalogue) },
        deliver: { part in
          gathered.merge(part.state, part.scanner.catalogue)
          rejections.append(part.scanner.rejections, linesBefore: lines)
          lines += part.scanner.lines
        })
    }
    table = gathered
    return (rejections, ranges == [0..<size])
  }

  private func readStandardInput(into table: inout StatsTable) throws -> RejectionLog {
    var scanner = SampleScanner()
    var batch = SampleBatch()
    var part = StatsPart(request.selection, includesFields: request.includesFields)
    while let data = try FileHandle.standardInput.read(upToCount: 256 << 10), !data.isEmpty {
      data.withUnsafeBytes { scanner.scan($0, into: &batch) }
      part.fold(batch, scanner.catalogue)
      batch.removeAll()
    }
    scanner.finish(into: &batch)
    part.fold(batch, scanner.catalogue)
    table.merge(part, scanner.catalogue)
    return scanner.rejections
  }
}
