import Foundation
import History
import JSONLines
package import Platform
import TerminalUI

/// `mistertop export [FILE…]`: writes samples in a form that other programs read.
///
/// To a file it is whole or not at all. What a terminal shows holds nothing that it would obey.
package struct ExportCommand {
  private let request: ExportRequest
  private let console: Console
  private let temporaryFolder: String

  package init(
    request: ExportRequest, console: Console,
    temporaryFolder: String = FileManager.default.temporaryDirectory.path
  ) {
    self.request = request
    self.console = console
    self.temporaryFolder = temporaryFolder
  }

  /// Runs to its end, or until it is stopped.
  ///
  /// - Parameters:
  ///   - stop: Raised to give it up.
  ///   - input: What `-` stands for.
  package func run(stop: WakeSignal = WakeSignal(), input: Int32 = 0) -> ExitCode {
    guard let files = openFiles(input) else { return .failed }
    do {
      guard let path = request.output else {
        try write(files, stop) { [isTerminal = console.isTerminal] in
          isTerminal ? console.write(Self.harmless($0)) : console.writeBytes($0)
        }
        return .fine
      }
      try refuse(path, input)
      let file = try ReplacementFile(for: path, readers: .usual)
      try write(files, stop) { try file.write($0) }
      if request.replaces { try file.putInPlace() } else { try file.putInFreePlace() }
      return .fine
    } catch is CancellationError {
      return .interrupted
    } catch let refusal as Refusal {
      complain(request.output ?? "", refusal.rawValue)
    } catch let problem as SourceProblem {
      complain(problem.path, FileWords.problem(problem.error))
    } catch let failure as FileFailure where failure == .other(EEXIST) {
      complain(request.output ?? "", Refusal.exists.rawValue)
    } catch {
      complain(request.output ?? temporaryFolder, FileWords.problem(error))
    }
    return .failed
  }

  private func complain(_ path: String, _ words: String) {
    console.complain("mistertop export: \(SafeText.sanitized(path)): \(words)")
  }

  // MARK: What is read.

  private struct SourceProblem: Error {
    let path: String
    let error: any Error
  }

  /// All files, opened before a byte is written; `nil` where one could not be.
  private func openFiles(_ input: Int32) -> [(path: String, source: ExportSource)]? {
    let cache = request.indexFolder.map { IndexCache(folder: URL(fileURLWithPath: $0)) }
    var sources: [(String, ExportSource)] = []
    for path in request.paths {
      do {
        let source =
          path == "-"
          ? ExportSource(descriptor: input)
          : try ExportSource(path: path, window: request.window, cache: cache)
        sources.append((path, source))
      } catch {
        complain(path, FileWords.problem(error))
        return nil
      }
    }
    return sources
  }

  // MARK: What is written.

  private func write(
    _ sources: [(path: String, source: ExportSource)], _ stop: WakeSignal, to emit: ([UInt8]) throws -> Void
  ) throws {
    var stream = ExportStream(
      request.format.writer(temporaryFolder: temporaryFolder), filter: request.filter)
    var output = stream.head
    var progress = ProgressLine(
      show: request.output == nil && console.isTerminal ? nil : console.showProgress,
      total: sources.reduce(0) { sum, next in sum.flatMap { sum in next.source.size.map { sum + $0 } } })
    defer { progress.clear() }
    for (path, source) in sources {
      stream.beginSource()
      var rejections = RejectionLog()
      do {
        rejections = try source.forEachPiece { batch, catalogue, chunk, offset in
          if stop.isRaised { throw CancellationError() }
          try stream.take(batch, catalogue, chunk: chunk, at: offset, into: &output)
          progress.advance(by: Double(chunk.count))
          try emit(output)
          output.removeAll(keepingCapacity: true)
        }
      } catch let error as POSIXError {
        throw SourceProblem(path: path, error: error)
      }
      progress.clear()
      let lines = FileWords.rejections(rejections, of: path, knowsLines: source.isWhole)
      for line in lines { console.complain("mistertop export: \(line)") }
    }
    try stream.finish { bytes in
      if stop.isRaised { throw CancellationError() }
      try emit(bytes)
    }
    guard stream.omitted > 0 else { return }
    let (samples, were) =
      stream.omitted == 1 ? ("1 sample has", "was") : ("\(stream.omitted) samples have", "were")
    console.complain(
      "mistertop export: \(samples) no place in \(request.format.rawValue) and \(were) left out")
  }

  /// The lines without what a terminal would obey.
  private static func harmless(_ bytes: [UInt8]) -> String {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      SafeText.sanitized(SafeText.decode(line.last == 0x0D ? line.dropLast() : line))
    }
    return lines.joined(separator: "\n")
  }

  // MARK: Where it goes.

  private enum Refusal: String, Error {
    case exists = "is there already; --force replaces it"
    case isRead = "is read, so it cannot be written"
    case isNoFile = "is no file that could be replaced"
  }

  /// Before any work: what stands there, or what is read, is not written over by mistake.
  private func refuse(_ path: String, _ input: Int32) throws {
    let streams = request.paths.contains("-") ? [input] : []
    let sources = request.paths.filter { $0 != "-" }.map { TailSource.file($0) }
    let status = Posix.status(at: path)
    guard let status else { return }
    guard !PositionStore.isFollowed(path, by: sources, streams: streams) else { throw Refusal.isRead }
    guard request.replaces else { throw Refusal.exists }
    guard status.kind == .regular else { throw Refusal.isNoFile }
  }
}
