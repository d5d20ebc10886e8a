import Resilience
import Testing

@testable import DeliveryCore

@Suite("Constants that change")
struct ConfigureTests {
  private static func constants(_ change: (inout DeliveryConfiguration) -> Void) -> DeliveryConfiguration {
    .exact(change)
  }

  @Test("A batch size holds at once, but one that the server has made smaller stays")
  func batchSize() {
    var machine = DeliveryMachine(.exact)
    machine.configure(Self.constants { $0.batchSize = 30 }, at: .zero)
    #expect(machine.memoryBatchSize == 30 && machine.diskBatchSize == 30)
    machine.memoryBatchSize = 7
    machine.configure(Self.constants { $0.batchSize = 200 }, at: .zero)
    #expect(machine.memoryBatchSize == 7 && machine.diskBatchSize == 200)
    machine.configure(Self.constants { $0.batchSize = 0 }, at: .zero)
    #expect(machine.memoryBatchSize == 1 && machine.diskBatchSize == 1)
  }

  @Test("The timer begins anew with another interval, and goes on with the same")
  func timer() {
    var rig = MachineRig()
    rig.advance(by: .seconds(4))
    var machine = rig.machine
    machine.configure(Self.constants { $0.batchSize = 5 }, at: rig.now)
    #expect(machine.timerAt == .seconds(10))
    machine.configure(Self.constants { $0.flushInterval = .seconds(3) }, at: rig.now)
    #expect(machine.timerAt == .seconds(7))
    machine.timerAt = nil
    machine.configure(.exact, at: rig.now)
    #expect(machine.timerAt == nil)
  }

  @Test("A process that began with a disk keeps it, and one without gets none")
  func disk() {
    var machine = DeliveryMachine(.exact)
    machine.configure(Self.constants { $0.maxDiskEvents = 0 }, at: .zero)
    #expect(machine.configuration.maxDiskEvents == DeliveryConfiguration.exact.maxDiskEvents)
    machine.configure(Self.constants { $0.maxDiskEvents = 5 }, at: .zero)
    #expect(machine.configuration.maxDiskEvents == 5)
    machine = DeliveryMachine(Self.constants { $0.maxDiskEvents = 0 })
    machine.configure(.exact, at: .zero)
    #expect(!machine.configuration.usesDisk)
  }

  @Test("A breaker that is open stays open until its moment")
  func breaker() {
    var rig = MachineRig()
    rig.queue()
    rig.handle(.flushRequested)
    for _ in 0..<3 {
      rig.answer(503)
      if rig.sent.count < 3 { rig.advance(by: rig.retryIn ?? .zero) }
    }
    var machine = rig.machine
    let next = machine.nextAttempt(at: rig.now)
    #expect(next?.cause == .breaker)
    machine.configure(
      Self.constants {
        $0.breaker = .init(threshold: 9, backoff: Backoff(base: .seconds(1), maximum: .seconds(1)))
      },
      at: rig.now)
    #expect(machine.nextAttempt(at: rig.now) == next)
  }
}
