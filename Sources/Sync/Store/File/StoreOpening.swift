import Essentials
import Platform

/// Opens the file of a store, creates a missing one, and puts a damaged one aside.
struct StoreOpening {
  static let firstBytes = Array("SQLite format 3\0".utf8)
  private static let oldFirstBytes = Array("mistertop-sync-log ".utf8)
  /// Number of free pages from which the file is rewritten, if most of it is free.
  private static let freePages = 256
  static let pageSize = 4096

  let path: String
  let domain: SyncDomain
  let durability: FileSyncStoreFactory.Durability
  let operations: FileOperations
  let damage: StoreDamage

  ///
  /// - Returns: The store, and the location of a damaged file put aside.
  func open() throws -> (store: SQLiteSyncStore, damagedFile: URL?) {
    do {
      if let status = Posix.status(at: path), status.kind != .regular {
        throw SyncError(.storeUnavailable, detail: "\(path) is not a plain file")
      }
      // Not a lock on the database: SQLite's own is released when any part of the process closes that file.
      guard let lock = try Posix.openAlone(path + "-lock", permissions: 0o600, with: operations) else {
        throw SyncError(.storeInUse, detail: "another process, or another handle, uses \(path)")
      }
      return try open(StoreLock(lock))
    } catch let failure as FileFailure {
      throw SyncError(.storeUnavailable, detail: failure.message)
    }
  }

  private func open(_ lock: StoreLock) throws -> (SQLiteSyncStore, URL?) {
    let damagedHeader = try prepareFile()
    // Leftover of an interrupted opening.
    Posix.unlink(temporary)
    let damagedLog = try keepDamagedLog()
    var damagedFile = damagedHeader ?? damagedLog
    var connection = try connect()
    let result = Result { try setUp(connection) }
    if damage.take() {
      let replaced = try replaceDamaged(connection)
      damagedFile = damagedHeader ?? replaced
      connection = try connect()
      try setUp(connection)
    } else {
      try result.get()
    }
    let log = try StoreLog(path: path + WriteAheadLog.suffix, lock: lock)
    let file = try StoreFile(connection, log: log, durability: durability, operations: operations)
    let store = SQLiteSyncStore(file, domain: domain)
    try store.adoptDomain()
    if damagedHeader != nil || damagedLog != nil { try store.distrust() }
    return (store, damagedFile)
  }

  /// Creates the file with access for its owner only; rejects another user's file, or one that is not a store.
  ///
  /// - Returns: A copy of the file, if its header was damaged and is now repaired.
  private func prepareFile() throws -> URL? {
    let descriptor = try Posix.open(path, flags: O_RDWR | O_CREAT | O_NONBLOCK, permissions: 0o600)
    defer { Posix.close(descriptor) }
    let status = try Posix.status(of: descriptor)
    guard status.owner == geteuid() else { throw FileFailure(.useFile(path), number: EACCES) }
    if status.permissions & 0o077 != 0 { Posix.setPermissions(0o600, of: descriptor) }
    let first = try Posix.read(descriptor, at: 0, count: 32, with: operations.read)
    if first.starts(with: Self.oldFirstBytes) {
      throw SyncError(
        .storeUnavailable,
        detail:
          "\(path) was written by an older version, which kept a log; move it away to begin with an empty store"
      )
    }
    if let kept = try repairHeader(of: descriptor) { return kept }
    guard first.isEmpty || first.starts(with: Self.firstBytes) else {
      throw SyncError(.storeUnavailable, detail: "\(path) is not a store of the sync engine")
    }
    return nil
  }

  private func connect() throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, damage: damage)
    // Keeps the index of the log in this process's memory instead of a file.
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY")
    return connection
  }

  /// Creates or checks the tables of a store; a foreign database is rejected unchanged.
  private func setUp(_ connection: SQLiteConnection) throws {
    let isNew = try connection.run("SELECT 1 FROM sqlite_master").isEmpty
    if isNew {
      guard Posix.status(at: path).map({ $0.size <= Self.pageSize }) == true else {
        throw connection.damage.found("it has no tables")
      }
    } else {
      guard try Self.number("application_id", connection) == StoreSchema.application,
        try Self.number("user_version", connection) == StoreSchema.version
      else {
        throw SyncError(
          .storeUnavailable, detail: "\(path) is not a store of this version of the sync engine")
      }
    }
    try connection.execute(
      """
      PRAGMA page_size = \(Self.pageSize); PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA checkpoint_fullfsync = ON; PRAGMA journal_size_limit = 8388608; PRAGMA cell_size_check = ON;
      """)
    guard !isNew else { return try connection.execute(StoreSchema.script) }
    try Self.check(connection)
    let free = try Self.number("freelist_count", connection)
    if free > Self.freePages, try free > Self.number("page_count", connection) / 4 * 3 {
      try connection.execute("VACUUM")
    }
  }

  private static func number(_ name: String, _ connection: SQLiteConnection) throws -> Int {
    try connection.run("PRAGMA \(name)").first?.first?.number ?? 0
  }

  /// Compares the schema, then lets SQLite check all tables against their indexes.
  ///
  /// - Throws: ``SyncError`` for a damaged database.
  static func check(_ connection: SQLiteConnection) throws {
    guard try StoreSchema.parts(of: connection) == StoreSchema.parts else {
      throw connection.damage.found("its tables are other ones")
    }
    let answer = try connection.run("PRAGMA integrity_check(1)").first?.first?.text
    if answer != "ok" { throw connection.damage.found(answer ?? "it cannot be checked") }
  }
}

