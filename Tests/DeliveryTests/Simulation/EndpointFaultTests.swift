import Foundation
import MisterMetricsCore
import SimulationKit
import Testing

@testable import DeliveryCore
@testable import DeliverySimulation

@Suite("Faults of the simulated endpoint")
struct EndpointFaultTests {
  private typealias Acts = [DeliveryTimedAct]

  /// The result of the first batch of one event, and the endpoint's events by then.
  private static func firstBatch(
    _ setting: EndpointFaultSetting?, acts: Acts = []
  ) throws -> (batch: DeliveryBatch?, simulation: DeliverySimulation) {
    var scenario = DeliveryScenario(
      name: "fault", title: "Fault", seed: 1, start: Date(timeIntervalSinceReferenceDate: 800_000_000),
      duration: .seconds(60))
    scenario.acts = setting.map { [DeliveryTimedAct(at: .zero, .fault($0))] } ?? []
    scenario.acts += [
      DeliveryTimedAct(at: .seconds(1), .event(SimulatedEvent(.track))),
      DeliveryTimedAct(at: .seconds(2), .flush),
    ]
    scenario.acts += acts
    let simulation = DeliverySimulation(scenario)
    while simulation.step() {
      for entry in simulation.takeEntries() where entry.metric == AnyMetric(DeliveryMetrics.batch) {
        return (try entry.decode(DeliveryBatch.self), simulation)
      }
    }
    return (nil, simulation)
  }

  @Test func `Without a fault a batch is taken after one round trip`() throws {
    let (batch, simulation) = try Self.firstBatch(nil)
    #expect(batch?.status == 200 && batch?.latencyMs == 80 && batch?.detail == "{\"accepted\":1}")
    #expect(simulation.world.endpoint.taken == batch.map { [$0.first] })
  }

  static let statuses: [(fault: EndpointFault, amount: Double?, status: Int, retryAfter: Double?)] = [
    (.rateLimit, nil, 429, nil), (.rateLimitRetryAfter, 60, 429, 60), (.serverError, 599, 599, nil),
    (.unauthorized, 401, 401, nil), (.unauthorized, 403, 403, nil), (.unauthorized, 404, 404, nil),
    (.status, 302, 302, nil), (.status, 100, 100, nil), (.status, 999, 999, nil), (.tooLarge, 0, 413, nil),
    (.retryDate, 20, 503, 19.92),
  ]

  @Test(arguments: statuses)
  func `A fault of the endpoint is its answer, and the batch is not taken`(
    fault: EndpointFault, amount: Double?, status: Int, retryAfter: Double?
  ) throws {
    let (batch, simulation) = try Self.firstBatch(EndpointFaultSetting(fault, amount: amount))
    #expect(batch?.status == status)
    // Moments of the calendar are not exact to the last bit.
    #expect(batch?.retryAfter.map { ($0 * 1000).rounded() / 1000 } == retryAfter)
    #expect(simulation.world.endpoint.taken.isEmpty)
  }

  @Test func `Any status from 200 to 299 takes the batch, and half a body does not matter`() throws {
    for setting in [EndpointFaultSetting(.status, amount: 204), EndpointFaultSetting(.halfBody)] {
      let (batch, simulation) = try Self.firstBatch(setting)
      #expect(batch.flatMap(\.status).map { (200..<300).contains($0) } == true)
      #expect(simulation.world.endpoint.taken.count == 1 && simulation.world.waiting == 0)
    }
    #expect(try Self.firstBatch(EndpointFaultSetting(.halfBody)).batch?.detail == "{\"accep")
  }

  static let losses: [(setting: EndpointFaultSetting, error: String, latency: Double, taken: Int)] = [
    (EndpointFaultSetting(.dropRequest), "timedOut", 8000, 0),
    (EndpointFaultSetting(.dropReply), "timedOut", 8000, 1),
    (EndpointFaultSetting(.latency, amount: 9000), "timedOut", 8000, 1),
    (EndpointFaultSetting(.disconnect, amount: 0.01), "unreachable", 10, 0),
    (EndpointFaultSetting(.disconnect, amount: 0.06), "unreachable", 60, 1),
  ]

