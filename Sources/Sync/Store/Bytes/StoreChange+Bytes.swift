import Essentials

/// How a ``StoreChange`` is written to a file: a byte that names the case, then its parts.
extension StoreByteWriter {
  /// Adds a change, or nothing.
  ///
  /// - Throws: ``SyncError`` for a value that is nested so deep that it could not be read again.
  mutating func append(_ change: StoreChange) throws(SyncError) {
    let start = bytes.count
    do {
      try write(change)
    } catch {
      cut(to: start)
      throw error
    }
  }

  private mutating func write(_ change: StoreChange) throws(SyncError) {
    switch change {
    case .queued(let mutation, let sequence):
      append(15 as UInt8)
      append(Int64(sequence))
      append(mutation)
    case .unqueued(let id):
      append(2 as UInt8)
      append(id)
    case .row(let row):
      append(17 as UInt8)
      try append(row)
    case .noRow(let key):
      append(4 as UInt8)
      append(key)
    case .buried(let mutation):
      append(16 as UInt8)
      append(mutation)
    case .noDeadLetter(let id):
      append(6 as UInt8)
      append(id)
    case .cursor(let cursor):
      append(10 as UInt8)
      append(optional: cursor) { writer, cursor in
        writer.append(cursor.number)
        writer.append(optional: cursor.text) { $0.append($1) }
      }
    case .quarantined(let change):
      append(18 as UInt8)
      try append(change)
    case .unquarantined(let key):
      append(12 as UInt8)
      append(key)
    case .unquarantinedKind(let kind):
      append(13 as UInt8)
      append(kind)
    case .fetchedKinds(let kinds):
      append(14 as UInt8)
      append(optional: kinds) { writer, kinds in
        writer.append(count: kinds.count)
        for kind in kinds { writer.append(kind) }
      }
    case .erased:
      append(19 as UInt8)
    case .quarantine(let changes):
      append(20 as UInt8)
      append(count: changes.count)
      for change in changes { try append(change) }
    }
  }

  private mutating func append(_ change: RemoteChange) throws(SyncError) {
    append(change.entity)
    append(change.operation)
    try append(change.members, depth: 0)
    append(optional: change.version) { $0.append($1) }
    append(optional: change.time) { $0.append($1.timeIntervalSinceReferenceDate) }
  }

  mutating func append(_ mutation: Mutation) {
    append(mutation.id)
    append(mutation.idempotencyKey)
    append(mutation.entity)
    append(mutation.operation)
    append(mutation.payload)
    append(mutation.createdAt.timeIntervalSinceReferenceDate)
    append(Int64(mutation.attempts))
    append(optional: mutation.lastError) { $0.append($1) }
    append(optional: mutation.lastAttempt) { $0.append($1.timeIntervalSinceReferenceDate) }
    append(mutation.mayHaveBeenSent)
    append(optional: mutation.batchLimit) { $0.append(Int64($1)) }
    append(optional: mutation.notBefore) { $0.append($1.timeIntervalSinceReferenceDate) }
    append(optional: mutation.baseVersion) { $0.append($1) }
    append(mutation.editedAt.timeIntervalSinceReferenceDate)
    append(Int64(mutation.payloadVersion))
  }

  private mutating func append(_ key: EntityKey) {
    append(key.kind)
    append(key.id)
  }

  private mutating func append(_ operation: Mutation.Operation) {
    switch operation {
    case .create: append(0 as UInt8)
    case .update: append(1 as UInt8)
    case .delete: append(2 as UInt8)
    }
  }

  mutating func append(_ status: SyncEntity.Status) {
    switch status {
    case .pending: append(0 as UInt8)
    case .synced: append(1 as UInt8)
    case .failed: append(2 as UInt8)
    }
  }

  mutating func append(_ row: SyncEntity) throws(SyncError) {
    append(row.key)
    try append(row.members, depth: 0)
    append(row.status)
    append(optional: row.linkedTo) { $0.append($1) }
    append(!row.basis.isEmpty)
    if !row.basis.isEmpty { try append(row.basis) }
  }

