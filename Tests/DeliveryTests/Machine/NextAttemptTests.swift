import DeliveryCore
import Resilience
import TestSupport
import Testing

@Suite("The next attempt")
struct NextAttemptTests {
  /// A machine with one event, posted and answered so.
  private static func answered(_ status: Int, retryAfter: Duration? = nil, failures: Int = 1) -> MachineRig {
    var rig = MachineRig()
    rig.queue()
    rig.handle(.flushRequested)
    rig.answer(status, retryAfter: retryAfter)
    for _ in 1..<failures {
      rig.advance(by: rig.retryIn ?? .zero)
      rig.answer(status, retryAfter: retryAfter)
    }
    return rig
  }

  private func next(_ rig: MachineRig) -> NextAttempt? { rig.machine.nextAttempt(at: rig.now) }

  @Test("Events wait for the timer, and while none wait nothing is due")
  func timer() {
    var rig = MachineRig()
    #expect(next(rig) == nil)
    rig.advance(by: .seconds(3))
    rig.queue()
    #expect(next(rig) == NextAttempt(at: .seconds(10), cause: .timer))
    rig.advance(by: .seconds(7))
    #expect(rig.inFlight != nil && next(rig) == nil)
    rig.answer(200)
    #expect(next(rig) == nil)
  }

  @Test("After a failure the longest wait is named: the floor, Retry-After, the breaker")
  func waits() {
    #expect(next(Self.answered(503)) == NextAttempt(at: .seconds(1), cause: .floor))
    #expect(next(Self.answered(429)) == NextAttempt(at: .seconds(1), cause: .floor))
    #expect(
      next(Self.answered(503, retryAfter: .seconds(30))) == NextAttempt(at: .seconds(30), cause: .retryAfter))
    #expect(next(Self.answered(503, retryAfter: .milliseconds(3)))?.cause == .floor)
    #expect(next(Self.answered(503, failures: 2)) == NextAttempt(at: .seconds(3), cause: .floor))
    #expect(next(Self.answered(503, failures: 3)) == NextAttempt(at: .seconds(13), cause: .breaker))
    #expect(
      next(Self.answered(503, retryAfter: .seconds(20), failures: 3))
        == NextAttempt(at: .seconds(60), cause: .retryAfter))
  }

  @Test("Nothing is due without a network; when it is back, it has to stay")
  func network() {
    var rig = Self.answered(503, failures: 3)
    rig.handle(.networkLost)
    #expect(next(rig) == nil)
    rig.advance(by: .seconds(1))
    rig.handle(.networkFound)
    #expect(next(rig) == NextAttempt(at: .seconds(6), cause: .debounce))
    rig.advance(by: .seconds(2))
    #expect(rig.inFlight != nil)
  }

  @Test("A client that is disabled or in the background attempts nothing by itself")
  func none() {
    #expect(next(Self.answered(401)) == nil)
    var rig = Self.answered(503)
    rig.handle(.enteredBackground)
    rig.answer(503)
    #expect(rig.machine.waiting == 1 && next(rig) == nil)
  }

  @Test("What is overdue is due at once, such as after a sleep")
  func overdue() {
    var rig = Self.answered(503)
    rig.now += .seconds(60)
    #expect(next(rig) == NextAttempt(at: .seconds(60), cause: .atOnce))
  }

  @Test(
    "At many moments of random sequences it happens when it is said, not before, and not at all if it is not said"
  )
  func sequences() {
    var moments = 0
    var causes: Set<NextAttempt.Cause> = []
    for seed in 0..<UInt64(trials(200, long: 2000)) {
      var random = SeededGenerator(seed: seed)
      var model = DeliveryModel(seed: seed)
      for _ in 0..<24 {
        model.run(.random(using: &random))
        let rig = model.rig
        // True if a disk that failed works again is known after the attempt.
        guard model.fault == nil, rig.inFlight == nil, !rig.spoilsNextBatch, rig.actionsBeforeCrash == nil,
          // Events in memory are on disk soon.
          rig.machine.waiting == 0 || !rig.disk.failsReads,
          rig.machine.stored == 0
            || !rig.disk.failsRemovals
              && !rig.disk.entries.contains(where: { $0.isDamaged || $0.isExpired })
        else { continue }
        let next = next(rig)
        moments += 1
        if let next { causes.insert(next.cause) }
        #expect(Self.posting(rig) == next?.at, "seed \(seed)")
      }
    }
    // The model lets happen what is due: nothing is overdue there.
    let all = Set(NextAttempt.Cause.allCases).subtracting([.atOnce])
    #expect(moments > trials(1_900, long: 19_000) && causes == all, "\(moments) \(causes)")
  }

  /// When the machine posts next if no one does anything, within two hours.
  private static func posting(_ rig: MachineRig) -> Duration? {
    var rig = rig
    let (count, end) = (rig.sent.count, rig.now + .seconds(7200))
    while rig.sent.count == count, let deadline = rig.machine.nextDeadline, deadline <= end {
      rig.now = max(rig.now, deadline)
      rig.handle(.timePassed)
      // The machine with nothing to send has a timer that never ends.
      if rig.machine.waiting == 0 { return nil }
    }
    return rig.sent.count > count ? rig.now : nil
  }
}
