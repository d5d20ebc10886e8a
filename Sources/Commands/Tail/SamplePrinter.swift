import Dashboard
import JSONLines

/// From the bytes of one followed file to lines of text.
struct SamplePrinter {
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