  private mutating func append(_ basis: ServerBasis) throws(SyncError) {
    append(optional: basis.version) { $0.append($1) }
    append(basis.members != nil)
    if let members = basis.members { try append(members, depth: 0) }
    append(count: basis.ownVersions.count)
    for version in basis.ownVersions { append(version) }
    append(basis.awaitsDelete)
    append(basis.isLocalOnly)
  }

  /// Sorted by name, so that equal members are equal bytes.
  private mutating func append(_ members: [String: SyncValue], depth: Int) throws(SyncError) {
    append(count: members.count)
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      append(name)
      try append(value, depth: depth + 1)
    }
  }

  private mutating func append(_ value: SyncValue, depth: Int) throws(SyncError) {
    guard depth <= StoreByteReader.maximalDepth else {
      throw SyncError(.store, detail: "a value is nested too deep to be stored")
    }
    switch value {
    case .null: append(0 as UInt8)
    case .bool(let value): append(value ? 2 : 1 as UInt8)
    case .int(let value):
      append(3 as UInt8)
      append(value)
    case .double(let value):
      append(4 as UInt8)
      append(value)
    case .string(let value):
      append(5 as UInt8)
      append(value)
    case .array(let values):
      append(6 as UInt8)
      append(count: values.count)
      for value in values { try append(value, depth: depth + 1) }
    case .object(let members):
      append(7 as UInt8)
      try append(members, depth: depth)
    }
  }
}

extension StoreByteReader {
  /// How deep values may be nested: as deep as Foundation's decoder reads JSON, and far from the end of any stack.
  static let maximalDepth = 512

  /// The next change.
  mutating func change() throws(Malformed) -> StoreChange {
    switch try byte() {
    case 1:
      let sequence = try integer()
      return .queued(try mutation(.first), sequence: Int(clamping: sequence))
    case 2: return .unqueued(id: try string())
    case 3: return .row(try row(.first))
    case 17: return .row(try row(.second))
    case 4: return .noRow(try key())
    case 5: return .buried(try mutation(.first))
    case 6: return .noDeadLetter(id: try string())
    case 7: return .quarantine(try remoteChanges(.first))
    case 20: return .quarantine(try remoteChanges(.second))
    case 8:
      let sequence = try integer()
      return .queued(try mutation(.second), sequence: Int(clamping: sequence))
    case 9: return .buried(try mutation(.second))
    case 15:
      let sequence = try integer()
      return .queued(try mutation(.third), sequence: Int(clamping: sequence))
    case 16: return .buried(try mutation(.third))
    case 11: return .quarantined(try remoteChange(.first))
    case 18: return .quarantined(try remoteChange(.second))
    case 19: return .erased
    case 12: return .unquarantined(try key())
    case 13: return .unquarantinedKind(try string())
    case 14: return .fetchedKinds(try optional { reader throws(Malformed) in try reader.strings() })
    case 10: return .cursor(try optional { reader throws(Malformed) in try reader.cursor() })
    default: throw Malformed()
    }
  }

  private mutating func remoteChanges(_ form: Form) throws(Malformed) -> [RemoteChange] {
    var changes: [RemoteChange] = []
    for _ in 0..<(try count()) { changes.append(try remoteChange(form)) }
    return changes
  }

  /// The second form has version and time.
  private mutating func remoteChange(_ form: Form) throws(Malformed) -> RemoteChange {
    let (key, operation, members) = (try key(), try operation(), try members(depth: 0))
    guard form != .first else { return RemoteChange(entity: key, operation: operation, members: members) }
    return RemoteChange(
      entity: key, operation: operation, members: members, version: try optionalString(),
      time: try optionalDate())
  }

  private mutating func optionalString() throws(Malformed) -> String? {
    try optional { reader throws(Malformed) in try reader.string() }
  }

  private mutating func optionalDate() throws(Malformed) -> Date? {
    try optional { reader throws(Malformed) in try reader.date() }
  }

