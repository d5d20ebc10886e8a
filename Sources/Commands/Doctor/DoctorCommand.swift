import DashboardCore
import Essentials
package import JSONLines
import Platform
import Symbolication
import TerminalUI

/// `mistertop doctor FILE | FOLDER | ADDRESS…`: examines files and databases and reports problems in them.
///
/// Metrics files are examined line by line; payload files, recognized by their keys, payload by payload. `-` is
/// standard input, read to its end before anything is reported. Of a folder, the files that are followed are examined,
/// and those that may hold payloads. Of a database, samples are compared with their numbers and their rollups.
package struct DoctorCommand: Command {
  package static let name = "doctor"
  package static let operands = "FILE | FOLDER | ADDRESS…"
  package static let summary =
    "Checks metrics files (unreadable lines, order of time, torn ends), payload files and databases; - is standard input."

  package static let examples = [
    CommandExample(
      "mistertop doctor metrics.jsonl",
      "what is wrong with a file, with line and byte"),
    CommandExample(
      "mistertop doctor crash.json --dsym symbols/",
      "the builds whose symbols are missing"),
  ]
  package static let options: [CommandOption] = [.map, .zone, .texts, .authorities] + SymbolOptions.options

  package static let readsServers = true

  package struct Request: Sendable, Equatable {
    /// Files; `-` for standard input.
    package var paths: [String]
    /// The mapping for lines in foreign formats; `nil` to recognize the format.
    package var mapping: LineMapping?
    /// The debug symbols that the call stacks of payloads should find.
    package var symbols = SymbolOptions()
    /// Databases that `mistertop ship` fills.
    package var servers: [ServerOperand] = []
  }

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    guard !arguments.operands.isEmpty else { throw .missingOperand("FILE, the file to check") }
    var request = Request(
      paths: arguments.namedFiles.filter { !ServerOperand.isMeant(by: $0) }, mapping: try arguments.mapping,
      symbols: try .named(in: arguments))
    request.servers = try arguments.servers
    return request
  }

  package static func run(_ request: Request, in context: CommandContext) -> ExitCode {
    let result = DoctorCommand(console: context.console, mapping: request.mapping, symbols: request.symbols)
      .run(paths: request.paths)
    let areSound = request.servers.map { ServerReport(server: $0, context: context).run() }
    return areSound.allSatisfy(\.self) ? result : .failed
  }

  /// Maximum rejected lines shown per file.
  static let rejectionLimit = 20

  private let console: Console
  private let mapping: LineMapping?
  private let symbols: SymbolOptions

  package init(console: Console, mapping: LineMapping? = nil, symbols: SymbolOptions = SymbolOptions()) {
    self.console = console
    self.mapping = mapping
    self.symbols = symbols
  }

  /// Examines the files.
  ///
  /// - Parameters:
  ///   - paths: The files; `-` is standard input.
  ///   - input: What `-` stands for.
  /// - Returns: `failed` if a line was rejected or a file could not be read.
  package func run(paths: [String], input: Int32 = STDIN_FILENO) -> ExitCode {
    var result = ExitCode.success
    for path in FileOperands.unique(paths.flatMap(files)) {
      do {
        if !(try path == "-" ? report(input: input) : report(path)) { result = .failed }
      } catch {
        console.writeError(
          "mistertop doctor: \(SafeText.sanitized(path)): \(FileErrorFormatter.problem(error))")
        result = .failed
      }
    }
    return result
  }

  /// The file itself; of a folder those that are followed or may hold payloads, after what is left out was told.
  private func files(_ path: String) -> [String] {
    guard path != "-", Posix.status(at: path)?.kind == .directory, let listing = try? FolderFiles().list(path)
    else { return [path] }
    var finder = PayloadFinder(store: nil)
    finder.add(path)
    let files = Set(listing.taken.map { PathParts.join(path, $0) } + finder.files.map(\.path))
    let rest = listing.leftOut.filter {
      $0.reason != .folder && !files.contains(PathParts.join(path, $0.name))
    }
    let words = FeedFormatter.leftOut(FolderLeftOut(folder: path, files: rest, isEmpty: files.isEmpty))
    let name = SafeText.sanitized(path)
    guard !files.isEmpty else {
      if let words { console.write("\(name) \(words)\n") }
      return [path]
    }
    console.write("\(name): \(Plural.count(files.count, "file"))" + (words.map { ", \($0)" } ?? "") + "\n")
    return files.sortedByBytes()
  }

  /// - Returns: True if the file has no problems.
  private func report(_ path: String) throws -> Bool {
    if let payloads = try payloads(path) { return report(payloads, of: path) }
    return report(try examine(path), of: path, rotated: rotated(path))
  }

  private func report(input: Int32) throws -> Bool {
    let found = try PayloadBytes(path: "-", input: input)
    if let problem = found.problem, found.bytes.isEmpty { throw problem }
    if PayloadDetection.isOfPayloads(found.bytes.prefix(MetricLines.headSize)) {
      return report(found, of: "-")
    }
    var findings = DoctorFindings(mapping: mapping)
    let lines = found.bytes.withUnsafeBytes { StreamedFile.lines(of: $0) } ?? found.bytes
    lines.withUnsafeBytes { findings.add($0) }
    findings.finish()
    let isSound = report(findings, of: "-", rotated: [])
    if let problem = found.problem { throw problem }
    return isSound
  }

  private func report(_ payloads: PayloadBytes, of path: String) -> Bool {
    // Of each file alone, so that it shows which build each one waits for.
    let symbols = symbols.makeSymbolicator()
    let findings = PayloadFindings(payloads, symbols: symbols)
    console.write(findings.text(of: path))
    symbols?.keep()
    let problems = symbols?.problems ?? []
    for problem in problems { console.writeError("mistertop doctor: \(SafeText.sanitized(problem))") }
    return findings.isSound && problems.isEmpty
  }

  private func report(_ findings: DoctorFindings, of path: String, rotated: [String]) -> Bool {
    let status = path == "-" ? nil : Posix.status(at: path)
    let written = status.map { Timestamp(unixSeconds: Double($0.modified) / 1e9) }
    console.write(findings.text(of: path, rotated: rotated, polling: polling(path), written: written))
    return findings.rejections.total == 0 && findings.note == nil
  }

  /// The contents of a payload file, compressed or not; `nil` for any other file.
  private func payloads(_ path: String) throws -> PayloadBytes? {
    guard mapping?.time == nil, try PayloadDetection.mayHavePayloads(path) else { return nil }
    let found = try PayloadBytes(path: path)
    if let problem = found.problem, found.bytes.isEmpty { throw problem }
    return found
  }

  private func examine(_ path: String) throws -> DoctorFindings {
    if StreamedFile.isNeeded(path) { return try examine(packed: path) }
    let file = try ReadableFile.seekable(path: path)
    defer { file.close() }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
    defer { buffer.deallocate() }
    var findings = DoctorFindings(mapping: mapping)
    // Lines appended in the meantime are ignored, or a busy file would never end.
    let size = try file.size
    while findings.bytes < size {
      let count = Int(min(UInt64(buffer.count), size - findings.bytes))
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      let read = try file.read(into: part, at: findings.bytes)
      if read == 0 { break }
      findings.add(UnsafeRawBufferPointer(rebasing: buffer[..<read]))
    }
    findings.finish()
    return findings
  }

  private func examine(packed path: String) throws -> DoctorFindings {
    let descriptor = try Posix.open(path)
    defer { Posix.close(descriptor) }
    let stream = PlainStream(descriptor: descriptor)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
    defer { buffer.deallocate() }
    var findings = DoctorFindings(mapping: mapping)
    while case let count = try stream.read(into: buffer), count > 0 {
      findings.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    findings.finish()
    findings.note = stream.note
    return findings
  }

  /// The way in which a file is looked at when it is followed; `nil` if events tell of its changes.
  private func polling(_ path: String) -> String? {
    guard path != "-" else { return nil }
    let options = PollOptions()
    return options.reason(for: Posix.mount(ofPath: path)).map {
      FeedFormatter.polling($0, every: options.pace)
    }
  }

  private func rotated(_ path: String) -> [String] {
    RotatedFile.beside(path).map(\.name).sortedByBytes()
  }
}
