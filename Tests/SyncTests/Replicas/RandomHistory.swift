import Platform
import TestSupport

@testable import Sync
@testable import SyncSimulation

/// A random history of two devices, and whether all is well at its end.
struct RandomHistory {
  private var random: SeededGenerator
  private let world: ReplicaWorld
  /// Of two edits on a server without versions the later push wins, and no one can know.
  private let hasVersions: Bool
  private var values = 0

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    hasVersions = !seed.isMultiple(of: 4)
    world = try ReplicaWorld(seed: seed, hasVersions: hasVersions, hasOpaqueCursors: seed.isMultiple(of: 3))
  }

  /// The faults; empty when there are none.
  mutating func play() -> String? {
    for device in world.devices { device.tell { _ = await $0.requestSync() } }
    world.advance(by: .seconds(5))
    for _ in 0..<Int.random(in: 10...40, using: &random) {
      step()
      // At every moment what was acknowledged waits, is dead with its values, or is on the server.
      if let lost = lostValues { return "in the middle, " + lost }
    }
    return end()
  }

  /// The events.
  var story: [String] { world.story }

  private mutating func step() {
    let device = world.devices[Int.random(in: 0...1, using: &random)]
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<3: device.change(.create, anyKey(), members(2))
    case 3..<9: if let row = anyRow(of: device) { device.change(.update, row.key, members(1)) }
    // The end of a create of which no one knows whether it arrived has no version to name: it would take, without a
    // word, what somebody else has made under the same id.
    case 9..<11:
      if let row = anyRow(of: device), !device.isUnanswered(row.key) { device.change(.delete, row.key, [:]) }
    case 11..<15:
      world.tell("device \(device.number) sync")
      device.tell { _ = await $0.requestSync() }
    case 15..<17: setFault()
    case 17:
      world.tell("faults end")
      world.world.withLock { $0.faults = FaultBoard() }
    case 18: signIn()
    case 19:
      let isCut = Bool.random(using: &random)
      let count = Int.random(in: 0...3, using: &random)
      world.tell(
        "device \(device.number) \(isCut ? "loses its power, \(count) of \(device.disk.unsynced) kept" : "is killed")"
      )
      device.restart(withPowerCut: isCut, keeping: count)
    case 20 where Int.random(in: 0..<3, using: &random) == 0:
      world.tell("device \(device.number) resync")
      device.tell { _ = await $0.forceFullResync() }
    case 20 where Bool.random(using: &random):
      world.tell("device \(device.number) cancels")
      device.tell { _ = await $0.cancelSync() }
    default: pass()
    }
  }

  private mutating func pass() {
    let lengths: [Duration] = [
      .milliseconds(30), .milliseconds(90), .milliseconds(250), .seconds(3), .seconds(40), .seconds(500),
    ]
    world.advance(by: lengths[Int.random(in: 0..<lengths.count, using: &random)])
  }

  private mutating func anyKey() -> EntityKey {
    let kinds = ReplicaWorld.domain.kinds
    return EntityKey(
      kind: kinds[Int.random(in: 0..<kinds.count, using: &random)].name,
      id: "e\(Int.random(in: 0..<4, using: &random))")
  }

  private mutating func anyRow(of device: ReplicaDevice) -> SyncEntity? {
    device.rows.randomElement(using: &random)
  }

  private mutating func members(_ count: Int) -> [String: SyncValue] {
    var members: [String: SyncValue] = [:]
    for _ in 0..<count {
      values += 1
      members[["a", "b", "c"][Int.random(in: 0...2, using: &random)]] = .string("v\(values)")
    }
    return members
  }

  private mutating func setFault() {
    let faults: [SimulatedFault] = [
      .dropReply, .dropRequest, .offline, .serverError, .rateLimit, .disconnect, .unauthorized, .partialBatch,
      .latency, .loginPage,
    ]
    let fault = faults[Int.random(in: 0..<faults.count, using: &random)]
    let amount: Double? =
      switch fault {
      case .serverError: [500, 503].randomElement(using: &random)
      case .dropReply, .dropRequest: [0.5, 90].randomElement(using: &random)
      default: nil
      }
    let setting = FaultSetting(fault, amount: amount, probability: Double.random(in: 0.3...1, using: &random))
    world.tell("fault \(fault) \(setting.amount)")
    world.world.withLock { _ = $0.faults.set(setting) }
  }

  private func signIn() {
    let now = world.clock.now
    world.tell("sign in")
    world.world.withLock { $0.signIn(at: now) }
  }

  private mutating func end() -> String? {
    world.tell("the end: no faults")
    world.world.withLock { $0.faults = FaultBoard() }
    for round in 0..<40 {
      signIn()
      for device in world.devices {
        device.tell { engine in
          for letter in (try? await engine.deadLetters()) ?? [] {
            _ = try? await engine.requeueDeadLetter(letter.id)
          }
          await engine.resetBreaker()
          _ = await engine.requestSync()
        }
      }
      world.advance(by: .seconds(round < 5 ? 100 : 3700))
      if difference == nil, round > 1 { return lostValues }
    }
    return difference
  }

  private var lostValues: String? {
    guard hasVersions else { return nil }
    var kept = Set(world.server.values.flatMap(\.values))
    for device in world.devices { kept.formUnion(device.unfinished) }
    let lost = world.log.lost(beside: kept)
    return lost.isEmpty ? nil : "lost without a word: \(lost.joined(separator: ", "))"
  }

  private var difference: String? {
    let server = world.server
    for device in world.devices {
      let store = device.disk.makeStore()
      if let waiting = try? store.mutations(), let first = waiting.first {
        return
          "device \(device.number) does not come to rest: \(first.operation) \(first.entity.id) waits, \(first.attempts) attempts, \(first.lastError ?? "")"
      }
      let rows = Dictionary(device.rows.map { ($0.key, $0) }) { first, _ in first }
      for key in Set(server.keys).union(rows.keys).sorted(by: EntityKey.inOrder)
      where server[key] != rows[key]?.members {
        return
          "device \(device.number), \(key.kind) \(key.id): here \(words(rows[key]?.members)), on the server \(words(server[key]))"
      }
      if let row = device.rows.first(where: { $0.status != .synced || $0.basis.members != nil }) {
        return "device \(device.number), \(row.key.kind) \(row.key.id) is \(row.status)"
      }
    }
    return nil
  }

  private func words(_ members: [String: SyncValue]?) -> String {
    guard let members else { return "nothing" }
    return members.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }
}
