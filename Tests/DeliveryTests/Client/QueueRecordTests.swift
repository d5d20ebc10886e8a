import Foundation
import MisterMetricsCore
import Scenarios
import TelemetryCore
import TestSupport
import Testing

@testable import DeliveryCore
@testable import DeliverySimulation

@Suite("Records of the queue")
struct QueueRecordTests {
  private static func rig() -> CoreRig {
    CoreRig({
      $0.metrics = AnyMetricStore(MetricMemoryStore())
      $0.keepDelay = .seconds(1_000_000)
    })
  }

  private func records(_ rig: CoreRig) throws -> [DeliveryQueue] {
    try rig.core.journal.take().filter { $0.metric == AnyMetric(DeliveryMetrics.queue) }
      .map { try $0.decode(DeliveryQueue.self) }
  }

  @Test("They say when the oldest event was made, when the next attempt is, and why not earlier")
  func fields() throws {
    let rig = Self.rig()
    let start = rig.clock.wallTime.timeIntervalSinceReferenceDate
    rig.advance(by: .seconds(1))
    rig.track("a")
    rig.advance(by: .seconds(1))
    rig.track("b")
    rig.flush()
    rig.answer(503)
    rig.advance(by: .seconds(1))
    rig.answer(200)
    let records = try records(rig)
    #expect(records.map(\.nextCause) == [nil, "timer", "timer", nil, "floor", nil, nil])
    #expect(records.map { $0.nextAt.map { ($0 - start).rounded() } } == [nil, 10, 10, nil, 3, nil, nil])
    #expect(records.map { $0.oldestAt.map { ($0 - start).rounded() } } == [nil, 1, 1, 1, 1, 1, nil])
  }

  @Test("A wait that changes is recorded though no queue did")
  func waits() throws {
    let rig = Self.rig()
    rig.track("a")
    rig.flush()
    rig.answer(503)
    _ = try records(rig)
    rig.handle(.networkChanged(isOnline: false))
    rig.handle(.networkChanged(isOnline: true))
    #expect(try records(rig).map(\.nextCause) == [nil, "debounce"])
  }

  @Test(
    "A machine in a simulation always says the oldest event that waits", arguments: 0..<30 as Range<UInt64>)
  func oldest(seed: UInt64) throws {
    let files = Scenarios.deliveryStories
    let file = files[Int(seed) % files.count]
    let simulation = DeliverySimulation(try DeliveryScenario(json5: Data(file.bytes)), seed: seed)
    var last: DeliveryQueue?
    repeat {
      for entry in simulation.takeEntries() where entry.metric == AnyMetric(DeliveryMetrics.queue) {
        last = try entry.decode(DeliveryQueue.self)
      }
      guard let machine = simulation.world.process?.core.machine, machine.phase == .running else { continue }
      let stored = simulation.world.disk.first(machine.owedRemovals + 1).dropFirst(machine.owedRemovals)
      let oldest =
        machine.inFlight?.batch.events.first ?? machine.queue.front.first ?? stored.first
        ?? machine.queue.back.first ?? machine.queue.parked.first
      #expect(last?.oldestAt == oldest.flatMap { ClientCore.time(of: $0) }, "\(file.name)")
    } while simulation.step()
  }
}
