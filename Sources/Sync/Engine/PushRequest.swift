import Essentials

/// One request of the push phase: the due mutations that it carries, and the meaning of its answer for each.
struct PushRequest {
  /// The meaning of an answer for one mutation.
  enum Verdict: Hashable {
    /// Accepted; the server's entity if it was sent.
    case acknowledged(RemoteEntity?)
    /// Accepted and merged into an entity with another id: the local row is removed.
    case merged
    /// The server has an equivalent entity under another id: the local duplicate is removed.
    case duplicate
    /// The server has it from an earlier request whose answer was lost: the row stays.
    case ownDuplicate(RemoteEntity?)
    /// The server has a version other than the one that the mutation is based on.
    case conflicted(SyncError, RemoteEntity)
    /// Postponed by the server: it stays pending, and no attempt is counted.
    case held(SyncError)
    /// Failed; one attempt is counted.
    case failed(SyncError)

    /// True if the server has the change.
    var isTaken: Bool {
      switch self {
      case .acknowledged, .merged, .duplicate, .ownDuplicate: true
      case .conflicted, .held, .failed: false
      }
    }

    /// True if the server already had the change.
    var isDuplicate: Bool {
      switch self {
      case .duplicate, .ownDuplicate: true
      default: false
      }
    }

    /// True if the local row is removed because the server's entity replaces it.
    var removesRow: Bool { self == .duplicate || self == .merged }

    /// The server's current entity, if it was sent.
    var answer: RemoteEntity? {
      switch self {
      case .acknowledged(let answer), .ownDuplicate(let answer): answer
      default: nil
      }
    }
  }

  /// The mutations to send, with their requests' items.
  private(set) var items: [(mutation: Mutation, item: PushItem)] = []
  /// Mutations whose payload is not valid.
  private(set) var undecodable: [Mutation] = []
  /// The position of the last mutation considered.
  let last: QueuePosition?
  /// The kind, if the mutations are sent as a batch.
  let batchKind: EntityKind?

  /// Selects from the due mutations, which all have one kind and one operation.
  ///
  /// - Parameters:
  ///   - due: The due mutations.
  ///   - domain: The kinds.
  ///   - base: The version that a mutation is based on.
  init(
    _ due: [QueuedMutation], in domain: SyncDomain, madeOn base: (Mutation) throws -> String?
  ) rethrows {
    let kind = due.first.flatMap { domain[$0.mutation.entity.kind] }
    let isBatch = due.first.map { kind?.isBatched($0.mutation.operation) ?? false } ?? false
    batchKind = isBatch ? kind : nil
    var limit = isBatch ? kind?.batchSize ?? 1 : 1
    var bytes = kind?.batchBytes ?? 0
    var chosen: [QueuedMutation] = []
    for queued in due {
      // A mutation that failed in a batch carries the size limit of its next batch.
      limit = min(limit, max(1, queued.mutation.batchLimit ?? limit))
      guard chosen.count < limit, chosen.isEmpty || queued.mutation.weight <= bytes else { break }
      bytes -= min(bytes, queued.mutation.weight)
      chosen.append(queued)
    }
    last = chosen.last?.position
    for queued in chosen { try add(queued.mutation, base) }
  }

  private mutating func add(_ mutation: Mutation, _ base: (Mutation) throws -> String?) rethrows {
    let isDelete = mutation.operation == .delete
    guard let members = isDelete ? [:] : MemberPayload.members(of: mutation.payload) else {
      undecodable.append(mutation)
      return
    }
    let item = PushItem(
      idempotencyKey: mutation.idempotencyKey, entity: mutation.entity, operation: mutation.operation,
      members: members, baseVersion: mutation.operation == .create ? nil : try base(mutation))
    items.append((mutation, item))
  }

  /// The meaning of a batch's answer for each mutation (docs/sync-engine.md, queue rule 6).
  func verdicts(_ answer: BatchAnswer) -> [Verdict] {
    let failures = Dictionary(answer.failures.map { ($0.position, $0) }) { first, _ in first }
    let kind = batchKind?.name ?? ""
    let entities = Dictionary(answer.created.map { (EntityKey(kind: kind, id: $0.id), $0) }) { first, _ in
      first
    }
    let taken = Set(answer.taken)
    let open = items.indices.filter { !taken.contains($0) && failures[$0] == nil }
    // An answer that lists fewer entities than there are equal items leaves open which of them it means.
    let listed = Self.counts(answer.created.compactMap { naturalKey(of: $0.members) })
    let sent = Self.counts(open.compactMap { naturalKey(of: items[$0].item.members) })
    return items.indices.map { position in
      let item = items[position].item
      if let entity = entities[item.entity] { return .acknowledged(entity) }
      if taken.contains(position) { return .acknowledged(nil) }
      if let failure = failures[position] {
        return verdict(SyncError(failure, ofCreate: item.operation == .create), at: position)
      }
      if item.operation == .create, let key = naturalKey(of: item.members),
        listed[key, default: 0] >= sent[key, default: 0]
      {
        return .merged
      }
      return .failed(SyncError(.undecodable, detail: "the answer does not mention this item"))
    }
  }

