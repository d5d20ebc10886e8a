import DashboardCore
import JSONLines

/// Turns the bytes of one followed file into samples, and tells what was lost or could not be read.
struct FollowedScanner {
  let member: TailMember
  private(set) var scanner: SampleScanner
  /// The samples of the last call, which the caller removes.
  var batch = SampleBatch()
  private var rejected = 0

  /// - Parameter mapping: The mapping for lines in foreign formats; `nil` to recognize the format.
  init(member: TailMember, mapping: LineMapping?) {
    self.member = member
    scanner = SampleScanner(mapping: mapping)
  }

  mutating func handle(_ output: TailOutput, report: (String) -> Void) {
    switch output {
    case .bytes(let bytes, _):
      scanner.scan(bytes, into: &batch)
      reportRejections(report)
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

  /// Treats a last line without a newline as complete.
  mutating func finish(report: (String) -> Void) {
    scanner.finish(into: &batch)
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
