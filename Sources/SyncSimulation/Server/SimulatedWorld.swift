import SimulationKit
import Sync

/// Everything outside of the simulated device, and the chance in it.
struct SimulatedWorld: Sendable {
  /// The server.
  var server: SimulatedServer
  /// Faults on the way to it.
  var faults = FaultBoard()
  /// Answers to calls as somebody has seen them.
  var answers = AnswerBoard()
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
    return faults.strikes(using: &random) { $0.contains(call, kind: kind) }
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

  /// The failure that somebody has seen the push of an entity answered with.
  func seenFailure(of item: PushItem) -> SyncError? {
    guard let failure = answers[item.entity] else { return nil }
    guard failure.code == .conflict else { return failure }
    // The entity as others have changed it, as a version of theirs.
    let theirs = RemoteEntity(
      id: item.entity.id, members: server[item.entity] ?? ["title": "theirs"],
      version: "theirs-\(calls)")
    return SyncError(failure.code, status: failure.status, detail: failure.detail, current: theirs)
  }

  /// A page of the feed, with as much behind it as somebody has seen.
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

  /// Carries out a batch; the faults may make some items duplicates, refuse some or leave them out.
  mutating func carryOut(_ batch: [PushItem], _ strikes: [SimulatedFault: Double]) -> BatchAnswer {
    if strikes[.duplicate] != nil, let unlucky = batch.first { createElsewhere(unlucky) }
    let percent = strikes[.partialBatch]
    var answer = BatchAnswer()
    for (position, item) in batch.enumerated() {
      if let seen = seenFailure(of: item) {
        // An answer that says nothing of an item.
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

  /// Lets somebody else create the same, unless the server has the entity already.
  ///
  /// An entity without a natural key is put there under its own id, so that the create finds itself there.
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
  /// The same with one item more refused.
  fileprivate func refusing(_ position: Int, _ error: SyncError, as code: String) -> BatchAnswer {
    // An engine's record of a batch begins with the code, which it adds again.
    let isCoded = !code.isEmpty && error.detail.hasPrefix(code + ": ")
    let words = isCoded ? String(error.detail.dropFirst(code.count + 2)) : error.detail
    let failure = Failure(
      position: position, code: code, message: words, status: error.status, current: error.current)
    return BatchAnswer(created: created, failures: failures + [failure], taken: taken)
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
