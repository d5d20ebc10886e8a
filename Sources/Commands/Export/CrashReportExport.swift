import Codecs
import Essentials
import History
import JSONLines
import Platform
import Symbolication
import TelemetryCore
import TerminalUI

/// The crash reports of imported payloads, one file a crash.
///
/// Made from the payloads as they were read, because those have all threads and all facts.
struct CrashReportExport {
  let request: ExportCommand.Request
  let console: Console
  private let symbols: Symbolicator?
  /// Number of reports.
  private var written = 0
  private var pieces = OriginalPieces()

  init(_ request: ExportCommand.Request, console: Console) {
    (self.request, self.console) = (request, console)
    symbols = request.symbols.makeSymbolicator()
  }

  /// Runs to the end, or until it is stopped.
  ///
  /// - Parameters:
  ///   - stop: Raised to stop it.
  ///   - input: The descriptor that `-` stands for.
  mutating func run(stop: WakeSignal, input: Int32) -> ExitCode {
    var code = ExitCode.success
    for path in request.paths {
      do {
        let source = try request.source(of: path, input: input)
        let outcome = try source.forEachPiece { batch, catalogue, _, _ in
          if stop.isRaised { throw CancellationError() }
          for sample in batch.samples { try write(sample, batch, catalogue) }
        }
        if outcome.isUnreadable || outcome.note != nil { code = .failed }
        for line in outcome.lines(of: path, knowsLines: source.isWhole) { report(line) }
      } catch is CancellationError {
        return .interrupted
      } catch let problem as Problem {
        report("\(SafeText.sanitized(problem.path)): \(problem.text)")
        return .failed
      } catch {
        report("\(SafeText.sanitized(path)): \(FileErrorFormatter.problem(error))")
        return .failed
      }
    }
    symbols?.keep()
    for problem in symbols?.problems ?? [] {
      report(SafeText.sanitized(problem))
      code = .failed
    }
    if let folder = request.output {
      console.writeError(
        "mistertop export: \(Plural.count(written, "crash report")) in \(SafeText.sanitized(folder))")
    } else if written == 0 {
      report("no crash was found; payloads need to be imported by this version")
    }
    return written == 0 ? .failed : code
  }

  private struct Problem: Error {
    let path: String
    let text: String
  }

  private func report(_ sentence: String) { console.writeError("mistertop export: \(sentence)") }

  private mutating func write(_ sample: Sample, _ batch: SampleBatch, _ catalogue: MetricCatalogue) throws {
    let metric = catalogue[sample.metric]
    guard metric.bucket == PayloadArchive.bucket, metric.name == "payload.json", sample.kind == .object,
      sample.time >= request.selection.since, sample.time <= request.selection.until
    else { return }
    guard let original = pieces.take(batch.payload(of: sample)).flatMap(PayloadOriginal.init) else { return }
    var reader = PayloadReader()
    for item in reader.read(Array(original.payload.compactText.utf8)).items {
      guard case .diagnostic(let payload) = item.payload else { continue }
      for (index, crash) in (payload.crashDiagnostics ?? []).enumerated() {
        try put(
          CrashReport(
            crash, time: payload.timeStampEnd ?? payload.timeStampBegin, hash: item.contentHash,
            number: index + 1, symbols: symbols))
      }
    }
  }

  private mutating func put(_ report: CrashReport) throws {
    written += 1
    guard let folder = request.output else {
      return console.isTerminal
        ? console.write(SafeText.decode(report.bytes)) : console.writeBytes(report.bytes)
    }
    let path = PathParts.join(folder, report.name)
    do throws(FileFailure) {
      try Posix.createFolder(of: path)
      let file = try ReplacementFile(for: path, readers: .usual, links: .followed)
      try file.write(report.bytes)
      if request.replaces { try file.putInPlace() } else { try file.putInFreePlace() }
    } catch {
      let isTaken = error == .other(EEXIST)
      throw Problem(path: path, text: isTaken ? "already exists; --force replaces it" : error.text)
    }
  }
}
