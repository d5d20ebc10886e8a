import Platform
import Sync

/// A server behind an unreliable connection: calls take simulated time and are subject to the current faults.
///
/// A request travels, arrives, is executed, and its answer travels back; a fault, or the cancellation of the task,
/// applies at one of these points. Therefore a dropped answer leaves the server changed, and a dropped request does
/// not.
final class SimulatedBackend: SyncBackend {
  /// Round-trip time of a request without faults.
  private static let roundTrip = Duration.milliseconds(80)
  /// The app's timeout for any answer.
  private static let timeout = Duration.seconds(60)

  private let clock: SimulationClock
  private let world: Locked<SimulatedWorld>
  private let trace: SimulationTrace?

  init(clock: SimulationClock, world: Locked<SimulatedWorld>, trace: SimulationTrace? = nil) {
    self.clock = clock
    self.world = world
    self.trace = trace
  }

  func probe() async throws {
    try await exchange(Request(.probe, "probe", size: 100)) { _, _ in Answer((), "ok", size: 50) }
  }

  func push(batch: [PushItem], of kind: EntityKind) async throws -> BatchAnswer {
    let request = Request(
      .push, "POST \(batch.count) of \(kind.name)", kind: kind.name,
      size: batch.reduce(200) { $0 + $1.weight })
    return try await exchange(request) { world, strikes in
      let answer = world.carryOut(batch, strikes)
      return Answer(
        answer,
        "\(answer.created.count + answer.taken.count) \(batch.first?.operation.past ?? "taken"), "
          + "\(answer.failures.count) refused",
        size: answer.created.reduce(100) { $0 + $1.members.weight })
    }
  }

  func push(_ item: PushItem) async throws -> RemoteEntity? {
    let request = Request(
      .push, "\(item.operation.verb) \(item.entity.kind)", kind: item.entity.kind, size: 200 + item.weight)
    return try await exchange(request) { world, strikes throws(SyncError) in
      if strikes[.duplicate] != nil, item.operation == .create { world.createElsewhere(item) }
      if let failure = world.seenFailure(of: item) { throw failure }
      let entity = try world.server.push(item)
      // A server without versions does not return the entity.
      let answer = world.server.hasVersions && item.operation != .delete ? entity : nil
      return Answer(answer, "ok", size: 100)
    }
  }

  func changes(since cursor: SyncCursor, limit: Int) async throws -> ChangePage {
    try await exchange(Request(.pull, "changes since the cursor", size: 150)) { world, _ in
      let page = world.page(since: cursor, limit: limit)
      return Answer(
        page,
        (page.changes.count == 1 ? "1 change" : "\(page.changes.count) changes")
          + (page.hasMore ? ", more" : ""),
        size: page.changes.reduce(100) { $0 + $1.members.weight + 80 })
    }
  }

  func latestCursor() async throws -> SyncCursor {
    try await exchange(Request(.bootstrap, "latest cursor", size: 100)) { world, _ in
      Answer(world.server.latestCursor, "cursor", size: 60)
    }
  }

  func entities(of kind: EntityKind, ownedBy owner: String?, page: String?, limit: Int) async throws
    -> EntityPage
  {
    let request = Request(
      .bootstrap, "list of \(kind.name)" + (owner == nil ? "" : " of one \(kind.fetchedPer ?? "owner")"),
      kind: kind.name, size: 150)
    return try await exchange(request) { world, _ in
      let page = world.server.entities(of: kind.name, ownedBy: owner, page: page, limit: limit)
      return Answer(
        page, "\(page.entities.count) of \(kind.name)" + (page.next == nil ? "" : ", more"),
        size: page.entities.reduce(100) { $0 + $1.members.weight + 40 })
    }
  }
}

// MARK: - One exchange

extension SimulatedBackend {
  /// The server's work on a request, given the faults that apply to it.
  private typealias Errand<Value: Sendable> =
    @Sendable (inout SimulatedWorld, [SimulatedFault: Double]) throws(SyncError) -> Answer<Value>

  /// A request: its type, its text for a diagram, its kind of entity, and its size in bytes.
  private struct Request: Sendable {
    let call: SimulatedCall
    let name: String
    let kind: String?
    let size: Int

    init(_ call: SimulatedCall, _ name: String, kind: String? = nil, size: Int) {
      self.call = call
      self.name = name
      self.kind = kind
      self.size = size
    }
  }

  /// An answer: its value, its text for a diagram, and its size in bytes.
  private struct Answer<Value: Sendable>: Sendable {
    let value: Value
    let words: String
    let size: Int

    init(_ value: Value, _ words: String, size: Int) {
      self.value = value
      self.words = words
      self.size = size
    }
  }

