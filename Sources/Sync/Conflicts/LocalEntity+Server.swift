import Essentials

/// Resolves conflicts and makes idempotency keys; lives for one transaction.
struct ConflictJudge {
  let resolver: any ConflictResolver
  let newKey: () -> String
  /// How far the wall clock is known to be ahead of the server's, in seconds.
  var lead = 0.0
}

extension LocalEntity {
  /// The local effect of a feed change.
  enum Effect: Hashable {
    case written, removed, skipped, quarantined
  }

  /// Applies a change from the feed.
  mutating func take(_ change: RemoteChange, by judge: ConflictJudge) -> Effect {
    let isSettled = settle(by: change.idempotencyKey)
    guard change.operation != .delete else {
      guard isSettled else { return takeDelete(at: change.time, by: judge) }
      return row == nil ? .removed : .written
    }
    if let delete = waitingDelete {
      let known = MemberPayload.members(of: waiting[delete].payload) ?? [:]
      takeUnderDelete(
        known.setting(change.members), version: change.version, at: change.time, .remoteEdit, by: judge)
      return row == nil ? .skipped : .written
    }
    guard row != nil || change.operation == .create else { return .quarantined }
    if row?.basis.isPast(change.version) ?? false {
      if change.operation == .create { row?.basis.awaitsDelete = false }
      return .written
    }
    // A create lists every member: anything else known is from an earlier life of the entity, or from a create that was
    // mistaken for ours.
    let known = change.operation == .create ? [:] : server ?? [:]
    take(known.setting(change.members), version: change.version, at: change.time, .remoteEdit, by: judge)
    row?.basis.awaitsDelete = false
    return .written
  }

  /// Applies the whole entity as the server has it.
  mutating func take(_ entity: RemoteEntity, by judge: ConflictJudge) {
    if waitingDelete != nil {
      takeUnderDelete(entity.members, version: entity.version, at: nil, .remoteEdit, by: judge)
    } else {
      take(entity.members, version: entity.version, at: nil, .remoteEdit, by: judge)
      row?.basis.awaitsDelete = false
    }
  }

  /// Applies a delete on the server.
  mutating func takeDelete(at time: Date?, by judge: ConflictJudge) -> Effect {
    // Deleted locally as well.
    if waitingDelete != nil { return .skipped }
    guard let row else { return .skipped }
    if row.basis.awaitsDelete {
      self.row?.basis.awaitsDelete = false
      return .written
    }
    guard let server else { return .skipped }
    guard !waiting.isEmpty else {
      self.row = nil
      return .removed
    }
    let local = edited
    let conflict = SyncConflict(
      entity: key, cause: .remoteDelete, local: local, remote: nil, base: server.picking(local.keys),
      editedAt: lastEdit.addingTimeInterval(-judge.lead), remoteTime: time)
    switch decide(conflict, by: judge) {
    case .takeRemote:
      waiting = []
      self.row = nil
      return .removed
    case .keepLocal: createAnew(server.setting(local), by: judge)
    case .merge(let values): createAnew(server.setting(local).setting(values), by: judge)
    }
    return .written
  }

  /// Applies the server's answer to a local change; without an entity in it, the change itself becomes the server's
  /// state.
  mutating func takeAnswer(_ answer: RemoteEntity?, to sent: Mutation, by judge: ConflictJudge) {
    let known = server
    waiting.removeAll { $0.id == sent.id && $0.idempotencyKey == sent.idempotencyKey }
    guard sent.operation != .delete else {
      // Changes queued behind it are a new life of the entity; the delete of the old one is still to come from the
      // feed.
      row?.basis.awaitsDelete = true
      return
    }
    if let delete = waitingDelete {
      // Deleted locally since: the delete is now based on the newest version.
      guard let answer else { return }
      waiting[delete].baseVersion = answer.version ?? waiting[delete].baseVersion
      if !waiting[delete].mayHaveBeenSent, let payload = MemberPayload.payload(of: answer.members) {
        waiting[delete].payload = payload
      }
      return
    }
    supersede(by: sent, judge)
    // The app removed the row itself.
    guard row != nil else { return }
    // The server may replay an answer from an earlier attempt, older than what is known by now.
    let isNews = answer.map { !(row?.basis.isOwn($0.version) ?? false) } ?? true
    if isNews { row?.basis.note(version: answer?.version, isOwn: true) }
    let members = MemberPayload.members(of: sent.payload) ?? [:]
    lay(over: isNews ? answer?.members ?? (known ?? [:]).setting(members) : known ?? [:])
  }

