import Platform

/// Stores whose disk is memory: for tests, simulations, and apps that need nothing to outlive them.
///
/// All stores of one factory, and of its copies, open the same contents. What one of them has not saved is seen by no
/// other and goes with it.
///
/// ```swift
/// let factory = InMemorySyncStoreFactory(domain: domain)
/// let store = try factory.makeStore()
/// ```
public struct InMemorySyncStoreFactory: SyncStoreFactory {
  private let domain: SyncDomain
  private let memory = Locked(SharedMemory())

  /// An empty disk for the entities of a domain.
  public init(domain: SyncDomain) {
    self.domain = domain
  }

  /// Opens what was saved.
  public func makeStore() -> any SyncStore { SQLiteSyncStore(MemoryHandle(memory), domain: domain) }
}

/// One database in memory for all handles that open it.
///
/// It shows the view of one handle at a time. When another one comes, its changes are taken back and those of the other
/// are made.
private struct SharedMemory {
  /// One statement with its values.
  typealias Statement = (text: String, values: [SQLiteValue])

  private var connection: SQLiteConnection?
  private var last: Int64 = 0
  /// The handle whose view it shows.
  private(set) var current: ObjectIdentifier?

  /// Carries out a statement, for the current handle alone.
  ///
  /// - Returns: `nil` for another handle; else the rows, and whether the statement changes something.
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

  /// Shows the view of a handle.
  mutating func enter(_ handle: ObjectIdentifier, repeating unsaved: [Statement]) throws {
    leave()
    let connection = try connection ?? Self.makeConnection()
    self.connection = connection
    try connection.execute("BEGIN")
    for statement in unsaved { try connection.run(statement.text, statement.values) }
    current = handle
  }

  /// Takes back what the current handle has changed.
  mutating func leave() {
    current = nil
    if connection?.isInTransaction == true { try? connection?.execute("ROLLBACK") }
  }

  /// Keeps what the current handle has changed.
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
  /// The statements since the last save that change something.
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

  func damaged(_ text: String) -> SyncError { SyncError(.store, detail: text) }

  private func leave() {
    let handle = ObjectIdentifier(self)
    memory.withLock { if $0.current == handle { $0.leave() } }
  }
}
