import DashboardCore
import Essentials
package import JSONLines
package import Platform
import QueryLanguage
import TerminalUI

/// `mistertop tail [FILE | FOLDER | -]…`: prints each sample as a line when it is written.
///
/// Starts with the last few lines of each file and follows it through rotations and truncations; losses are reported on
/// standard error. With a cursor file, it starts where the previous run ended; the first run starts at the beginning of
/// each file. Over all runs every sample is printed at least once, and after a kill at most one interval of output is
/// printed twice.
package struct TailCommand: Command {
  package static let name = "tail"
  package static let operands = "[FILE | FOLDER | -]…"
  package static let summary = "Prints each sample as a line of text, as it is written."
  package static let examples = [
    CommandExample(
      "mistertop tail metrics.jsonl",
      "each sample as a line of text"),
    CommandExample(
      "mistertop tail --cursor-file position --where api metrics.jsonl",
      "continue where the previous run ended"),
  ]
  package static let options = [SampleSelection.whereOption, cursorFile, .map, .zone, .texts, .poll]

  private static let cursorFile = CommandOption(
    "cursor-file", "FILE",
    help: "continue where the previous run with this file ended; the first run starts at the beginning")

  package struct Request: Sendable, Equatable {
    /// Files and folders; `-` for standard input.
    package var paths: [String]
    /// The file in which positions are saved; `nil` to save none.
    package var cursorFile: String?
    /// The samples to print.
    package var selection = SampleSelection()
    /// The mapping for lines in foreign formats; `nil` to recognize the format.
    package var mapping: LineMapping?
    /// Looks at files whose changes send no events.
    package var polling = PollOptions()

    package init(paths: [String], cursorFile: String? = nil, mapping: LineMapping? = nil) {
      self.paths = paths
      self.cursorFile = cursorFile
      self.mapping = mapping
    }
  }

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    var request = Request(
      paths: arguments.files, cursorFile: try arguments.fileName(cursorFile), mapping: try arguments.mapping)
    request.polling = try arguments.polling
    request.selection.query = try arguments.query(SampleSelection.whereOption, knowing: .fields)
    return request
  }

  package static func run(_ request: Request, in context: CommandContext) -> ExitCode {
    if request.mapping?.time == nil,
      let refusal = PayloadOperands.refusal(of: request.paths, by: Self.self, context.console)
    {
      return refusal
    }
    let stop = WakeSignal()
    // Without a position to save, a signal ends the command like any filter.
    let signals = request.cursorFile.map { _ in TerminationSignals(stop: stop) }
    let code = TailCommand(request, console: context.console).run(stop: stop, output: STDOUT_FILENO)
    signals?.dieOfSignal()
    return code
  }

  /// Approximate bytes at the end of each file that are printed before it is followed.
  static let window: UInt64 = 2048

  private let sources: [TailSource]
  /// Files that only a stream can read, which are printed whole; packed ones are not followed.
  private let packed: [String]
  private let cursorFile: String?
  private let selection: SampleSelection
  private let mapping: LineMapping?
  private let polling: PollOptions
  private let console: Console

  package init(_ request: Request, console: Console) {
    let packed = request.paths.filter(StreamedFile.isNeeded)
    let known = Set(packed.map { PathKey($0) })
    self.init(
      sources: TailSource.sources(paths: request.paths.filter { !known.contains(PathKey($0)) }),
      packed: packed,
      cursorFile: request.cursorFile, selection: request.selection, mapping: request.mapping,
      polling: request.polling, console: console)
  }

  package init(
    sources: [TailSource], packed: [String] = [], cursorFile: String? = nil,
    selection: SampleSelection = SampleSelection(), mapping: LineMapping? = nil,
    polling: PollOptions = PollOptions(), console: Console
  ) {
    self.polling = polling
    self.selection = selection
    self.mapping = mapping
    self.packed = packed
    self.sources = sources
    self.cursorFile = cursorFile
    self.console = console
  }

  /// Runs until it is stopped, its output has no reader any more, or standard input, its only source, has ended.
  ///
  /// - Parameter output: The console's descriptor, if its reader may go away.
  package func run(stop: WakeSignal = WakeSignal(), input: Int32 = 0, output: Int32? = nil) -> ExitCode {
    let texts = packed.map(printPacked)
    let growing = texts.compactMap { $0 }.filter(\.canGrow)
    var code = ExitCode.success
    if !sources.isEmpty || !growing.isEmpty {
      code = followAll(growing, stop: stop, input: input, output: output)
    }
    let isRead = texts.allSatisfy { $0?.isWhole ?? false }
    return code == .success && !isRead ? .failed : code
  }

  private func followAll(
    _ growing: [GrowingText], stop: WakeSignal, input: Int32, output: Int32?
  ) -> ExitCode {
    guard let path = cursorFile else { return follow(growing, stop, input, output, nil) }
    let streams = [output ?? -1, sources.contains(.standardInput) ? input : -1]
    guard !PositionStore.isFollowed(path, by: sources, streams: streams) else {
      console.writeError(
        "mistertop tail: \(path): is in use as input or output, so it cannot be the cursor file")
      return .failed
    }
    do throws(PositionStore.Refusal) {
      let cursor = try CursorWriter(path: path, report: { console.writeError("mistertop tail: \($0)") })
      return follow(growing, stop, input, output, cursor)
    } catch {
      console.writeError("mistertop tail: \(path): \(error.text)")
      return .failed
    }
  }

  /// Prints the samples of a packed file, or of a text that only a stream can read.
  ///
  /// - Returns: The text, for more; `nil` if it could not be opened.
  private func printPacked(_ path: String) -> GrowingText? {
    let report = { (text: String) in console.writeError("mistertop tail: \(text)") }
    do throws(FileFailure) {
      let text = try GrowingText(path: path, selection: selection, mapping: mapping, report: report)
      text.read { console.write($0) }
      return text
    } catch {
      report("\(SafeText.sanitized(path)): \(error.text)")
      return nil
    }
  }

  private func follow(
    _ growing: [GrowingText], _ stop: WakeSignal, _ input: Int32, _ output: Int32?, _ cursor: CursorWriter?
  ) -> ExitCode {
    let set = TailSet(sources: sources, polling: polling, input: input) { path, isNew in
      // A file that appears in a followed folder is entirely new.
      cursor?.start(of: path) ?? (isNew ? .beginning : .window(Self.window))
    }
    var printers: [Int: SamplePrinter] = [:]
    var isWhole = true
    var leftOut: [FolderLeftOut] = []
    // Without a position to save, a signal ends the command wherever it blocks.
    var buffer = OutputBuffer(console: console, output: cursor == nil ? nil : output, stop: stop)
    let deadline = {
      let look = growing.isEmpty ? nil : MonotonicInstant.now() + GrowingText.pause
      return [cursor?.deadline, look].compactMap { $0 }.min()
    }
    let ending = TailLoop(set: set, stop: stop).run(output: output, deadline: deadline) { member, output in
      var printer =
        printers.removeValue(forKey: member.index)
        ?? SamplePrinter(member: member, selection: selection, mapping: mapping)
      printer.handle(output, text: &buffer.text) { console.writeError("mistertop tail: \($0)") }
      printers[member.index] = printer
      if buffer.text.utf8.count > 64 << 10 { buffer.flush() }
      if output.isFailure(of: member) { isWhole = false }
      if sources == [.standardInput], output.isEnd { stop.raise() }
    } afterRound: {
      for text in growing { text.read { buffer.text += $0 } }
      buffer.flush()
      report(set.leftOut, besides: &leftOut)
      if buffer.isWhole { cursor?.printed(at: MonotonicInstant.now()) { set.positions } }
    }
    if buffer.isWhole { cursor?.save(set.positions) }
    if ending == .outputClosed { return .readerGone }
    return isWhole ? .success : .failed
  }

  /// Reports files of folders that are left out, each once.
  private func report(_ folders: [FolderLeftOut], besides known: inout [FolderLeftOut]) {
    guard folders != known else { return }
    for (place, folder) in folders.enumerated() {
      var new = folder
      if known.indices.contains(place) { new.files.removeAll(where: known[place].files.contains) }
      if let text = FeedFormatter.leftOut(new) {
        console.writeError("mistertop tail: \(SafeText.sanitized(folder.folder)) \(text)")
      }
    }
    known = folders
  }
}

extension TailOutput {
  /// True if standard input cannot be read to its end; files are retried.
  fileprivate func isFailure(of member: TailMember) -> Bool {
    switch self {
    case .gap(let gap): gap.note != nil
    case .state(.failing): member.path == "-"
    case .bytes, .restarted, .state, .earlier, .polled: false
    }
  }

  /// True if standard input has ended.
  fileprivate var isEnd: Bool {
    switch self {
    case .state(.ended), .state(.failing): true
    case .bytes, .restarted, .gap, .state, .earlier, .polled: false
    }
  }
}
