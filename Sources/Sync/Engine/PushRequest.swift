import Foundation

/// One request of the push phase: which of the mutations that are due go together, and what an answer means for each.
struct PushRequest {
  /// What an answer means for one mutation.
  enum Verdict: Hashable {
    /// The server took it.
    case acknowledged
    /// The server took it into an entity that it had under another id: the local row goes.
    case merged
    /// The server has an entity like it under another id: the local duplicate goes.
    case duplicate
    /// The server has it from an earlier request of ours whose answer never came: the row stays.
    case ownDuplicate
    /// One attempt is counted.
    case failed(SyncError)

    /// Whether the server had it already.
    var isDuplicate: Bool { self == .duplicate || self == .ownDuplicate }

    /// Whether the local row goes, because the server's stands for it.
    var removesRow: Bool { self == .duplicate || self == .merged }

    /// Whether the server has not taken it.
    var isFailure: Bool { if case .failed = self { true } else { false } }
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
    let kind = batchKind?.name ?? ""
    let ids = Set(answer.created.map { EntityKey(kind: kind, id: $0.id) })
    let naturalKeys = Set(answer.created.compactMap { naturalKey(of: $0.members) })
    return items.indices.map { position in
      let item = items[position].item
      if ids.contains(item.entity) { return .acknowledged }
      if let failure = failures[position] { return verdict(SyncError(failure), at: position) }
      if let key = naturalKey(of: item.members), naturalKeys.contains(key) { return .merged }
      return .failed(SyncError(.undecodable, detail: "the answer says nothing of this item"))
    }
  }

  /// What a failure means for a mutation that was sent (docs/sync-engine.md, queue rules 6 and 9).
  func verdict(_ error: SyncError, at position: Int = 0) -> Verdict {
    guard items.indices.contains(position) else { return .failed(error) }
    let mutation = items[position].mutation
    if mutation.operation == .create && error.reportsDuplicate {
      // What was sent before can have come through without our hearing of it.
      return mutation.mayHaveBeenSent ? .ownDuplicate : .duplicate
    }
    if mutation.operation == .delete && error.code == .notFound { return .acknowledged }
    return .failed(error)
  }

  private func naturalKey(of members: [String: SyncValue]) -> [SyncValue]? {
    guard let names = batchKind?.naturalKey, !names.isEmpty else { return nil }
    let values = names.compactMap { members[$0] }
    return values.count == names.count ? values : nil
  }
}

extension SyncError {
  /// The failure of one item of a batch: always an answer of the server.
  fileprivate init(_ failure: BatchAnswer.Failure) {
    let isDuplicate =
      DuplicateReport.isCode(failure.code) || DuplicateReport.isDatabaseText(failure.message)
    self.init(
      isDuplicate ? .duplicate : .http,
      detail: failure.message.isEmpty ? failure.code : "\(failure.code): \(failure.message)")
  }

  /// Whether the server answered that it has this already: by status, by typed error, by a code in its answer, or in
  /// the words of its database.
  ///
  /// What no server answered is never searched for words (docs/sync-engine.md, "Whose fault it is").
  var reportsDuplicate: Bool {
    if code == .duplicate || status == 409 { return true }
    guard let status, (400...599).contains(status) else { return false }
    return DuplicateReport.isInBody(detail)
  }

  /// Whether the server answered, as against silence.
  var isAnswered: Bool {
    switch code {
    case .noConnection, .timeout, .cancelled, .storeUnavailable, .store, .other: status != nil
    default: true
    }
  }
}
