import Sync
import Telemetry

/// Everything outside of the simulated device, and the chance in it.
struct SimulatedWorld: Sendable {
  /// The server.
  var server: SimulatedServer
  /// What goes wrong on the way to it.
  var faults = FaultBoard()
  /// How long a session lasts after somebody has signed in; `nil` for ever.
  private let session: Duration?
  /// When the session ends.
  private var sessionEnd: Duration?
  /// How many calls there were.
  private(set) var calls = 0
  private var random: SimulationRandom

  init(server: SimulatedServer, random: SimulationRandom, session: Duration? = nil) {
    self.server = server
    self.session = session
    sessionEnd = session
    self.random = random
  }

  /// The faults that strike a call.
  mutating func strikes(_ call: SimulatedCall, kind: String?) -> [SimulatedFault: Double] {
    calls += 1
    return faults.strikes(call, kind: kind, using: &random)
  }

  /// Somebody signs in: a new session begins.
  mutating func signIn(at now: Duration) { sessionEnd = session.map { now + $0 } }

  /// The answer to a call of a session that is over.
  func refusal(at now: Duration) -> SyncError? {
    guard let sessionEnd, now >= sessionEnd else { return nil }
    return SyncError(.unauthorized, status: 401, detail: "the session has expired")
  }

  /// How long a round trip takes.
  mutating func delay(_ usual: Duration, _ strikes: [SimulatedFault: Double]) -> Duration {
    var delay = usual
    if let latency = strikes[.latency] { delay += .milliseconds(Int64(latency)) }
    if let jitter = strikes[.jitter] {
      // Whole milliseconds: the same on every machine.
      delay += .milliseconds(Int64(((random.unit() * 2 - 1) * jitter).rounded()))
    }
    return max(delay, .milliseconds(2))
  }

  /// Carries out a batch; the faults may make some items duplicates, refuse some or leave them out.
  mutating func carryOut(_ batch: [PushItem], _ strikes: [SimulatedFault: Double]) -> BatchAnswer {
    if strikes[.duplicate] != nil, let unlucky = batch.first { createElsewhere(unlucky) }
    guard let percent = strikes[.partialBatch] else { return server.push(batch: batch) }
    var answer = BatchAnswer()
    for (position, item) in batch.enumerated() {
      guard random.chance(percent / 100) else {
        server.push(item, at: position, in: &answer)
        continue
      }
      guard random.chance(0.5) else { continue }
      let busy = BatchAnswer.Failure(position: position, code: "busy", message: "try again")
      answer = BatchAnswer(created: answer.created, failures: answer.failures + [busy], taken: answer.taken)
    }
    return answer
  }

  /// Lets somebody else create the same, unless the server has the entity already.
  ///
  /// What has no natural key is put there under its own id, so that the create finds itself there.
  mutating func createElsewhere(_ item: PushItem) {
    guard server[item.entity] == nil else { return }
    let hasKey = server.domain[item.entity.kind].map { !$0.naturalKey.isEmpty } ?? false
    let id = hasKey ? "other-" + item.entity.id : item.entity.id
    server.change(
      RemoteChange(
        entity: EntityKey(kind: item.entity.kind, id: id), operation: .create, members: item.members))
  }
}

extension [String: SyncValue] {
  /// About how many bytes these members take on the wire.
  var weight: Int { reduce(2) { $0 + $1.key.utf8.count + 4 + $1.value.weight } }
}

extension SyncValue {
  /// About how many bytes the value takes on the wire.
  fileprivate var weight: Int {
    switch self {
    case .null, .bool: 4
    case .int, .double: 8
    case .string(let text): text.utf8.count + 2
    case .array(let values): values.reduce(2) { $0 + $1.weight + 1 }
    case .object(let members): members.weight
    }
  }
}

extension PushItem {
  /// About how many bytes the item takes on the wire.
  var weight: Int { 80 + members.weight }
}
