import Foundation
import Platform
import SimulationKit
import Testing

@testable import Sync
@testable import SyncSimulation

@Suite("Backends do what the engine relies on")
struct BackendConformanceTests {
  private static let owner = EntityKey(kind: "eventType", id: "owner")

  private static func server(hasVersions: Bool, hasOpaqueCursors: Bool = false) -> SimulatedServer {
    var server = SimulatedServer(
      domain: .sample, cursor: 1 << 40, hasVersions: hasVersions, hasOpaqueCursors: hasOpaqueCursors)
    server.change(RemoteChange(entity: owner, operation: .create, members: ["name": "owner"]))
    return server
  }

  private static func check(_ backend: any SyncBackend, kind: String) async throws -> [String] {
    try await BackendConformance.check(backend, domain: .sample, kind: kind) { number in
      let name = SyncValue.string("number \(number)")
      return switch kind {
      case "eventType", "geofence": ["name": name, "note": name]
      case "event": ["title": name, "note": name, "eventTypeId": .string(owner.id)]
      default: ["eventTypeId": .string(owner.id), "key": name, "note": name]
      }
    }
  }

  @Test(arguments: SyncDomain.sample.kinds.map(\.name), [false, true])
  func `A server without a fault conforms`(kind: String, hasVersions: Bool) async throws {
    for hasOpaqueCursors in [false, true] {
      let backend = ServerBackend(Self.server(hasVersions: hasVersions, hasOpaqueCursors: hasOpaqueCursors))
      #expect(try await Self.check(backend, kind: kind) == [])
    }
  }

  @Test(arguments: BackendDefect.allCases)
  func `A backend that breaks one promise is found out`(defect: BackendDefect) async throws {
    let backend = ServerBackend(Self.server(hasVersions: true), defect: defect)
    let violations = try await Self.check(backend, kind: "event")
    #expect(violations.contains { $0.contains(defect.sign) }, "\(violations)")
  }

  @Test func `The backend of the simulation conforms, on its clock`() throws {
    let clock = SimulationClock(start: .init(timeIntervalSinceReferenceDate: 0))
    let world = Locked(
      SimulatedWorld(server: Self.server(hasVersions: true), random: SimulationRandom(seed: 1)))
    let backend = SimulatedBackend(clock: clock, world: world)
    let tasks = try #require(SimulationTasks.make())
    let outcome = Locked<Result<[String], any Error>?>(nil)
    _ = tasks.tasks.start {
      do {
        let violations = try await Self.check(backend, kind: "event")
        outcome.withLock { $0 = .success(violations) }
      } catch {
        outcome.withLock { $0 = .failure(error) }
      }
    }
    tasks.drain()
    while outcome.withLock({ $0 == nil }), clock.wakeNext() { tasks.drain() }
    #expect(try outcome.withLock { try #require(try $0?.get()) } == [])
  }

  @Test func `A kind that the domain does not know is told`() async throws {
    await #expect(throws: SyncError(.other, detail: "the domain has no kind alien")) {
      try await Self.check(ServerBackend(Self.server(hasVersions: true)), kind: "alien")
    }
  }
}
