import DashboardCore
import JSONLines

/// Turns the bytes of one followed file into lines of text.
struct SamplePrinter {
  let member: TailMember
  private var scanner: SampleScanner
  private var batch = SampleBatch()
  private var rejected = 0
  private let formatter = SampleFormatter()
  private let selection: SampleSelection
  /// True for metrics whose samples may be printed, by index.
  private var isWanted: [Bool] = []

  /// - Parameter mapping: The mapping for lines in foreign formats; `nil` to recognize the format.
  init(member: TailMember, selection: SampleSelection, mapping: LineMapping? = nil) {
    self.member = member
    self.selection = selection
    scanner = SampleScanner(mapping: mapping)
  }

  mutating func handle(_ output: TailOutput, text: inout String, report: (String) -> Void) {
    switch output {
    case .bytes(let bytes, _):
      scanner.scan(bytes, into: &batch)
      printBatch(&text, report)
    case .restarted(let restart):
      scanner.restart(offset: restart.offset, line: 1)
      // A rotation loses nothing, but a truncation may.
      if let event = FeedFormatter.event(restart), event.kind == .truncated {
        report("\(member.path): \(event.text)")
      }
    case .gap(let gap):
      report("\(member.path): \(FeedFormatter.text(gap))")
    case .state(let state):
      if let problem = FeedFormatter.problem(state, of: member.path) { report(problem) }
    case .earlier, .polled:
      break
    }
  }

  private mutating func print(_ sample: Sample, to text: inout String) {
    for number in isWanted.count..<max(isWanted.count, scanner.catalogue.count) {
      isWanted.append(
        selection.admits(scanner.catalogue[MetricID(rawValue: Int32(truncatingIfNeeded: number))]))
    }
    let (metric, payload) = (scanner.catalogue[sample.metric], batch.payload(of: sample))
    guard isWanted[Int(sample.metric.rawValue)], selection.chooses(sample, of: metric, payload: payload)
    else { return }
    text += formatter.line(sample, metric, payload: payload) + "\n"
  }

  /// Treats a last line without a newline as complete.
  mutating func finish(text: inout String, report: (String) -> Void) {
    scanner.finish(into: &batch)
    printBatch(&text, report)
  }

  private mutating func printBatch(_ text: inout String, _ report: (String) -> Void) {
    for sample in batch.samples { print(sample, to: &text) }
    batch.removeAll()
    reportRejections(report)
  }

  private mutating func reportRejections(_ report: (String) -> Void) {
    let new = scanner.rejections.total - rejected
    guard new > 0 else { return }
    rejected = scanner.rejections.total
    for rejection in scanner.rejections.recent.suffix(new) {
      report("\(member.path), byte \(rejection.offset): the line \(rejection.reason.text)")
    }
  }
}