  @Test(arguments: losses)
  func `A fault of the line ends without an answer, whatever the endpoint has taken`(
    setting: EndpointFaultSetting, error: String, latency: Double, taken: Int
  ) throws {
    let (batch, simulation) = try Self.firstBatch(setting)
    #expect(batch?.error == error && batch?.latencyMs == latency && batch?.status == nil)
    #expect(simulation.world.endpoint.taken.count == taken && simulation.world.waiting == 1)
  }

  @Test func `A slow line takes its time`() throws {
    #expect(try Self.firstBatch(EndpointFaultSetting(.latency, amount: 300)).batch?.latencyMs == 380)
    let shaken = try #require(try Self.firstBatch(EndpointFaultSetting(.jitter, amount: 50)).batch?.latencyMs)
    #expect((30...130).contains(shaken))
    let narrow = try #require(try Self.firstBatch(EndpointFaultSetting(.bandwidth, amount: 0.5)).batch)
    #expect(narrow.latencyMs == 80 + Double(narrow.bytes) * 2 && narrow.status == 200)
  }

  @Test func `Without a network nothing is sent, and a full disk takes nothing`() throws {
    let offline = try Self.firstBatch(EndpointFaultSetting(.offline))
    #expect(
      offline.batch == nil && offline.simulation.world.waiting == 1
        && offline.simulation.world.disk.count == 1)
    let off: Acts = [DeliveryTimedAct(at: .milliseconds(1500), .fault(EndpointFaultSetting(.offline)))]
    let full = try Self.firstBatch(EndpointFaultSetting(.diskFull), acts: off)
    #expect(full.batch == nil && full.simulation.world.waiting == 1 && full.simulation.world.disk.count == 0)
  }

  @Test func `A skewed calendar changes what events say, and nothing else`() throws {
    let (batch, simulation) = try Self.firstBatch(EndpointFaultSetting(.clockSkew, amount: -3600))
    let milliseconds = try #require(batch?.first.split(separator: "-").first.flatMap { Double($0) })
    let start = simulation.scenario.start.timeIntervalSince1970
    #expect(milliseconds / 1000 == start + 1 - 3600 && batch?.latencyMs == 80)
  }

  @Test func `A fault strikes as often as it says, and those batches that it says`() {
    var board = EndpointFaultBoard()
    board.set(EndpointFaultSetting(.rateLimit, probability: 0.2))
    board.set(EndpointFaultSetting(.halfBody, scope: .disk))
    board.set(EndpointFaultSetting(.dropReply, isOn: false))
    var random = SimulationRandom(seed: 1)
    let strikes = (0..<10_000).map { _ in board.strikes(using: &random) { $0.contains(.memory) } }
    #expect((1800...2200).contains(strikes.count { $0[.rateLimit] != nil }))
    #expect(!strikes.contains { $0[.halfBody] != nil || $0[.dropReply] != nil })
    #expect(board.strikes(using: &random) { $0.contains(.disk) }[.halfBody] == 0)
    #expect(board.active.map(\.fault) == [.rateLimit, .halfBody])
  }

  @Test(arguments: EndpointFault.allCases)
  func `An amount out of range is moved to its next end, and what is no number to the lower one`(
    fault: EndpointFault
  ) {
    let range = fault.measure.range
    #expect(EndpointFaultSetting(fault, amount: .infinity).amount == range.upperBound)
    #expect(EndpointFaultSetting(fault, amount: -.infinity).amount == range.lowerBound)
    #expect(EndpointFaultSetting(fault, amount: .nan).amount == range.lowerBound)
    #expect(EndpointFaultSetting(fault, probability: .nan).probability == 0)
    #expect(range.contains(fault.measure.usual) && !fault.words.isEmpty)
  }
}
