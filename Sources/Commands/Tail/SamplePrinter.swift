import Dashboard
import JSONLines

/// Turns the bytes of one followed file into lines of text.
struct SamplePrinter {
  let member: TailMember
  private var scanner = SampleScanner()
  private var batch = SampleBatch()
  private var rejected = 0
  private let formatter = SampleFormatter()

  init(member: TailMember) {
    self.member = member
  }

  mutating func handle(_ output: TailOutput, text: inout String, report: (String) -> Void) {
    switch output {
    case .bytes(let bytes, _):
      scanner.scan(bytes, into: &batch)
      for sample in batch.samples {
        text +=
          formatter.line(sample, scanner.catalogue[sample.metric], payload: batch.payload(of: sample)) + "\n"
      }
      batch.removeAll()
      reportRejections(report)
    case .restarted(let restart):
      scanner.restart(offset: restart.offset, line: 1)
    case .gap(let gap):
      report("\(member.path): \(FeedFormatter.text(gap))")
    case .state(let state):
      if let problem = FeedFormatter.problem(state, of: member.path) { report(problem) }
    case .earlier:
      break
    }
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
