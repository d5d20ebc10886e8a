import Foundation
import MisterMetricsCore
import Platform
import SimulationKit
import Testing

@testable import Sync
@testable import SyncSimulation

@Suite("Simulated faults")
struct SimulatedFaultTests {
  /// The result of a push of one event type, how long it took, and whether the server has it.
  private func push(_ fault: FaultSetting?, until limit: Duration = .seconds(400)) throws -> (
    error: SyncError?, seconds: Double, isThere: Bool
  ) {
    let clock = SimulationClock(start: .init(timeIntervalSinceReferenceDate: 0))
    let world = Locked(
      SimulatedWorld(server: SimulatedServer(domain: .sample), random: SimulationRandom(seed: 1)))
    if let fault { world.withLock { _ = $0.faults.set(fault) } }
    let backend = SimulatedBackend(clock: clock, world: world)
    let tasks = try #require(SimulationTasks.make())
    let key = EntityKey(kind: "eventType", id: "a")
    let item = PushItem(
      idempotencyKey: "k", entity: key, operation: .create,
      members: ["name": .string(String(repeating: "x", count: 900))])
    let outcome = Locked<Result<Void, SyncError>?>(nil)
    _ = tasks.tasks.start {
      do {
        _ = try await backend.push(item)
        outcome.withLock { $0 = .success(()) }
      } catch {
        outcome.withLock { $0 = .failure(SyncError(wrapping: error)) }
      }
    }
    tasks.drain()
    while let next = clock.next, next.at <= limit, clock.wakeNext() { tasks.drain() }
    let result = try #require(outcome.withLock { $0 })
    var error: SyncError?
    if case .failure(let failure) = result { error = failure }
    return (error, clock.now / .seconds(1), world.withLock { $0.server[key] != nil })
  }

  @Test func `Without a fault a push takes a round trip`() throws {
    let (error, seconds, isThere) = try push(nil)
    #expect(error == nil && seconds == 0.08 && isThere)
  }

  @Test func `Latency and a narrow line take time and break nothing`() throws {
    #expect(try push(FaultSetting(.latency, amount: 300)).seconds == 0.38)
    let (error, seconds, isThere) = try push(FaultSetting(.bandwidth, amount: 1))
    #expect(error == nil && isThere && seconds > 1)
    let endless = try push(FaultSetting(.bandwidth, amount: 0.1))
    #expect(endless.error == nil && endless.seconds < 60)
  }

  @Test func `Nobody waits for an answer for ever`() throws {
    let (error, seconds, isThere) = try push(FaultSetting(.latency, amount: 60_000, probability: 1))
    #expect(error?.code == .timeout && seconds == 60 && isThere)
  }

  @Test func `A dropped request leaves the server as it was, a dropped reply does not`() throws {
    let request = try push(FaultSetting(.dropRequest, amount: 7))
    #expect(request.error?.code == .timeout && request.seconds == 7 && !request.isThere)
    let reply = try push(FaultSetting(.dropReply, amount: 7))
    #expect(reply.error?.code == .timeout && reply.seconds == 7 && reply.isThere)
  }

  @Test func `A reset strikes before or after the server has heard of it`() throws {
    let early = try push(FaultSetting(.disconnect, amount: 0.01))
    #expect(early.error?.code == .noConnection && early.seconds == 0.01 && !early.isThere)
    let late = try push(FaultSetting(.disconnect, amount: 0.05))
    #expect(late.error?.code == .noConnection && late.isThere)
    #expect(try push(FaultSetting(.disconnect, amount: 1)).error == nil)
  }

  static let answers: [(SimulatedFault, SyncError.Code, Int?)] = [
    (.rateLimit, .rateLimited, 429), (.rateLimitRetryAfter, .rateLimited, 429), (.serverError, .server, 503),
    (.unauthorized, .unauthorized, 401), (.duplicate, .duplicate, 409), (.loginPage, .undecodable, 200),
    (.offline, .noConnection, nil),
  ]

  @Test(arguments: answers) func `A fault is an answer of its own`(
    fault: SimulatedFault, code: SyncError.Code, status: Int?
  ) throws {
    let error = try #require(try push(FaultSetting(fault)).error)
    #expect(error.code == code && error.status == status)
    #expect((error.retryAfter == .seconds(60)) == (fault == .rateLimitRetryAfter))
  }

  @Test func `A fault out of its scope, switched off or of no probability does not strike`() throws {
    #expect(try push(FaultSetting(.serverError, scope: FaultScope(.pull))).error == nil)
    #expect(try push(FaultSetting(.serverError, scope: FaultScope(.push, kind: "event"))).error == nil)
    #expect(try push(FaultSetting(.serverError, isOn: false)).error == nil)
    #expect(try push(FaultSetting(.serverError, probability: 0)).error == nil)
    #expect(try push(FaultSetting(.serverError, scope: FaultScope(.push, kind: "eventType"))).error != nil)
  }

  @Test func `Amounts and probabilities stay in their range, whatever comes in`() {
    for fault in SimulatedFault.allCases {
      for value in [-Double.infinity, -1, 0, 1e300, .infinity, .nan] {
        let setting = FaultSetting(fault, amount: value, probability: value)
        #expect(fault.measure.range.contains(setting.amount))
        #expect((0...1).contains(setting.probability))
      }
      #expect(fault.measure.range.contains(fault.measure.usual))
      #expect(!fault.words.isEmpty)
    }
  }

  @Test func `A partial batch answers for some, refuses some and forgets some`() {
    var world = SimulatedWorld(server: SimulatedServer(domain: .sample), random: SimulationRandom(seed: 3))
    let batch = (0..<50).map {
      PushItem(
        idempotencyKey: "k\($0)", entity: EntityKey(kind: "event", id: "\($0)"), operation: .create,
        members: [:])
    }
    let answer = world.carryOut(batch, [.partialBatch: 40])
    #expect(answer.created.count > 20 && answer.failures.count > 2)
    #expect(answer.created.count + answer.failures.count < 50)
    let repeated = world.carryOut(batch, [:])
    #expect(repeated.created.count == 50 && world.server.creates == 50)
  }
}