  /// Drops members of dead letters that the server has since accepted newer values for.
  private mutating func supersede(by sent: Mutation, _ judge: ConflictJudge) {
    guard let names = MemberPayload.members(of: sent.payload) else { return }
    dead = dead.compactMap { $0.leavingOut(Set(names.keys), judge) }
  }

  /// Applies a refusal: the server has another version, or already has the entity.
  mutating func takeRefusal(of sent: Mutation, as current: RemoteEntity, by judge: ConflictJudge) {
    guard let place = waiting.firstIndex(where: { $0.id == sent.id }) else { return }
    switch sent.operation {
    case .create: takeExisting(current, sent, by: judge)
    case .update:
      waiting[place].unsend(key: judge.newKey())
      take(current.members, version: current.version, at: nil, .refusedEdit, by: judge)
    case .delete:
      waiting[place].unsend(key: judge.newKey())
      takeUnderDelete(current.members, version: current.version, at: nil, .refusedDelete, by: judge)
    }
  }

  /// The server has an entity under the id of a create: the differences are pushed as an edit.
  private mutating func takeExisting(_ current: RemoteEntity, _ create: Mutation, by judge: ConflictJudge) {
    take(current.members, version: current.version, at: nil, .duplicate, by: judge)
    guard let place = waiting.firstIndex(where: { $0.id == create.id }),
      let members = MemberPayload.members(of: waiting[place].payload)
    else { return }
    let left = members.filter { (current.members[$0.key] ?? .null) != $0.value }
    if left.isEmpty { waiting.remove(at: place) } else { waiting[place].set(left) }
    lay(over: current.members)
  }

  private mutating func take(
    _ members: [String: SyncValue], version: String?, at time: Date?, _ cause: SyncConflict.Cause,
    by judge: ConflictJudge
  ) {
    let before = server
    let known = (before ?? [:]).setting(lostAnswer(in: members))
    // The server has an entity under that id: another create would only be refused, and its owner would be unclear.
    if let place = waiting.firstIndex(where: { $0.operation == .create }) {
      waiting[place] = waiting[place].turned(into: .update, payload: nil, key: judge.newKey())
    }
    let local = edited.filter { name, value in
      let theirs = members[name] ?? .null
      return theirs != value && (before == nil || theirs != known[name] ?? .null)
    }
    let isOurs = row?.basis.isOwn(version) ?? false
    row = row ?? SyncEntity(key: key, members: [:])
    row?.basis.note(version: version, isOwn: waiting.contains(where: \.mayHaveBeenSent))
    if !local.isEmpty, !isOurs {
      let conflict = SyncConflict(
        entity: key, cause: cause, local: local, remote: members.picking(local.keys),
        base: known.picking(local.keys), editedAt: lastEdit, remoteTime: time)
      switch decide(conflict, by: judge) {
      case .keepLocal:
        // Under the old key, the server might replay the answer to the earlier attempt.
        for place in waiting.indices
        where waiting[place].operation == .update && waiting[place].mayHaveBeenSent {
          waiting[place].unsend(key: judge.newKey())
        }
      case .takeRemote: drop(Set(local.keys), by: judge)
      case .merge(let values): override(values, by: judge)
      }
    }
    lay(over: members)
  }

  private mutating func takeUnderDelete(
    _ members: [String: SyncValue], version: String?, at time: Date?, _ cause: SyncConflict.Cause,
    by judge: ConflictJudge
  ) {
    guard let place = waitingDelete else { return }
    let delete = waiting[place]
    let known = MemberPayload.members(of: delete.payload) ?? [:]
    waiting[place].baseVersion = version ?? delete.baseVersion
    if let payload = MemberPayload.payload(of: members) { waiting[place].payload = payload }
    guard known != members, version == nil || version != delete.baseVersion else { return }
    let conflict = SyncConflict(
      entity: key, cause: cause, local: nil, remote: members, base: known, editedAt: delete.editedAt,
      remoteTime: time)
    let resolution = decide(conflict, by: judge)
    // A create queued behind the delete is a separate intention.
    guard resolution != .keepLocal, place == waiting.count - 1 else { return }
    waiting.remove(at: place)
    row = SyncEntity(key: key, members: [:], basis: ServerBasis(version: version))
    if case .merge(let values) = resolution {
      waiting.append(
        delete.turned(into: .update, payload: MemberPayload.payload(of: values), key: judge.newKey()))
    }
    lay(over: members)
  }

