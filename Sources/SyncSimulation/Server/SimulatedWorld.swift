import SimulationKit
import Sync

/// Everything outside the simulated device, with its random numbers.
struct SimulatedWorld: Sendable {
  /// The server.
  var server: SimulatedServer
  /// Faults of the connection.
  var faults = FaultBoard()
  /// Observed answers to calls.
  var answers = AnswerBoard()
  /// Duration of a session after signing in; `nil` for no end.
  private let session: Duration?
  /// End of the session.
  private var sessionEnd: Duration?
  /// Number of calls so far.
  private(set) var calls = 0
  private var random: SimulationRandom

  init(server: SimulatedServer, random: SimulationRandom, session: Duration? = nil) {
    self.server = server
    self.session = session
    sessionEnd = session
    self.random = random
  }

  /// The faults that apply to a call.
  mutating func strikes(_ call: SimulatedCall, kind: String?) -> [SimulatedFault: Double] {
    calls += 1
    return faults.strikes(using: &random) { $0.contains(call, kind: kind) }
  }

  /// Signs in: a new session begins.
  mutating func signIn(at now: Duration) { sessionEnd = session.map { now + $0 } }

  /// The answer to a call in an expired session.
  func refusal(at now: Duration) -> SyncError? {
    guard let sessionEnd, now >= sessionEnd else { return nil }
    return SyncError(.unauthorized, status: 401, detail: "the session has expired")
  }

  /// Duration of a round trip.
  mutating func delay(_ usual: Duration, _ strikes: [SimulatedFault: Double]) -> Duration {
    var delay = usual
    if let latency = strikes[.latency] { delay += .milliseconds(Int64(latency)) }
    if let jitter = strikes[.jitter] {
      // Whole milliseconds, so that it is the same on every machine.
      delay += .milliseconds(Int64(((random.unit() * 2 - 1) * jitter).rounded()))
    }
    return max(delay, .milliseconds(2))
  }

  /// The observed failure of an entity's push.
  func seenFailure(of item: PushItem) -> SyncError? {
    guard let failure = answers[item.entity] else { return nil }
    guard failure.code == .conflict else { return failure }
    // The entity as changed by others, with a version of theirs.
    let theirs = RemoteEntity(
      id: item.entity.id, members: server[item.entity] ?? ["title": "theirs"],
      version: "theirs-\(calls)")
    return SyncError(failure.code, status: failure.status, detail: failure.detail, current: theirs)
  }

  /// A page of the feed, with the observed value of `hasMore`.
  mutating func page(since cursor: SyncCursor, limit: Int) -> ChangePage {
    guard let hasMore = answers[.pull]?.hasMore else { return server.changes(since: cursor, limit: limit) }
    guard hasMore else { return server.changes(since: cursor, limit: .max) }
    var page = server.changes(since: cursor, limit: limit)
    if page.changes.isEmpty {
      server.pass()
      page = server.changes(since: cursor, limit: limit)
    }
    return ChangePage(changes: page.changes, cursor: page.cursor, hasMore: true)
  }

  /// Executes a batch; the faults may make some items duplicates, refuse some or omit them from the answer.
  mutating func carryOut(_ batch: [PushItem], _ strikes: [SimulatedFault: Double]) -> BatchAnswer {
    if strikes[.duplicate] != nil, let unlucky = batch.first { createElsewhere(unlucky) }
    let percent = strikes[.partialBatch]
    var answer = BatchAnswer()
    for (position, item) in batch.enumerated() {
      if let seen = seenFailure(of: item) {
        // An item that was missing from the answer.
        if seen.code == .undecodable, seen.status == nil { continue }
        answer = answer.refusing(
          position, seen, as: seen.code == .other ? "" : SimulatedServer.code(of: seen))
        continue
      }
      guard let percent, random.chance(percent / 100) else {
        server.push(item, at: position, in: &answer)
        continue
      }
      guard random.chance(0.5) else { continue }
      answer = answer.refusing(position, SyncError(.other, detail: "try again"), as: "busy")
    }
    return answer
  }

  /// Lets another user create the same entity, unless it exists already.
  ///
  /// Without a natural key it gets its own id, so that the create collides with itself.
  mutating func createElsewhere(_ item: PushItem) {
    guard server[item.entity] == nil else { return }
    let hasKey = server.domain[item.entity.kind].map { !$0.naturalKey.isEmpty } ?? false
    let id = hasKey ? "other-" + item.entity.id : item.entity.id
    server.change(
      RemoteChange(
        entity: EntityKey(kind: item.entity.kind, id: id), operation: .create, members: item.members))
  }
}

extension BatchAnswer {
  /// The same answer with one more item refused.
  fileprivate func refusing(_ position: Int, _ error: SyncError, as code: String) -> BatchAnswer {
    // The engine records batch failures with the code in front, and would add it again.
    let isCoded = !code.isEmpty && error.detail.hasPrefix(code + ": ")
    let words = isCoded ? String(error.detail.dropFirst(code.count + 2)) : error.detail
    let failure = Failure(
      position: position, code: code, message: words, status: error.status, current: error.current)
    return BatchAnswer(created: created, failures: failures + [failure], taken: taken)
  }
}

extension [String: SyncValue] {
  /// Approximate size of the members on the wire, in bytes.
  var weight: Int { reduce(2) { $0 + $1.key.utf8.count + 4 + $1.value.weight } }
}

extension SyncValue {
  /// Approximate size of the value on the wire, in bytes.
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
  /// Approximate size of the item on the wire, in bytes.
  var weight: Int { 80 + members.weight }
}
