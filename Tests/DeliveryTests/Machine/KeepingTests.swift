import DeliveryCore
import TestSupport
import Testing

/// An event is on disk shortly after it was queued, so that a killed process does not lose it.
@Suite("Keeping")
struct KeepingTests {
  private static func rig(_ change: (inout DeliveryConfiguration) -> Void = { _ in }) -> MachineRig {
    MachineRig(
      .exact {
        $0.keepDelay = .milliseconds(50)
        change(&$0)
      })
  }

  @Test("A burst is stored at once, 50 ms after its first event")
  func burst() {
    var rig = Self.rig()
    rig.queue(5)
    rig.advance(by: .milliseconds(40))
    rig.queue(5)
    #expect(rig.disk.numbers == [])
    rig.advance(by: .milliseconds(10))
    #expect(rig.disk.numbers == Array(1...10) && rig.memory == [])
    rig.handle(.flushRequested)
    rig.answerAll()
    #expect(rig.delivered == Array(1...10) && rig.disk.count == 0)
  }

  @Test("A batch on its way is kept too, and removed once it is delivered")
  func inFlight() {
    var rig = Self.rig()
    rig.queue(3)
    rig.handle(.flushRequested)
    rig.advance(by: .milliseconds(50))
    #expect(rig.disk.numbers == [1, 2, 3] && rig.sent.count == 1)
    rig.answer(200)
    #expect(rig.disk.count == 0 && rig.delivered == [1, 2, 3])
  }

  @Test("Twenty events start a flush, wherever they are by then")
  func autoFlush() {
    var rig = Self.rig()
    for _ in 0..<19 {
      rig.queue(1)
      rig.advance(by: .milliseconds(60))
    }
    #expect(rig.sent.isEmpty && rig.disk.count == 19)
    rig.queue(1)
    #expect(rig.inFlight?.numbers == Array(1...20))
  }

  @Test("A disk with less room than memory costs no event")
  func smallDisk() {
    var rig = Self.rig { $0.maxDiskEvents = 3 }
    rig.queue(5)
    rig.advance(by: .milliseconds(50))
    #expect(rig.dropped.isEmpty && rig.machine.waiting == 5)
  }

  @Test("A disk that refuses is asked once a second, and not without events")
  func refuses() {
    var rig = Self.rig()
    rig.disk.failsStores = true
    rig.queue(1)
    rig.advance(by: .milliseconds(50))
    #expect(rig.machine.nextDeadline == .milliseconds(1050))
    rig.disk.failsStores = false
    rig.advance(by: .seconds(1))
    #expect(rig.disk.numbers == [1] && rig.machine.nextDeadline == .seconds(10))
  }
}