  private func exchange<Value: Sendable>(
    _ request: Request, _ carryOut: Errand<Value>
  ) async throws -> Value {
    trace?.note(.engine, .server, request.name)
    do {
      let answer = try await travel(request, carryOut)
      trace?.note(.server, .engine, answer.words, isAnswer: true)
      return answer.value
    } catch {
      let failure = error as? SyncError ?? SyncError(.cancelled)
      trace?.note(.server, .engine, failure.text, isAnswer: true, isFailure: true)
      throw error
    }
  }

  private func travel<Value: Sendable>(
    _ request: Request, _ carryOut: Errand<Value>
  ) async throws -> Answer<Value> {
    let start = clock.now
    let (strikes, delay, seen) = world.withLock { world in
      let strikes = world.strikes(request.call, kind: request.kind)
      let seen = world.answers[request.call]
      return (strikes, world.delay(seen?.delay ?? Self.roundTrip, strikes), seen)
    }
    let name = request.call.rawValue
    if strikes[.offline] != nil {
      try await wait(until: start + .milliseconds(5), "no network for \(name)")
      throw SyncError(.noConnection, detail: "offline")
    }
    if let timeout = strikes[.dropRequest] {
      try await wait(until: start + .seconds(timeout), "time-out of \(name)")
      throw SyncError(.timeout)
    }
    if let seen, let failure = seen.failure {
      try await wait(until: start + delay, "answer to \(name)")
      if seen.isCarriedOut { _ = try? world.withLock { world in try carryOut(&world, strikes) } }
      throw failure
    }
    let arrival = start + delay / 2 + transfer(request.size, strikes)
    let cut = strikes[.disconnect].map { start + .seconds($0) }
    try await wait(until: arrival, cutAt: cut, start: start, "\(name) arrives")
    if let refusal = Self.refusal(by: strikes) {
      try await wait(until: arrival + delay / 2, cutAt: cut, start: start, "answer to \(name)")
      throw refusal
    }
    let (now, time) = (clock.now, clock.recordTime)
    let result = world.withLock { world in
      Result { () throws(SyncError) in
        if let refusal = world.refusal(at: now) { throw refusal }
        world.server.time = time
        return try carryOut(&world, strikes)
      }
    }
    if let timeout = strikes[.dropReply] {
      try await wait(until: max(arrival, start + .seconds(timeout)), "time-out of \(name)")
      throw SyncError(.timeout)
    }
    let size = (try? result.get())?.size ?? 200
    let end = arrival + delay / 2 + transfer(size, strikes)
    try await wait(until: end, cutAt: cut, start: start, "answer to \(name)")
    return try result.get()
  }

  private func wait(until deadline: Duration, _ purpose: String) async throws {
    do { try await clock.sleep(until: deadline, for: purpose) } catch { throw SyncError(.cancelled) }
  }

  /// Waits for the next point of an exchange, unless the connection is cut or the app times out before.
  private func wait(until deadline: Duration, cutAt cut: Duration?, start: Duration, _ purpose: String)
    async throws
  {
    let limit = start + Self.timeout
    if let cut, cut < deadline, cut < limit {
      try await wait(until: cut, "connection reset")
      throw SyncError(.noConnection, detail: "connection reset")
    }
    guard deadline <= limit else {
      try await wait(until: limit, "time-out")
      throw SyncError(.timeout)
    }
    try await wait(until: deadline, purpose)
  }

  private func transfer(_ bytes: Int, _ strikes: [SimulatedFault: Double]) -> Duration {
    guard let rate = strikes[.bandwidth], rate > 0 else { return .zero }
    // Whole milliseconds, so that it is the same on every machine, and bounded even for huge sizes at the lowest rate.
    return .milliseconds(Int64(min(Double(bytes) / rate, 1e9).rounded(.up)))
  }

  /// The answer of a server that rejects requests unseen.
  private static func refusal(by strikes: [SimulatedFault: Double]) -> SyncError? {
    if strikes[.loginPage] != nil {
      return SyncError(.undecodable, status: 200, detail: "<html><title>Welcome to Free Wi-Fi</title>")
    }
    if let status = strikes[.unauthorized] {
      return status >= 402
        ? SyncError(.forbidden, status: 403, detail: "not allowed")
        : SyncError(.unauthorized, status: 401, detail: "token expired")
    }
    if let wait = strikes[.rateLimitRetryAfter] {
      return SyncError(.rateLimited, status: 429, retryAfter: .seconds(wait))
    }
    if strikes[.rateLimit] != nil { return SyncError(.rateLimited, status: 429) }
    return strikes[.serverError].map {
      SyncError(.server, status: Int($0), detail: "service unavailable")
    }
  }
}

extension Mutation.Operation {
  /// The operation in the past tense.
  fileprivate var past: String {
    switch self {
    case .create: "created"
    case .update: "updated"
    case .delete: "deleted"
    }
  }

  /// The HTTP method of the operation.
  fileprivate var verb: String {
    switch self {
    case .create: "POST"
    case .update: "PUT"
    case .delete: "DELETE"
    }
  }
}
