import TestDelivery
import TestSupport
import Testing

/// Q6: the disk queue beside a list.
extension FaultMatrix {
  @Test func `Q6: no sequence of calls, crashes, full disks and damage tells the queue from a list`()
    async throws
  {
    try await Self.row("Q6") { run in
      var faults: [String] = []
      while run.goesOn() {
        let isDamaging = run.done % 2 == 0
        let checker = ModelChecker<QueueAction>(
          length: 8 + run.done % 57, action: { QueueAction.random(&$0, damaging: isDamaging) },
          simpler: \.simpler,
          run: { actions, _ in QueueModel.run(actions) })
        let failure = checker.check(seed: run.seed)
        run.tally.expected += 1
        run.tally.got += failure == nil ? 1 : 0
        run.tally.bad += failure == nil ? 0 : 1
        if let failure { faults.append("\(failure)") }
      }
      run.note = faults.first ?? "sequences of 8 to 64 actions, every other one with damage to the files"
    }
  }
}
