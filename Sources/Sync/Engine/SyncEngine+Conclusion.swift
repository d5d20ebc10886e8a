import Foundation
import Resilience

// What an answer does to the mutations that were sent.
extension SyncEngine {
  /// What becomes of a mutation.
  private enum Fate {
    /// The server has it; its own row, or one that it merged into another.
    case done(Mutation, PushRequest.Verdict)
    /// One attempt more, and it stays in the queue.
    case kept(Mutation)
    /// It was the last attempt.
    case buried(Mutation)
  }

  /// Has the machine decide, writes all of it in one transaction, and records it once it is stored.
  ///
  /// The transaction depends on nothing that a store forgot: one that has to be opened anew in its middle repeats it
  /// from the start.
  func conclude(_ verdicts: [(mutation: Mutation, verdict: PushRequest.Verdict)]) throws {
    let waiting = try withStore { store in try verdicts.map { try store.mutation($0.mutation.id) } }
    var fates: [Fate] = []
    var decisions: [SyncDecision] = []
    for ((_, verdict), mutation) in zip(verdicts, waiting) {
      // What was cleared meanwhile is settled.
      guard let mutation else { continue }
      guard case .failed(let error) = verdict else {
        fates.append(.done(mutation, verdict))
        continue
      }
      let failed = counted(mutation, error)
      let decision = handle(.pushFailed(attempts: failed.attempts, isAnswered: error.isAnswered))
      fates.append(decision.actions.contains(.buryMutation) ? .buried(failed) : .kept(failed))
      decisions.append(decision)
    }
    try withStore { store in
      for fate in fates { try self.write(fate, to: store) }
      try store.save()
    }
    try refreshPending()
    for fate in fates { note(fate) }
    for decision in decisions { _ = perform(decision) }
    count(fates)
  }

  private func counted(_ mutation: Mutation, _ error: SyncError) -> Mutation {
    var failed = mutation
    failed.attempts = failed.attempts.addingReportingOverflow(1).partialValue
    failed.lastError = error.keptText
    let (now, policy) = (environment.clock.wallTime, machine.configuration.attemptDelay)
    var generator = SystemRandomNumberGenerator()  // Nothing of these waits is chance.
    let wait = policy.wait(multiplier: policy.multiplier(ofWait: failed.attempts), using: &generator)
    failed.lastAttempt = now
    failed.notBefore = now.addingTimeInterval(wait / .seconds(1))
    return failed
  }

  private func write(_ fate: Fate, to store: any SyncStore) throws {
    switch fate {
    case .kept(let mutation): try store.update(mutation)
    case .buried(let mutation):
      try store.bury(mutation)
      try restoreDeleted(mutation, in: store)
      guard var row = try store.entity(mutation.entity) else { return }
      row.status = .failed
      try store.upsert(row)
    case .done(let mutation, let verdict):
      try store.removeMutation(mutation.id)
      guard var row = try store.entity(mutation.entity) else { return }
      if verdict.removesRow {
        try store.removeEntity(mutation.entity)
      } else if try store.mutations(of: mutation.entity).isEmpty {
        row.status = .synced
        try store.upsert(row)
      }
    }
  }

  private func note(_ fate: Fate) {
    switch fate {
    case .kept(let mutation):
      if let wait = mutation.remainingDelay(at: environment.clock.wallTime) {
        machine.noteHeld(until: environment.clock.now + wait)
      }
      record(mutation, .queued)
    case .buried(let mutation):
      record(mutation, .dead)
      recordPending()
    case .done(let mutation, _):
      // Once a delete was pushed, later upserts of the entity apply.
      if mutation.operation == .delete { capturedDeletes.remove(mutation.entity) }
      record(mutation, .acknowledged)
    }
  }

  /// Tells the machine how many the server has now.
  private func count(_ fates: [Fate]) {
    let verdicts = fates.compactMap { fate in if case .done(_, let verdict) = fate { verdict } else { nil } }
    guard !verdicts.isEmpty else { return }
    recordPending()
    // What comes after its run is no part of any.
    guard machine.run?.phase == .pushing else { return }
    let duplicates = verdicts.count { $0.isDuplicate }
    if verdicts.count > duplicates {
      _ = decide(.pushAcknowledged(count: verdicts.count - duplicates))
    }
    for _ in 0..<duplicates { _ = decide(.pushDuplicated) }
  }
}
