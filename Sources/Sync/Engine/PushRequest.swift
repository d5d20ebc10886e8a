import Foundation

/// One request of the push phase: which of the mutations that are due go together, and what an answer means for each.
struct PushRequest {
  /// What an answer means for one mutation.
  enum Verdict: Hashable {
    /// The server took it.
    case acknowledged
    /// The server took it into an entity that it had under another id: the local row goes.
    case merged
    /// The server has it: the local duplicate goes.
    case duplicate
    /// One attempt is counted.
    case failed(SyncError)
  }

  /// The mutations that are sent, with what is sent.
  private(set) var items: [(mutation: Mutation, item: PushItem)] = []
  /// Mutations whose payload cannot be read.
  private(set) var undecodable: [Mutation] = []
  /// The last mutation that was considered.
  let last: QueuePosition?
  /// The kind, when the mutations go as a batch.
  let batchKind: EntityKind?

  /// Chooses from what is due, which is all of one kind and one operation.
  init(_ due: [QueuedMutation], in domain: SyncDomain) {
    let kind = due.first.flatMap { domain[$0.mutation.entity.kind] }
    let isBatch = due.first?.mutation.operation == .create && (kind?.batchSize ?? 1) > 1
    batchKind = isBatch ? kind : nil
    var limit = isBatch ? kind?.batchSize ?? 1 : 1
    var chosen: [QueuedMutation] = []
    for queued in due {
      // A mutation that failed within a batch carries the size that its next batch may have.
      limit = min(limit, max(1, queued.mutation.batchLimit ?? limit))
      guard chosen.count < limit else { break }
      chosen.append(queued)
    }
    last = chosen.last?.position
    for queued in chosen { add(queued.mutation) }
  }

  private mutating func add(_ mutation: Mutation) {
    let isDelete = mutation.operation == .delete
    guard let members = isDelete ? [:] : MemberPayload.members(of: mutation.payload) else {
      undecodable.append(mutation)
      return
    }
    let item = PushItem(
      idempotencyKey: mutation.idempotencyKey, entity: mutation.entity, operation: mutation.operation,
      members: members)
    items.append((mutation, item))
  }

  /// What the answer to a batch means for each of its mutations (docs/sync-engine.md, queue rule 6).
  func verdicts(_ answer: BatchAnswer) -> [Verdict] {
    let failures = Dictionary(answer.failures.map { ($0.position, $0) }) { first, _ in first }
    let ids = Set(answer.created.map(\.id))
    let naturalKeys = Set(answer.created.compactMap { naturalKey(of: $0.members) })
    return items.indices.map { position in
      let item = items[position].item
      if ids.contains(item.entity.id) { return .acknowledged }
      if let failure = failures[position] {
        return verdict(SyncError(.http, code: failure.code, message: failure.message))
      }
      if let key = naturalKey(of: item.members), naturalKeys.contains(key) { return .merged }
      return .failed(SyncError(.undecodable, detail: "the answer says nothing of this item"))
    }
  }

  /// What a failure means for a mutation that was sent by itself (docs/sync-engine.md, queue rules 6 and 9).
  func verdict(_ error: SyncError) -> Verdict {
    let operation = items.first?.mutation.operation
    if operation == .create && error.reportsDuplicate { return .duplicate }
    if operation == .delete && error.code == .notFound { return .acknowledged }
    return .failed(error)
  }

  private func naturalKey(of members: [String: SyncValue]) -> [SyncValue]? {
    guard let names = batchKind?.naturalKey, !names.isEmpty else { return nil }
    let values = names.compactMap { members[$0] }
    return values.count == names.count ? values : nil
  }
}

extension SyncError {
  /// The failure of one item of a batch.
  fileprivate init(_ code: Code, code text: String, message: String) {
    self.init(code, detail: message.isEmpty ? text : "\(text): \(message)")
  }

  /// Whether the server says that it has this already, by status, code or text.
  var reportsDuplicate: Bool {
    if code == .duplicate || status == 409 { return true }
    let text = detail.lowercased()
    return [
      "duplicate", "unique constraint", "uniqueness", "already exists", "not unique", "unique violation",
    ].contains { text.contains($0) }
  }

  /// Whether the server answered, as against silence.
  var isAnswered: Bool {
    switch code {
    case .noConnection, .timeout, .cancelled, .storeUnavailable, .store, .other: status != nil
    default: true
    }
  }
}
