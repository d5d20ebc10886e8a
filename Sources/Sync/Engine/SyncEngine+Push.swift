import Foundation

extension SyncEngine {
  /// Pushes the next batch or the next mutation, and goes on as long as the machine pushes.
  func pushNext() async -> [SyncAction] {
    do {
      let due = try withStore {
        try $0.nextMutations(after: pushPosition, limit: machine.configuration.batchSize)
      }
      guard !due.isEmpty else { return try finishPush() }
      let request = PushRequest(due, in: environment.domain)
      pushPosition = request.last
      var actions = try rejectUndecodable(request.undecodable)
      if !request.items.isEmpty {
        try markSent(request)
        await writeRecord()
        let answer = await send(request)
        try Task.checkCancellation()
        actions += try apply(answer, to: request)
      }
      if machine.run?.phase == .pushing { actions.append(.push) }
      return actions
    } catch {
      return fail(SyncError(wrapping: error))
    }
  }

  /// What was deleted on the server by now may come back in the feed: only other deletes keep being protected.
  private func finishPush() throws -> [SyncAction] {
    try preferences.setPendingDeletes(capturedDeletes)
    return handle(.pushFinished).actions
  }

  private func send(_ request: PushRequest) async -> Result<BatchAnswer?, SyncError> {
    do {
      guard let kind = request.batchKind else {
        try await environment.backend.push(request.items[0].item)
        return .success(nil)
      }
      return .success(try await environment.backend.push(batch: request.items.map(\.item), of: kind))
    } catch {
      return .failure(SyncError(wrapping: error))
    }
  }

  /// Stores that a request with these payloads may reach the server, before it is sent.
  private func markSent(_ request: PushRequest) throws {
    try withStore { store in
      for (mutation, _) in request.items where !mutation.mayHaveBeenSent {
        var sent = mutation
        sent.mayHaveBeenSent = true
        try store.update(sent)
      }
      try store.save()
    }
    for (mutation, _) in request.items { record(mutation, .sent) }
  }

  private func rejectUndecodable(_ mutations: [Mutation]) throws -> [SyncAction] {
    var actions: [SyncAction] = []
    let error = SyncError(.undecodable, detail: "the payload of the mutation is no JSON object")
    for mutation in mutations { actions += try countFailure(of: mutation, error, isAnswered: false) }
    if !mutations.isEmpty { try save() }
    return actions
  }

  private func apply(
    _ answer: Result<BatchAnswer?, SyncError>, to request: PushRequest
  ) throws -> [SyncAction] {
    switch answer {
    case .success(let answer):
      let verdicts = answer.map { request.verdicts($0) } ?? request.items.map { _ in .acknowledged }
      return try apply(verdicts, to: request)
    case .failure(let error) where error.code == .rateLimited:
      return perform(handle(.rateLimited(retryAfter: error.retryAfter)))
    case .failure(let error) where request.items.count > 1:
      return try split(request, error)
    case .failure(let error):
      return try apply([request.verdict(error)], to: request)
    }
  }

  /// A batch that failed as a whole counts no attempt; the next run sends it in halves.
  private func split(_ request: PushRequest, _ error: SyncError) throws -> [SyncAction] {
    let limit = max(1, request.items.count / 2)
    try withStore { store in
      for (mutation, _) in request.items {
        guard var kept = try store.mutation(mutation.id) else { continue }
        kept.batchLimit = limit
        kept.lastError = error.text
        kept.lastAttempt = environment.clock.wallTime
        try store.update(kept)
      }
      try store.save()
    }
    return perform(handle(.batchFailed(isAnswered: error.isAnswered)))
  }

  private func apply(_ verdicts: [PushRequest.Verdict], to request: PushRequest) throws -> [SyncAction] {
    var actions: [SyncAction] = []
    var done: [(Mutation, PushRequest.Verdict)] = []
    for ((mutation, _), verdict) in zip(request.items, verdicts) {
      switch verdict {
      case .failed(let error): actions += try countFailure(of: mutation, error, isAnswered: error.isAnswered)
      case .acknowledged, .merged, .duplicate:
        if try settle(mutation, verdict) { done.append((mutation, verdict)) }
      }
    }
    try save()
    for (mutation, _) in done { record(mutation, .acknowledged) }
    if !done.isEmpty { recordPending() }
    let duplicates = done.count { $0.1 == .duplicate }
    if done.count > duplicates {
      actions += perform(handle(.pushAcknowledged(count: done.count - duplicates)))
    }
    for _ in 0..<duplicates { actions += perform(handle(.pushDuplicated)) }
    return actions
  }

  /// Takes a mutation that the server has out of the queue.
  ///
  /// - Returns: Whether it was still there.
  private func settle(_ mutation: Mutation, _ verdict: PushRequest.Verdict) throws -> Bool {
    try withStore { store in
      guard try store.mutation(mutation.id) != nil else { return false }
      try store.removeMutation(mutation.id)
      // Once a delete was pushed, later upserts of the entity apply.
      if mutation.operation == .delete { capturedDeletes.remove(mutation.entity) }
      guard var row = try store.entity(mutation.entity) else { return true }
      if verdict != .acknowledged {
        try store.removeEntity(mutation.entity)
      } else if try store.mutations(of: mutation.entity).isEmpty {
        row.status = .synced
        try store.upsert(row)
      }
      return true
    }
  }

  private func countFailure(of mutation: Mutation, _ error: SyncError, isAnswered: Bool) throws
    -> [SyncAction]
  {
    guard var failed = try withStore({ try $0.mutation(mutation.id) }) else { return [] }
    failed.attempts += 1
    failed.lastError = error.text
    failed.lastAttempt = environment.clock.wallTime
    let decision = handle(.pushFailed(attempts: failed.attempts, isAnswered: isAnswered))
    if decision.actions.contains(.buryMutation) {
      try bury(failed)
    } else {
      try withStore { try $0.update(failed) }
      record(failed, .queued)
    }
    return perform(decision)
  }

  private func bury(_ mutation: Mutation) throws {
    try withStore { store in
      try store.bury(mutation)
      guard var row = try store.entity(mutation.entity) else { return }
      row.status = .failed
      try store.upsert(row)
    }
    try refreshPending()
    record(mutation, .dead)
    recordPending()
  }

  /// Performs what a decision asks for while the push goes on, and returns what has to wait its turn.
  private func perform(_ decision: SyncDecision) -> [SyncAction] {
    decision.actions.flatMap { action -> [SyncAction] in
      switch action {
      case .probe, .push, .pull, .bootstrap, .requestRun: [action]
      default: performAtOnce(action)
      }
    }
  }
}
