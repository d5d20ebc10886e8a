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
    let error = SyncError(.undecodable, detail: "the payload of the mutation is no JSON object")
    return mutations.isEmpty ? [] : try conclude(mutations.map { ($0, .failed(error)) })
  }

  private func apply(
    _ answer: Result<BatchAnswer?, SyncError>, to request: PushRequest
  ) throws -> [SyncAction] {
    switch answer {
    case .success(let answer):
      let verdicts = answer.map { request.verdicts($0) } ?? request.items.map { _ in .acknowledged }
      return try conclude(zip(request.items, verdicts).map { ($0.mutation, $1) })
    case .failure(let error) where error.code == .rateLimited:
      return perform(handle(.rateLimited(retryAfter: error.retryAfter)))
    case .failure(let error) where request.items.count > 1:
      return try split(request, error)
    case .failure(let error):
      return try conclude(request.items.map { ($0.mutation, request.verdict(error)) })
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

  /// Performs what a decision asks for while the push goes on, and returns what has to wait its turn.
  func perform(_ decision: SyncDecision) -> [SyncAction] {
    decision.actions.flatMap { action -> [SyncAction] in
      switch action {
      case .probe, .push, .pull, .bootstrap, .requestRun: [action]
      default: performAtOnce(action)
      }
    }
  }
}