  private mutating func date() throws(Malformed) -> Date {
    Date(timeIntervalSinceReferenceDate: try double())
  }

  private mutating func strings() throws(Malformed) -> [String] {
    var strings: [String] = []
    for _ in 0..<(try count()) { strings.append(try string()) }
    return strings
  }

  private mutating func cursor() throws(Malformed) -> SyncCursor {
    let number = try integer()
    let text = try optionalString()
    return text.map { SyncCursor(opaque: $0) } ?? SyncCursor(number)
  }

  /// How something is written: later forms say more.
  enum Form { case first, second, third }

  /// The second form knows before when it is not tried again; the third its base, its last edit and its format.
  mutating func mutation(_ form: Form) throws(Malformed) -> Mutation {
    var mutation = try mutation()
    guard form != .first else { return mutation }
    mutation.notBefore = try optionalDate()
    guard form != .second else { return mutation }
    mutation.baseVersion = try optionalString()
    mutation.editedAt = try date()
    mutation.payloadVersion = Int(clamping: try integer())
    return mutation
  }

  private mutating func mutation() throws(Malformed) -> Mutation {
    Mutation(
      id: try string(), idempotencyKey: try string(), entity: try key(), operation: try operation(),
      payload: try data(), createdAt: try date(),
      attempts: Int(clamping: try integer()),
      lastError: try optionalString(), lastAttempt: try optionalDate(),
      mayHaveBeenSent: try bool(),
      batchLimit: try optional { reader throws(Malformed) in Int(clamping: try reader.integer()) })
  }

  private mutating func key() throws(Malformed) -> EntityKey {
    EntityKey(kind: try string(), id: try string())
  }

  private mutating func operation() throws(Malformed) -> Mutation.Operation {
    switch try byte() {
    case 0: .create
    case 1: .update
    case 2: .delete
    default: throw Malformed()
    }
  }

  /// The second form has what is known of the server's entity.
  mutating func row(_ form: Form) throws(Malformed) -> SyncEntity {
    var row = SyncEntity(
      key: try key(), members: try members(depth: 0), status: try status(), linkedTo: try optionalString())
    if form == .second, try bool() { row.basis = try basis() }
    return row
  }

  private mutating func basis() throws(Malformed) -> ServerBasis {
    ServerBasis(
      version: try optionalString(),
      members: try optional { reader throws(Malformed) in try reader.members(depth: 0) },
      own: try strings(), awaitsDelete: try bool(), isLocalOnly: try bool())
  }

  mutating func status() throws(Malformed) -> SyncEntity.Status {
    switch try byte() {
    case 0: .pending
    case 1: .synced
    case 2: .failed
    default: throw Malformed()
    }
  }

  private mutating func members(depth: Int) throws(Malformed) -> [String: SyncValue] {
    let count = try count()
    var members: [String: SyncValue] = [:]
    for _ in 0..<count {
      let name = try string()
      members[name] = try value(depth: depth + 1)
    }
    return members
  }

  private mutating func value(depth: Int) throws(Malformed) -> SyncValue {
    guard depth <= Self.maximalDepth else { throw Malformed() }
    switch try byte() {
    case 0: return .null
    case 1: return .bool(false)
    case 2: return .bool(true)
    case 3: return .int(try integer())
    case 4: return .double(try double())
    case 5: return .string(try string())
    case 6:
      let count = try count()
      var values: [SyncValue] = []
      for _ in 0..<count { values.append(try value(depth: depth + 1)) }
      return .array(values)
    case 7: return .object(try members(depth: depth))
    default: throw Malformed()
    }
  }
}

extension StoreByteReader {
  /// All changes that were written, or `nil` when these bytes are something else.
  static func changes(in content: ArraySlice<UInt8>) -> [StoreChange]? {
    var reader = StoreByteReader(content)
    var changes: [StoreChange] = []
    do {
      while reader.remaining > 0 { changes.append(try reader.change()) }
      return changes
    } catch {
      return nil
    }
  }
}
