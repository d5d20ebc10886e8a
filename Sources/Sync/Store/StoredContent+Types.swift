import Essentials

// Fields of mutations, rows and changes. Their order is the format: it changes with the version of ``StoreSchema``.

extension Mutation {
  /// The columns, from the checksum on.
  static let columns = "seal, id, kind, entity, payload, content"

  func sealedColumns() throws -> [SQLiteValue] {
    let content = try StoredContent.bytes(of: [
      .string(idempotencyKey), .string(operation.rawValue), .date(createdAt), .int(Int64(attempts)),
      .text(lastError), .date(lastAttempt), .bool(mayHaveBeenSent),
      batchLimit.map { .int(Int64($0)) } ?? .null,
      .date(notBefore), .text(baseVersion), .date(editedAt), .int(Int64(payloadVersion)),
    ])
    return Seal.sealed([
      .text(id), .text(entity.kind), .text(entity.id), .bytes(Array(payload)), .bytes(content),
    ])
  }

  init?(_ columns: ArraySlice<SQLiteValue>) {
    let columns = Array(columns)
    guard Seal.isIntact(columns[...]), let fields = StoredContent.fields(of: columns[5].bytes),
      fields.count == 12,
      let key = fields[0].text, let operation = fields[1].text.flatMap(Operation.init),
      let createdAt = fields[2].date, let attempts = fields[3].number, let isSent = fields[6].flag,
      let editedAt = fields[10].date, let payloadVersion = fields[11].number
    else { return nil }
    self.init(
      id: columns[1].text, idempotencyKey: key,
      entity: EntityKey(kind: columns[2].text, id: columns[3].text), operation: operation,
      payload: Data(columns[4].bytes), createdAt: createdAt, attempts: attempts, lastError: fields[4].text,
      lastAttempt: fields[5].date, mayHaveBeenSent: isSent, notBefore: fields[8].date,
      batchLimit: fields[7].number, baseVersion: fields[9].text, editedAt: editedAt,
      payloadVersion: payloadVersion)
  }
}

extension SyncEntity {
  /// The columns, from the checksum on.
  static let columns = "seal, kind, id, content"

  func sealedColumns() throws -> [SQLiteValue] {
    let content = try StoredContent.bytes(of: [
      .object(members), .string(status.rawValue), .text(linkedTo), .text(basis.version),
      basis.members.map { .object($0) } ?? .null, .array(basis.ownVersions.map { .string($0) }),
      .bool(basis.awaitsDelete), .bool(basis.isLocalOnly),
    ])
    return Seal.sealed([.text(key.kind), .text(key.id), .bytes(content)])
  }

  init?(_ columns: ArraySlice<SQLiteValue>) {
    let columns = Array(columns)
    guard Seal.isIntact(columns[...]), let fields = StoredContent.fields(of: columns[3].bytes),
      fields.count == 8,
      case .object(let members) = fields[0], let status = fields[1].text.flatMap(Status.init),
      case .array(let own) = fields[5], let awaitsDelete = fields[6].flag, let isLocalOnly = fields[7].flag
    else { return nil }
    self.init(
      key: EntityKey(kind: columns[1].text, id: columns[2].text), members: members, status: status,
      linkedTo: fields[2].text,
      basis: ServerBasis(
        version: fields[3].text, members: fields[4].members, own: own.compactMap(\.text),
        awaitsDelete: awaitsDelete, isLocalOnly: isLocalOnly))
  }
}

extension RemoteChange {
  /// The columns, from the checksum on.
  static let columns = "seal, kind, entity, content"

  func sealedColumns() throws -> [SQLiteValue] {
    let content = try StoredContent.bytes(of: [
      .object(members), .string(operation.rawValue), .text(version), .date(time),
    ])
    return Seal.sealed([.text(entity.kind), .text(entity.id), .bytes(content)])
  }

  init?(_ columns: ArraySlice<SQLiteValue>) {
    let columns = Array(columns)
    guard Seal.isIntact(columns[...]), let fields = StoredContent.fields(of: columns[3].bytes),
      fields.count == 4,
      case .object(let members) = fields[0], let operation = fields[1].text.flatMap(Mutation.Operation.init)
    else { return nil }
    self.init(
      entity: EntityKey(kind: columns[1].text, id: columns[2].text), operation: operation, members: members,
      version: fields[2].text, time: fields[3].date)
  }
}

extension SyncValue {
  fileprivate static func text(_ text: String?) -> SyncValue { text.map { .string($0) } ?? .null }

  fileprivate static func date(_ date: Date?) -> SyncValue {
    date.map { .double($0.timeIntervalSinceReferenceDate) } ?? .null
  }

  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
  fileprivate var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }
  fileprivate var number: Int? { if case .int(let number) = self { Int(clamping: number) } else { nil } }
  fileprivate var members: [String: SyncValue]? {
    if case .object(let members) = self { members } else { nil }
  }
  fileprivate var date: Date? {
    if case .double(let seconds) = self { Date(timeIntervalSinceReferenceDate: seconds) } else { nil }
  }
}
