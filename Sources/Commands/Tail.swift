import Dashboard
package import JSONLines
import TerminalUI

/// `mistertop tail [FILE | FOLDER | -]…`: prints each sample as a line, as it is written.
///
/// Begins with the last few lines of each file and follows it through rotations and cuts; what is lost on the way is
/// told on standard error.
package struct TailCommand: Sendable {
  /// Of each file about this much is printed before the following begins, in bytes.
  static let window: UInt64 = 2048

  private let sources: [TailSource]
  private let console: Console

  package init(sources: [TailSource], console: Console) {
    self.sources = sources
    self.console = console
  }

  /// Runs until it is stopped, or standard input, if it is the only source, has ended.
  package func run(stop: WakeSignal = WakeSignal(), input: Int32 = 0) -> ExitCode {
    let set = TailSet(
      sources: sources, options: TailStateMachine.Options(start: .window(Self.window)), input: input)
    var printers: [Int: SamplePrinter] = [:]
    var text = ""
    TailLoop(set: set, stop: stop).run { member, output in
      var printer = printers.removeValue(forKey: member.index) ?? SamplePrinter(member: member)
      printer.take(output, text: &text) { complain(member, $0) }
      printers[member.index] = printer
      if text.utf8.count > 64 << 10 { flush(&text) }
      if case .state(.ended) = output, sources == [.standardInput] { stop.raise() }
    } afterRound: {
      flush(&text)
    }
    return .fine
  }

  private func flush(_ text: inout String) {
    guard !text.isEmpty else { return }
    console.write(text)
    text = ""
  }

  private func complain(_ member: TailMember, _ words: String) {
    console.complain("mistertop tail: \(words)")
  }
}

/// From the bytes of one followed file to lines of text.
private struct SamplePrinter {
  let member: TailMember
  private var scanner = SampleScanner()
  private var batch = SampleBatch()
  private var rejected = 0
  private let words = SampleText()

  init(member: TailMember) {
    self.member = member
  }

  mutating func take(_ output: TailOutput, text: inout String, complain: (String) -> Void) {
    switch output {
    case .bytes(let bytes, _):
      scanner.scan(bytes, into: &batch)
      for sample in batch.samples {
        text +=
          words.line(sample, scanner.catalogue[sample.metric], payload: batch.payload(of: sample)) + "\n"
      }
      batch.removeAll()
      tellRejections(complain)
    case .restarted(let restart):
      scanner.restart(offset: restart.offset, line: 1)
    case .gap(let gap):
      complain("\(member.path): \(FeedWords.text(gap))")
    case .state(let state):
      if let problem = FeedWords.problem(state, of: member.path) { complain(problem) }
    case .earlier:
      break
    }
  }

  private mutating func tellRejections(_ complain: (String) -> Void) {
    let new = scanner.rejections.total - rejected
    guard new > 0 else { return }
    rejected = scanner.rejections.total
    for rejection in scanner.rejections.recent.suffix(new) {
      complain("\(member.path), byte \(rejection.offset): the line \(rejection.reason.text)")
    }
  }
}