  /// Settles the pending change whose key a feed entry carries.
  ///
  /// Equal values settle nothing: they may be those of an earlier change.
  ///
  /// - Returns: Whether there was such a change.
  private mutating func settle(by idempotencyKey: String?) -> Bool {
    guard let place = waiting.firstIndex(where: { $0.idempotencyKey == idempotencyKey }) else { return false }
    let known = server
    let sent = waiting.remove(at: place)
    settled.append(sent)
    guard sent.operation != .delete else { return true }
    row = row ?? SyncEntity(key: key, members: [:])
    lay(over: (known ?? [:]).setting(MemberPayload.members(of: sent.payload) ?? [:]))
    return true
  }

  /// The members of the change that may have been sent, if the server has them: their return is no conflict with the
  /// changes behind it.
  private func lostAnswer(in members: [String: SyncValue]) -> [String: SyncValue] {
    guard let first = waiting.first, first.mayHaveBeenSent, first.operation != .delete,
      let sent = MemberPayload.members(of: first.payload), members.holds(sent)
    else { return [:] }
    return sent
  }

  private var lastEdit: Date { waiting.map(\.editedAt).max() ?? .distantPast }

  private mutating func decide(_ conflict: SyncConflict, by judge: ConflictJudge) -> ConflictResolution {
    let resolution = judge.resolver.resolve(conflict)
    conflicts.append(ResolvedConflict(conflict: conflict, resolution: resolution))
    return resolution
  }
}

extension LocalEntity {
  /// Removes the entity because the server has an equivalent one under another id; its pending changes go too.
  mutating func giveWay(to other: RemoteEntity?) {
    let conflict = SyncConflict(
      entity: key, cause: .duplicate, local: edited, remote: other?.members ?? [:], editedAt: lastEdit)
    conflicts.append(ResolvedConflict(conflict: conflict, resolution: .takeRemote))
    waiting = []
    row = nil
  }
}

// MARK: - Queue changes

extension LocalEntity {
  /// Merges all pending changes into one create, for an entity that was deleted on the server.
  private mutating func createAnew(_ members: [String: SyncValue], by judge: ConflictJudge) {
    guard let first = waiting.first else { return }
    waiting = [
      first.turned(
        into: .create, payload: MemberPayload.payload(of: members.filter { $0.value != .null }),
        key: judge.newKey(), editedAt: lastEdit)
    ]
    row?.basis = ServerBasis()
    lay(over: nil)
  }

  private mutating func drop(_ names: Set<String>, by judge: ConflictJudge) {
    waiting = waiting.compactMap { $0.leavingOut(names, judge) }
  }

  private mutating func override(_ values: [String: SyncValue], by judge: ConflictJudge) {
    guard let last = waiting.last, let members = MemberPayload.members(of: last.payload) else { return }
    waiting[waiting.count - 1] = last.setting(members.merging(values) { $1 }, judge)
  }
}

extension Mutation {
  /// Marks the mutation as not accepted: it is sent again under a key that the server has never seen.
  mutating func unsend(key: String) {
    self = Mutation(
      id: id, idempotencyKey: key, entity: entity, operation: operation, payload: payload,
      createdAt: createdAt,
      attempts: attempts, lastError: lastError, lastAttempt: lastAttempt, notBefore: notBefore,
      batchLimit: batchLimit, baseVersion: baseVersion, editedAt: editedAt, payloadVersion: payloadVersion)
  }

  /// Replaces the members.
  mutating func set(_ members: [String: SyncValue]) {
    if let payload = MemberPayload.payload(of: members) { self.payload = payload }
  }

  /// A copy with other members, under a new key if the server may know the old one.
  fileprivate func setting(_ members: [String: SyncValue], _ judge: ConflictJudge) -> Mutation {
    var result = self
    if mayHaveBeenSent { result.unsend(key: judge.newKey()) }
    result.set(members)
    return result
  }

  /// A copy without some members; `nil` if nothing is left of an edit.
  fileprivate func leavingOut(_ names: Set<String>, _ judge: ConflictJudge) -> Mutation? {
    guard operation != .delete, let members = MemberPayload.members(of: payload),
      case let left = members.filter({ !names.contains($0.key) }), left.count < members.count
    else { return self }
    return left.isEmpty ? nil : setting(left, judge)
  }

  /// Another operation at the same place in the queue, with the attempts reset.
  func turned(into operation: Operation, payload: Data?, key: String, editedAt: Date? = nil) -> Mutation {
    Mutation(
      id: id, idempotencyKey: key, entity: entity, operation: operation, payload: payload ?? self.payload,
      createdAt: createdAt, editedAt: editedAt ?? self.editedAt, payloadVersion: payloadVersion)
  }
}
