import Essentials
import Resilience

extension SyncEngine {
  /// Pushes the next batch or the next mutation.
  ///
  /// - Returns: The next action: another push while the machine is in the push phase.
  func pushNext() async -> SyncAction? {
    do {
      try Task.checkCancellation()
      let due = try withStore {
        try $0.nextMutations(after: pushPosition, limit: machine.configuration.batchSize)
      }
      guard let last = due.last else { return decide(.pushFinished) }
      let ready = try withStore { try self.ready(due, in: $0) }
      guard !ready.isEmpty else {
        pushPosition = last.position
        return .push
      }
      let request = try withStore { store in
        try PushRequest(ready, in: environment.domain) {
          try $0.operation == .delete ? $0.baseVersion : store.entity($0.entity)?.basis.version
        }
      }
      let before = pushPosition
      pushPosition = request.last
      try rejectUndecodable(request.undecodable)
      guard !request.items.isEmpty else { return .push }
      let told = conflictCount
      let next = try await push(request)
      // Conflicting changes are sent again on top of the server's state.
      if conflictCount != told, next == .push { pushPosition = before }
      return next
    } catch {
      return fail(SyncError(wrapping: error))
    }
  }

  private func push(_ request: PushRequest) async throws -> SyncAction? {
    try await markSent(request)
    writeRecord()
    try Task.checkCancellation()
    let answer = await send(request)
    // The server's answer counts, whatever happened to the run in the meantime.
    if case .success = answer { try apply(answer, to: request) }
    if case .failure(let error) = answer, !error.isAnswered { try Task.checkCancellation() }
    guard machine.run?.phase == .pushing else { return nil }
    if case .success(.batch(let batch)) = answer, let error = request.putOff(by: batch) {
      return error.code == .rateLimited ? limit(error) : decide(.pushInterrupted(error))
    }
    if case .failure(let error) = answer {
      if error.provesNotTaken { try unmarkSent(request) }
      if error.code == .rateLimited { return limit(error) }
      if error.interruptsPush {
        // The request may have been too large.
        if error.code == .timeout || error.status != nil, !error.isSessionLost, request.items.count > 1 {
          try split(request, error)
        }
        return decide(.pushInterrupted(error))
      }
      try apply(answer, to: request)
    }
    return machine.run?.phase == .pushing ? .push : nil
  }

  /// The server limits requests; below the breaker's threshold the run continues with the next request.
  private func limit(_ error: SyncError) -> SyncAction? {
    holdBack(error)
    runFailure = error
    let next = decide(.rateLimited(retryAfter: error.retryAfter))
    return machine.run?.phase == .pushing ? .push : next
  }

  /// Leaves out mutations that are not due, and those that depend on an entity not yet created.
  private func ready(_ due: [QueuedMutation], in store: any SyncStore) throws -> [QueuedMutation] {
    let now = environment.clock.wallTime
    return try due.filter { queued in
      if sending[queued.mutation.entity] != nil {
        held[queued.mutation.id] = environment.clock.now + machine.configuration.callDeadline
        return false
      }
      if let wait = queued.mutation.remainingDelay(at: now) {
        held[queued.mutation.id] = environment.clock.now + wait
        return false
      }
      held[queued.mutation.id] = nil
      if let parent = try parent(of: queued.mutation, waitingIn: store) {
        blocking.insert(parent)
        record(queued.mutation, waitsFor: parent)
        return false
      }
      return try !isDead(queued.mutation, in: store)
    }
  }

  /// True if it edits an entity whose create is a dead letter: the server does not have it.
  private func isDead(_ mutation: Mutation, in store: any SyncStore) throws -> Bool {
    try mutation.operation == .update && store.entity(mutation.entity)?.basis.members == nil
      && store.deadLetters(of: mutation.entity).contains { $0.operation == .create }
  }

  /// The entity that a mutation depends on, until the server has accepted its create.
  func parent(of mutation: Mutation, waitingIn store: any SyncStore) throws -> EntityKey? {
    guard mutation.operation != .delete, let members = MemberPayload.members(of: mutation.payload),
      let parent = environment.domain.target(of: mutation.entity.kind, members: members)
    else { return nil }
    let isWaiting = try store.mutations(of: parent).contains { $0.operation == .create }
    return try isWaiting || store.deadLetters(of: parent).contains { $0.operation == .create } ? parent : nil
  }

  /// The answer to one request: of a batch, or of a single change with the server's entity.
  fileprivate enum Answer: Sendable {
    case batch(BatchAnswer)
    case single(RemoteEntity?)
  }

