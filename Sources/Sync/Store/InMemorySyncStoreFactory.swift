import Platform

/// Stores in memory, for tests, simulations, and apps without persistent data.
///
/// All stores of one factory and its copies share the same contents. Unsaved changes of one store are invisible to the
/// others and are lost with it.
///
/// ```swift
/// let factory = InMemorySyncStoreFactory(domain: domain)
/// let store = try factory.makeStore()
/// ```
public struct InMemorySyncStoreFactory: SyncStoreFactory {
  private let domain: SyncDomain
  private let memory = Locked(SharedMemory())

  /// Creates an empty store for the entities of a domain.
  public init(domain: SyncDomain) {
    self.domain = domain
  }

  /// Opens the saved contents.
  public func makeStore() -> any SyncStore { makeHandle() }

  private func makeHandle() -> SQLiteSyncStore { SQLiteSyncStore(MemoryHandle(memory), domain: domain) }

  /// The ids of the saved rows of a kind that do not have a status, in order; few rows are decoded for it.
  package func ids(of kind: String, without status: SyncEntity.Status) throws -> [String] {
    try makeHandle().ids(of: kind, without: status)
  }
}

/// One in-memory database shared by all handles.
///
/// It holds the view of one handle at a time. When another handle takes over, the unsaved changes of the first are
/// rolled back and those of the other are replayed.
private struct SharedMemory {
  typealias Statement = (text: String, values: [SQLiteValue])

  private var connection: SQLiteConnection?
  private var last: Int64 = 0
  /// The handle whose view is active.
  private(set) var current: ObjectIdentifier?

  /// Executes a statement if the handle is the current one.
  ///
  /// - Returns: `nil` for another handle; otherwise the rows, and whether the statement changes something.
  mutating func run(_ statement: Statement, for handle: ObjectIdentifier) throws
    -> (rows: [[SQLiteValue]], isChange: Bool)?
  {
    guard current == handle, let connection else { return nil }
    return (try connection.run(statement.text, statement.values), connection.mayHaveChanged)
  }

  mutating func nextSequence() -> Int64 {
    last += 1
    return last
  }

  /// Switches to the view of a handle.
  mutating func enter(_ handle: ObjectIdentifier, repeating unsaved: [Statement]) throws {
    leave()
    let connection = try connection ?? Self.makeConnection()
    self.connection = connection
    try connection.execute("BEGIN")
    for statement in unsaved { try connection.run(statement.text, statement.values) }
    current = handle
  }

  /// Rolls back the changes of the current handle.
  mutating func leave() {
    current = nil
    if connection?.isInTransaction == true { try? connection?.execute("ROLLBACK") }
  }

  /// Commits the changes of the current handle.
  mutating func save() throws {
    try connection?.run("COMMIT")
    try connection?.run("BEGIN")
  }

  private static func makeConnection() throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: ":memory:")
    try connection.execute(StoreSchema.script)
    return connection
  }
}

private final class MemoryHandle: StoreDatabase {
  private let memory: Locked<SharedMemory>
  /// Statements since the last save that change something.
  private var unsaved: [SharedMemory.Statement] = []

  init(_ memory: Locked<SharedMemory>) {
    self.memory = memory
  }

  deinit { leave() }

  func run(_ text: String, _ values: [SQLiteValue]) throws -> [[SQLiteValue]] {
    let handle = ObjectIdentifier(self)
    while true {
      let result = try memory.withLock { try $0.run((text, values), for: handle) }
      if let result {
        if result.isChange { unsaved.append((text, values)) }
        return result.rows
      }
      try enter(handle)
    }
  }

  private func enter(_ handle: ObjectIdentifier) throws {
    let unsaved = unsaved
    try memory.withLock { try $0.enter(handle, repeating: unsaved) }
  }

  func nextSequence() -> Int64 { memory.withLock { $0.nextSequence() } }

  func save(isErasing: Bool) throws {
    guard !unsaved.isEmpty else { return }
    let handle = ObjectIdentifier(self)
    let unsaved = unsaved
    try memory.withLock { memory in
      if memory.current != handle { try memory.enter(handle, repeating: unsaved) }
      try memory.save()
    }
    self.unsaved = []
  }

  func rollback() -> Bool {
    leave()
    unsaved = []
    return true
  }

  func pendingSync() -> (@Sendable () throws -> Void)? { nil }

  func keepRoom(for bytes: Int) {}

  func useRoom() -> Bool { false }

  func damaged(_ text: String) -> SyncError { SyncError(.store, detail: text) }

  private func leave() {
    let handle = ObjectIdentifier(self)
    memory.withLock { if $0.current == handle { $0.leave() } }
  }
}
