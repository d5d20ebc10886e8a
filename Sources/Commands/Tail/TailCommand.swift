package import JSONLines
package import Platform
import TerminalUI

/// `mistertop tail [FILE | FOLDER | -]…`: prints each sample as a line, as it is written.
///
/// Begins with the last few lines of each file and follows it through rotations and cuts; what is lost on the way is
/// told on standard error. With a cursor file it begins where the run before ended, the first run with the start of each
/// file: every sample is printed at least once over all runs, and after a kill no more is printed again than one
/// interval brought.
package struct TailCommand: Sendable {
  /// Of each file about this much is printed before the following begins, in bytes.
  static let window: UInt64 = 2048

  private let request: TailRequest
  private let sources: [TailSource]
  private let console: Console

  package init(request: TailRequest, console: Console) {
    self.init(
      sources: TailSource.sources(paths: request.paths), cursorFile: request.cursorFile, console: console)
  }

  package init(sources: [TailSource], cursorFile: String? = nil, console: Console) {
    self.sources = sources
    request = TailRequest(paths: [], cursorFile: cursorFile)
    self.console = console
  }

  /// Runs until it is stopped, nobody reads its output any more, or standard input, its only source, has ended.
  ///
  /// - Parameter output: the descriptor that the console writes to, if its reader can go away.
  package func run(stop: WakeSignal = WakeSignal(), input: Int32 = 0, output: Int32? = nil) -> ExitCode {
    guard let path = request.cursorFile else { return follow(stop, input, output, nil) }
    let streams = [output ?? -1, sources.contains(.standardInput) ? input : -1]
    guard !PositionStore.isFollowed(path, by: sources, streams: streams) else {
      console.complain(
        "mistertop tail: \(path): it is read or written already, so it cannot be the cursor file")
      return .failed
    }
    do throws(PositionStore.Refusal) {
      let keeper = try PositionKeeper(path: path, complain: { console.complain("mistertop tail: \($0)") })
      return follow(stop, input, output, keeper)
    } catch {
      console.complain("mistertop tail: \(path): \(error.text)")
      return .failed
    }
  }

  private func follow(
    _ stop: WakeSignal, _ input: Int32, _ output: Int32?, _ keeper: PositionKeeper?
  ) -> ExitCode {
    let set = TailSet(sources: sources, input: input) { path, isNew in
      // What appears in a folder while it is followed was not there before: all of it is new.
      keeper?.start(of: path) ?? (isNew ? .beginning : .window(Self.window))
    }
    var printers: [Int: SamplePrinter] = [:]
    // Without anything to keep, a signal ends it wherever it hangs.
    var page = OutputPage(console: console, output: keeper == nil ? nil : output, stop: stop)
    let ending = TailLoop(set: set, stop: stop).run(output: output, deadline: { keeper?.deadline }) {
      member, output in
      var printer = printers.removeValue(forKey: member.index) ?? SamplePrinter(member: member)
      printer.take(output, text: &page.text) { complain(member, $0) }
      printers[member.index] = printer
      if page.text.utf8.count > 64 << 10 { page.flush() }
      if case .state(.ended) = output, sources == [.standardInput] { stop.raise() }
    } afterRound: {
      page.flush()
      if page.isWhole { keeper?.printed(at: TailLoop.now()) { set.positions } }
    }
    if page.isWhole { keeper?.save(set.positions) }
    return ending == .outputClosed ? .readerGone : .fine
  }

  private func complain(_ member: TailMember, _ words: String) {
    console.complain("mistertop tail: \(words)")
  }
}

/// What `tail` is to follow.
package struct TailRequest: Sendable, Equatable {
  /// Files and folders; `-` for standard input.
  package var paths: [String]
  /// Where to keep how far they were printed; `nil` for nowhere.
  package var cursorFile: String?

  package init(paths: [String], cursorFile: String? = nil) {
    self.paths = paths
    self.cursorFile = cursorFile
  }
}