  private func send(_ request: PushRequest) async -> Result<Answer, SyncError> {
    let items = request.items.map(\.item)
    requests += 1
    let (number, era) = (requests, erasures)
    for item in items { sending[item.entity] = number }
    do {
      let kind = request.batchKind
      let answer = try await call("a push", late: { $0.endLate(request, number, era, $1) }) {
        backend -> Answer in
        guard let kind else { return .single(try await backend.push(items[0])) }
        return .batch(try await backend.push(batch: items, of: kind))
      }
      endSending(number)
      return .success(answer)
    } catch {
      // A request that is still in flight ends later: the same entities must not be sent in the meantime.
      if !(error is AbandonedCall) { endSending(number) }
      return .failure(SyncError(wrapping: error))
    }
  }

  /// Frees the entities of a request, unless a later one has sent them again.
  private func endSending(_ number: Int) {
    sending = sending.filter { $0.value != number }
  }

  /// Ends a request after its run: a late answer still shows the server's state.
  ///
  /// An answer to the account before an erase means nothing to the next one.
  private func endLate(_ request: PushRequest, _ number: Int, _ era: Int, _ answer: Answer?) {
    endSending(number)
    guard let answer, era == erasures else { return }
    let before = machine.wakeUp
    do { try apply(.success(answer), to: request, isLate: true) } catch { dropStore() }
    // Changes have waited for it.
    if machine.run == nil, !isStopped, machine.wakeUp != before { waitForNextTry() }
  }

  /// Stores that these payloads may reach the server, before they are sent.
  ///
  /// The mark must be on the disk first: a create that the server has must not turn into another one under the same
  /// key.
  private func markSent(_ request: PushRequest) async throws {
    try rewrite(request) { mutation, _ in mutation.mayHaveBeenSent = true }
    try await makeDurable()
    for (mutation, _) in request.items { record(mutation, .sent) }
  }

  /// Removes the mark if the server certainly did not accept the first attempt.
  private func unmarkSent(_ request: PushRequest) throws {
    try rewrite(request) { mutation, before in mutation.mayHaveBeenSent = before.mayHaveBeenSent }
  }

  /// Updates the mutations of a request that are still pending, in one transaction.
  ///
  /// - Parameter change: The update of a pending mutation; the second argument is the mutation as it was sent.
  private func rewrite(_ request: PushRequest, _ change: (inout Mutation, Mutation) -> Void) throws {
    try withStore { store in
      for (before, _) in request.items {
        guard var mutation = try store.mutation(before.id) else { continue }
        let waiting = mutation
        change(&mutation, before)
        if mutation != waiting { try store.update(mutation) }
      }
      try store.save()
    }
  }

  private func rejectUndecodable(_ mutations: [Mutation]) throws {
    let error = SyncError(.undecodable, detail: "the payload of the mutation is not a JSON object")
    if !mutations.isEmpty { try conclude(mutations.map { ($0, .failed(error)) }) }
  }

  /// Applies the answer to the mutations of a request.
  ///
  /// - Parameter isLate: True if the run that sent it has ended: only accepted changes count then.
  private func apply(
    _ answer: Result<Answer, SyncError>, to request: PushRequest, isLate: Bool = false
  ) throws {
    switch answer {
    case .success(let answer):
      let verdicts =
        switch answer {
        case .batch(let answer): request.verdicts(answer)
        case .single(let entity): request.items.map { PushRequest.Verdict.acknowledged($0.item.own(entity)) }
        }
      let concluded = zip(request.items.map(\.mutation), verdicts).map { (mutation: $0, verdict: $1) }
      try conclude(isLate ? concluded.filter { $0.verdict.isTaken } : concluded)
    case .failure(let error) where request.items.count > 1:
      try split(request, error)
      // The smaller batches are sent without a new request from the app.
      machine.noteHeld(until: environment.clock.now + machine.configuration.attemptDelay.base)
      runFailure = error
      _ = decide(.batchFailed(error))
    case .failure(let error):
      try conclude(request.items.map { ($0.mutation, request.verdict(error)) })
    }
  }

  /// A batch that failed as a whole counts no attempt; the next run sends it in halves.
  private func split(_ request: PushRequest, _ error: SyncError) throws {
    let (limit, now) = (max(1, request.items.count / 2), environment.clock.wallTime)
    try rewrite(request) { mutation, _ in
      (mutation.batchLimit, mutation.lastError, mutation.lastAttempt) = (limit, error.keptText, now)
    }
  }
}