  /// The failure with which the server postponed items of a batch, treated like a refusal of the whole request.
  func putOff(by answer: BatchAnswer) -> SyncError? {
    for case .held(let error) in verdicts(answer) { return error }
    return nil
  }

  /// The meaning of a failure for a mutation that was sent (docs/sync-engine.md, queue rules 6 and 9).
  func verdict(_ error: SyncError, at position: Int = 0) -> Verdict {
    guard items.indices.contains(position) else { return .failed(error) }
    let (mutation, item) = items[position]
    if error.interruptsPush || error.code == .rateLimited { return .held(error) }
    switch mutation.operation {
    case .create:
      guard error.reportsDuplicate else { return .failed(error) }
      let own = item.own(error.current)
      // Another client created an entity under the same id.
      if let own, !own.members.holds(item.members) { return .conflicted(error, own) }
      // An earlier request may have succeeded although its answer was lost.
      return mutation.mayHaveBeenSent || own != nil ? .ownDuplicate(own) : .duplicate
    case .delete where error.code == .notFound || error.status == 410: return .acknowledged(nil)
    case .update, .delete:
      let isConflict = error.code == .conflict || error.status == 409
      guard isConflict, let current = item.own(error.current), let version = current.version,
        version != item.baseVersion
      else { return .failed(error) }
      return .conflicted(error, current)
    }
  }

  private static func counts(_ keys: [[SyncValue]]) -> [[SyncValue]: Int] {
    Dictionary(keys.map { ($0, 1) }, uniquingKeysWith: +)
  }

  private func naturalKey(of members: [String: SyncValue]) -> [SyncValue]? {
    guard let names = batchKind?.naturalKey, !names.isEmpty else { return nil }
    let values = names.compactMap { members[$0] }
    return values.count == names.count ? values : nil
  }
}

extension PushItem {
  /// The entity that an answer has, unless it is another one: its members must not end up in this row.
  func own(_ answer: RemoteEntity?) -> RemoteEntity? {
    answer.flatMap { $0.id.utf8.elementsEqual(entity.id.utf8) ? $0 : nil }
  }
}

extension Mutation {
  /// Approximate size in a request, in bytes.
  fileprivate var weight: Int {
    entity.id.utf8.count + idempotencyKey.utf8.count + 64 + (operation == .delete ? 0 : payload.count)
  }
}

extension SyncError {
  /// The failure of one item of a batch, as if the server had answered a single request with it.
  fileprivate init(_ failure: BatchAnswer.Failure, ofCreate isCreate: Bool) {
    let detail = failure.message.isEmpty ? failure.code : "\(failure.code): \(failure.message)"
    if let status = failure.status {
      self.init(httpStatus: status, detail: detail, current: failure.current)
      return
    }
    let isDuplicate =
      isCreate && (DuplicateReport.isCode(failure.code) || DuplicateReport.isDatabaseText(failure.message))
    let isConflict = !isCreate && failure.current != nil
    self.init(
      isDuplicate ? .duplicate : isConflict ? .conflict : .http, detail: detail, current: failure.current)
  }

  /// True if the server answered that it already has the entity: by status, typed error, code or database message.
  ///
  /// Errors that did not come from a server are never searched for text (docs/sync-engine.md, "Whose fault it is").
  package var reportsDuplicate: Bool {
    if code == .duplicate || status == 409 { return true }
    guard let status, (400...599).contains(status) else { return false }
    return DuplicateReport.isInBody(detail)
  }

  /// True if the answer proves that the server did not accept the change: it rejected the request.
  var provesNotTaken: Bool {
    guard let status else { return false }
    return code == .rateLimited || isSessionLost || [400, 413, 415, 422].contains(status)
  }

  /// True if the server answered at all.
  var isAnswered: Bool {
    switch code {
    case .noConnection, .timeout, .cancelled, .storeUnavailable, .store, .other: status != nil
    default: true
    }
  }
}