// MARK: - Damage

extension StoreOpening {
  private var temporary: String { ReplacementFile.lockedName(for: path) }

  /// Copies the log if a transaction in it is damaged: SQLite ignores it and everything behind it.
  private func keepDamagedLog() throws -> URL? {
    let log = path + WriteAheadLog.suffix
    guard let size = Posix.status(at: log).map({ Int(clamping: $0.size) }), size > 0 else { return nil }
    let descriptor = try Posix.open(log)
    defer { Posix.close(descriptor) }
    let isDamaged = try WriteAheadLog.isDamaged(size: size) { offset, count in
      try Array(Posix.read(descriptor, at: offset, count: count, with: operations.read))
    }
    return isDamaged ? try keep(descriptor, of: log, size: size) : nil
  }

  /// Copies a damaged file to a name that is not in use.
  func keep(_ descriptor: Int32, of file: String, size: Int) throws -> URL {
    for name in DamagedFile.names(for: file) where !Posix.isTaken(name) {
      let copy = try Posix.open(name, flags: O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
      defer { Posix.close(copy) }
      for offset in stride(from: 0, to: size, by: 1 << 20) {
        let bytes = Array(try Posix.read(descriptor, at: offset, count: 1 << 20, with: operations.read))
        try write(bytes, to: copy, path: name)
      }
      try Posix.sync(copy, path: name, with: operations.sync)
      return URL(fileURLWithPath: name)
    }
    throw SyncError(.storeUnavailable, detail: "\(file) is damaged and cannot be kept under another name")
  }

  func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(FileFailure) {
    try bytes.withTypedBytes { bytes throws(FileFailure) in
      try Posix.write(bytes, to: descriptor, path: path, with: operations.write)
    }
  }

  /// Renames the damaged file and puts a new one with every readable row in its place.
  ///
  /// - Returns: The damaged file's new name.
  private func replaceDamaged(_ damaged: SQLiteConnection) throws -> URL {
    // The log's pages belong to the damaged file and must not end up in the new one.
    _ = try? damaged.run("PRAGMA wal_checkpoint(TRUNCATE)")
    let kept = try keepDamaged()
    try writeReadableRows(of: damaged)
    let file = try Posix.open(temporary)
    defer { Posix.close(file) }
    try Posix.sync(file, path: temporary, with: operations.sync)
    damaged.close()
    Posix.unlink(path + WriteAheadLog.suffix)
    try Posix.rename(temporary, to: path)
    try Posix.syncFolder(of: path, with: operations.syncFolder)
    return kept
  }

  private func writeReadableRows(of damaged: SQLiteConnection) throws {
    Posix.close(try Posix.open(temporary, flags: O_RDWR | O_CREAT | O_EXCL, permissions: 0o600))
    let new = try SQLiteConnection(path: temporary)
    defer { new.close() }
    try new.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;" + StoreSchema.script)
    let store = SQLiteSyncStore(try StoreFile(new), domain: domain)
    for (table, place) in StoreSchema.tables {
      try copyReadableRows(of: table, from: damaged, to: new, place)
    }
    try store.adoptDomain()
    try store.distrust()
  }

  /// Copies all readable rows.
  ///
  /// - Parameter place: The index of the checksum's column.
  private func copyReadableRows(
    of table: String, from damaged: SQLiteConnection, to new: SQLiteConnection, _ place: Int
  ) throws {
    var failure: (any Error)?
    try? damaged.run("SELECT * FROM \(table)", []) { row in
      guard row.count > place, Seal.isIntact(row[place...]) else { return }
      let marks = row.map { _ in "?" }.joined(separator: ", ")
      do { try new.run("INSERT OR IGNORE INTO \(table) VALUES (\(marks))", row) } catch {
        failure = error
        throw error
      }
    }
    if let failure { throw failure }
  }

  /// Gives the damaged file a second name, which it keeps when a new file takes the first.
  private func keepDamaged() throws -> URL {
    do throws(FileFailure) {
      let folder = try OpenFolder(PathParts(path).directory)
      for name in DamagedFile.names(for: path) {
        do throws(FileFailure) {
          try folder.link(PathParts(path).name, as: PathParts(name).name)
          return URL(fileURLWithPath: name)
        } catch { guard error.number == EEXIST else { throw error } }
      }
      throw .other(EEXIST)
    } catch {
      throw SyncError(
        .storeUnavailable,
        detail: "\(path) is damaged and cannot be kept under another name: \(error.message)")
    }
  }
}
