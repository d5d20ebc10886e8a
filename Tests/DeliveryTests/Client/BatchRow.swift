import Foundation
import Platform
import TestSupport
import Testing

@testable import DeliveryCore

/// Q13: an endpoint that refuses a whole batch for the sake of some events in it.
extension FaultMatrix {
  @Test func `Q13: a batch that is refused loses only what is bad in it, which keeps the endpoint's words`()
    async throws
  {
    let result = try await MatrixRun.result(of: "Q13") { run in
      for status in [400, 422] {
        for bad in 0..<64 {
          try Self.send(6, bad: Set((0..<6).filter { bad >> $0 & 1 == 1 }), status, in: &run)
        }
        var generator = SeededGenerator(seed: run.seed)
        for count in [1, 2, 10, 20] {
          try Self.send(20, bad: Set((0..<20).shuffled(using: &generator).prefix(count)), status, in: &run)
        }
      }
    }
    #expect(result == .green)
  }

  @Test func `Q13 is red without a status that lets a batch be halved`() async throws {
    let result = try await MatrixRun.result(of: "Q13", without: "a status that lets a batch be halved") {
      run in
      try Self.send(6, bad: [3], 410, in: &run)
    }
    #expect(result == .red)
  }

  private static func send(_ size: Int, bad: Set<Int>, _ status: Int, in run: inout MatrixRun) throws {
    run.add(rounds: 1)
    let rig = CoreRig()
    for number in 0..<size { rig.track("e\(number)") }
    rig.flush()
    let names = Set(bad.map { "e\($0)" })
    var delivered: [String] = []
    // Halving down to single events takes fewer than two requests an event.
    while rig.core.waiting > 0, rig.requests.count < 2 * size {
      // The client pauses after several refusals in a row.
      if rig.core.machine.inFlight == nil { rig.advance(by: .seconds(9)) }
      guard rig.core.machine.inFlight != nil else { break }
      let events = try rig.events(of: rig.requests.count - 1).compactMap { $0["event"] as? String }
      let isRefused = !names.isDisjoint(with: events)
      if !isRefused { delivered += events }
      rig.answer(isRefused ? status : 200, detail: isRefused ? "no event of this name" : nil)
    }
    let refused = rig.core.refusedEvents.filter {
      $0.status == status && $0.answer == "no event of this name"
    }
    let good = Set((0..<size).map { "e\($0)" }).subtracting(names)
    run.tally.expected += size
    run.tally.got += good.intersection(delivered).count + refused.count
    run.tally.lost += good.subtracting(delivered).count
    run.tally.duplicated += delivered.count - Set(delivered).count
    run.tally.bad += refused.count == bad.count && rig.core.waiting == 0 ? 0 : 1
  }
}
