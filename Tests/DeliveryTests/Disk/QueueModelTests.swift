import TestDelivery
import TestSupport
import Testing

@Suite("The disk queue beside a list")
struct QueueModelTests {
  @Test("No sequence of calls, crashes and full disks tells the queue from a list", arguments: [false, true])
  func model(damaging: Bool) {
    let checker = ModelChecker<QueueAction>(
      length: 64, action: { QueueAction.random(&$0, damaging: damaging) }, simpler: \.simpler,
      run: { actions, _ in QueueModel.run(actions) })
    for seed in UInt64(0)..<30 {
      if let failure = checker.check(seed: seed) {
        Issue.record("\(failure)")
        return
      }
    }
  }
}
