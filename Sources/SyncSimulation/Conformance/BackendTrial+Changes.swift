import Sync

// Contracts of single changes.
extension BackendTrial {
  /// No changes come after the newest cursor.
  mutating func checkStart() async {
    let new = await feed(since: start)
    expect(new.isEmpty, "nothing comes after the newest cursor", "\(new.count) changes came")
  }

  /// A create appears in the feed and the list exactly once, however often it is sent.
  mutating func checkCreate() async {
    let item = create()
    let rule = "a create is taken"
    let (isTaken, answer) = await push(item, rule)
    guard isTaken else { return }
    if let answer {
      expect(
        answer.id == item.entity.id, "a push answers with the entity that was sent", "its id is \(answer.id)")
      expect(
        answer.members.has(item.members), "a push answers with the entity as it is now", "\(answer.members)")
    }
    await push(item, "the same key is taken again and again")
    let changes = await feed(since: start).filter { $0.entity == item.entity }
    expect(
      changes.map(\.operation) == [.create], "the same key makes one entity",
      "the feed has \(changes.map(\.operation.rawValue)) of it")
    expect(
      changes.first?.members.has(item.members) ?? true, "the feed tells the members that were sent",
      "\(changes.first?.members ?? [:])")
    let listed = await entities().filter { $0.id == item.entity.id }
    expect(listed.count == 1, "what was created is listed, once", "it is there \(listed.count) times")
    expect(
      listed.first?.members.has(item.members) ?? true, "the list has the members that were sent",
      "\(listed.first?.members ?? [:])")
    expect(
      answer?.version == nil || listed.first?.version == answer?.version,
      "a push answers with the version that the list has", "\(answer?.version ?? "none")")
  }

  /// An update appears in the feed and the list exactly once, and leaves other members unchanged.
  mutating func checkUpdate() async {
    let item = create()
    guard await push(item, "a create is taken").isTaken else { return }
    guard let before = await entity(item.entity) else { return }
    let (name, value) = members().min { $0.key < $1.key } ?? ("", .null)
    let update = self.item(.update, item.entity, [name: value], madeOn: before.version)
    guard await push(update, "an update of some members is taken").isTaken else { return }
    await push(update, "the same key is taken again and again")
    let changes = await feed(since: start).filter { $0.entity == item.entity }
    expect(
      changes.map(\.operation) == [.create, .update], "the same key makes one change",
      "the feed has \(changes.map(\.operation.rawValue)) of it")
    expect(
      changes.last?.members[name] == value, "the feed tells the members that were changed",
      "\(changes.last?.members ?? [:])")
    let after = await entity(item.entity)
    expect(
      after?.members.has(item.members.merging([name: value]) { $1 }) ?? false,
      "an update sets its members and leaves the others", "\(after?.members ?? [:])")
  }

  /// A delete appears in the feed exactly once, and removes the entity.
  mutating func checkDelete() async {
    let item = create()
    guard await push(item, "a create is taken").isTaken else { return }
    let before = await entity(item.entity)
    let delete = self.item(.delete, item.entity, madeOn: before?.version)
    guard await push(delete, "a delete is taken").isTaken else { return }
    await push(delete, "the same key is taken again and again")
    let changes = await feed(since: start).filter { $0.entity == item.entity }
    expect(
      changes.map(\.operation) == [.create, .delete], "the same key makes one deletion",
      "the feed has \(changes.map(\.operation.rawValue)) of it")
    expect(await entity(item.entity) == nil, "what was deleted is not listed", "it is there")
    await checkMissing(item.entity, "was deleted")
  }

  /// Updates and deletes of missing entities are refused.
  mutating func checkMissing() async {
    await checkMissing(create().entity, "was never there")
  }

  private mutating func checkMissing(_ key: EntityKey, _ reason: String) async {
    for operation in [Mutation.Operation.update, .delete] {
      let rule = "\(operation.words) of what \(reason) is refused with notFound"
      let change = item(operation, key, operation == .delete ? [:] : members())
      guard let error = await refusal(of: change, rule) else { continue }
      expect(
        error.code == .notFound || operation == .delete && error.status == 410, rule,
        "it was refused with \(error.text)")
    }
    expect(await entity(key) == nil, "what is refused changes nothing", "the entity is there")
  }

  /// A create with an existing id is a duplicate.
  mutating func checkDuplicate() async {
    let item = create()
    guard await push(item, "a create is taken").isTaken else { return }
    let rule = "a create of an id that is taken, under another key, is refused as a duplicate"
    guard let error = await refusal(of: self.item(.create, item.entity, members()), rule) else { return }
    expect(error.reportsDuplicate, rule, "it was refused with \(error.text)")
    let there = await entity(item.entity)
    expect(
      there?.members.has(item.members) ?? false, "what is refused changes nothing", "\(there?.members ?? [:])"
    )
  }

  /// If there are versions, a change to an older version is refused with the current entity.
  mutating func checkVersions() async {
    let item = create()
    guard await push(item, "a create is taken").isTaken else { return }
    guard let old = await entity(item.entity)?.version else { return }
    let update = self.item(.update, item.entity, members(), madeOn: old)
    guard await push(update, "an update of the newest version is taken").isTaken else { return }
    guard let new = await entity(item.entity) else { return }
    expect(
      new.version != nil && new.version != old, "every change makes another version", "it is still \(old)")
    guard new.version != old else { return }
    for operation in [Mutation.Operation.update, .delete] {
      let rule = "\(operation.words) that was made on an older version is refused with conflict"
      let late = self.item(operation, item.entity, operation == .delete ? [:] : members(), madeOn: old)
      guard let error = await refusal(of: late, rule) else { continue }
      expect(error.code == .conflict || error.status == 409, rule, "it was refused with \(error.text)")
      expect(
        error.current == new, "a conflict says what the server has (current)",
        error.current.map { "it says \($0)" } ?? "it says nothing")
    }
    expect(await entity(item.entity) == new, "what is refused changes nothing", "it is another one now")
    let told = await feed(since: start).last { $0.entity == item.entity }
    expect(
      told?.version == new.version, "the feed has the versions that the list has",
      "\(told?.version ?? "none is told")")
  }
}

extension Mutation.Operation {
  fileprivate var words: String {
    switch self {
    case .create: "a create"
    case .update: "an update"
    case .delete: "a delete"
    }
  }
}
