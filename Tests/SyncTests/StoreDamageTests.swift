import Foundation
import MisterMetricsCore
import Platform
import TestSupport
import Testing

@testable import Sync

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("A store whose files are not whole")
struct StoreDamageTests {
  /// The state of a store, opened once more where damage is found: as the engine does.
  private func state(_ factory: FileSyncStoreFactory) throws -> (state: StoreState, damaged: URL?) {
    do { return try stateOnce(factory) } catch let error as SyncError where error.code == .storeUnavailable {
      return try stateOnce(factory)
    }
  }

  private func stateOnce(_ factory: FileSyncStoreFactory) throws -> (StoreState, URL?) {
    let store = try factory.makeStore()
    return (try StoreState(store), factory.damagedFile)
  }

  @Test func `Cut anywhere, a log opens with exactly the transactions before the cut, and goes on`() throws {
    let script = try StoreScript()
    #expect(script.log.count == script.sizes.last)
    let frames = Array(stride(from: 32, through: script.log.count, by: 24 + 4096))
    for cut in Set([0, 1, 31] + frames + frames.map { $0 + 23 } + frames.map { $0 + 2000 } + script.sizes) {
      guard cut <= script.log.count else { continue }
      let factory = try script.factory(of: script.database, log: script.log.prefix(cut))
      let expected = script.states[script.sizes.lastIndex { $0 <= cut } ?? 0]
      do {
        let store = try factory.makeStore()
        #expect(try StoreState(store) == expected, "cut at \(cut)")
        #expect(factory.damagedFile == nil, "cut at \(cut)")
        try StoreScript.change(store, 12)
        try store.save()
      }
      #expect(try factory.makeStore().mutation("3") != nil, "cut at \(cut)")
    }
  }

  @Test func `With a bit of the log changed, its transactions up to there count, and the log is kept`() throws
  {
    let script = try StoreScript()
    for place in stride(from: 5, to: script.log.count, by: 1_543) {
      var log = Array(script.log)
      log[place] ^= 1 << UInt8(place % 8)
      let factory = try script.factory(of: script.database, log: log, name: "log-\(place)")
      let intact = script.sizes.lastIndex { $0 <= place } ?? 0
      let (state, damaged) = try state(factory)
      #expect(state == script.states[intact].distrusted, "byte \(place)")
      #expect(try damaged.map { try Data(contentsOf: $0) } == Data(log), "byte \(place)")
      #expect(try self.state(factory).damaged == nil)
    }
  }

  @Test func `With any bit changed, nothing else is read than what was written, and what is lost is told`()
    throws
  {
    let script = try StoreScript()
    let whole = try #require(script.states.last)
    var kept = 0
    for place in stride(from: 0, to: script.closed.count, by: trials(61, long: 7)) {
      var bytes = Array(script.closed)
      bytes[place] ^= 1 << UInt8(place % 8)
      let factory = try script.factory(of: bytes)
      do {
        let (state, damaged) = try state(factory)
        if let damaged {
          kept += 1
          #expect(state.isPart(of: whole), "byte \(place)")
          #expect(try Data(contentsOf: damaged).count == bytes.count)
          try FileManager.default.removeItem(at: damaged)
        } else {
          #expect(state == whole, "byte \(place)")
        }
      } catch let error as SyncError {
        // The first page says what the file is: one that is none of ours stays as it is.
        #expect(error.code == .storeUnavailable && place < 100, "byte \(place): \(error)")
      }
    }
    #expect(kept > 0)
  }

  @Test func `Of a file that was cut or has lost pages, what can be read is kept`() throws {
    let script = try StoreScript(transactions: 200)
    let whole = try #require(script.states.last)
    let size = script.closed.count
    var torn = Array(script.closed)
    torn.replaceSubrange(size / 2..<size / 2 + 4096, with: [UInt8](repeating: 0, count: 4096))
    for bytes in [Array(script.closed.prefix(size / 2)), Array(script.closed.prefix(5000)), torn] {
      let factory = try script.factory(of: bytes)
      let (state, damaged) = try state(factory)
      #expect(damaged != nil && state.isPart(of: whole))
      if bytes.count == size { #expect(!state.rows.isEmpty || !state.deadLetters.isEmpty) }
      if let damaged { try FileManager.default.removeItem(at: damaged) }
    }
  }

  @Test func `Zeros at the end, as after a power cut, change nothing`() throws {
    let script = try StoreScript()
    for zeros in [1, 32, 4096, 3 << 20] {
      let factory = try script.factory(of: script.database, log: script.log + Data(count: zeros))
      let (state, damaged) = try state(factory)
      #expect(state == script.states.last && damaged == nil)
      let empty = try script.factory(of: script.closed, log: Data(count: zeros))
      #expect(try self.state(empty).state == script.states.last)
    }
  }

  @Test func `Each damaged file is kept under a name of its own`() throws {
    let script = try StoreScript()
    var bytes = Array(script.closed)
    for place in 4096..<8192 { bytes[place] = 0xFF }
    var names: [String] = []
    for _ in 0..<3 {
      let factory = try script.factory(of: bytes)
      _ = try factory.makeStore()
      names.append(factory.damagedFile?.lastPathComponent ?? "")
    }
    #expect(names == ["other.damaged", "other.damaged-2", "other.damaged-3"])
  }

  @Test(arguments: ["mistertop-sync-log 2\n", "{\"a\":1}\n", "\0", " ", "SQLite format 3"])
  func `A file of others, or of an older version, is never touched`(content: String) throws {
    let folder = try TemporaryFolder()
    let file = URL(fileURLWithPath: try folder.write(content, to: "other"))
    let error = #expect(throws: SyncError.self) {
      try FileSyncStoreFactory(file: file, domain: .sample).makeStore()
    }
    #expect(error?.code == .storeUnavailable)
    #expect(error?.detail.contains("move it away") == content.hasPrefix("mistertop"))
    #expect(try Data(contentsOf: file) == Data(content.utf8))
  }

  @Test func `A database of another program is never touched`() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("theirs")
    do {
      let theirs = try SQLiteConnection(path: file.path)
      try theirs.execute("CREATE TABLE notes (text)")
    }
    let error = #expect(throws: SyncError.self) {
      try FileSyncStoreFactory(file: file, domain: .sample).makeStore()
    }
    #expect(error?.code == .storeUnavailable)
    #expect(try SQLiteConnection(path: file.path).run("SELECT name FROM sqlite_master").count == 1)
  }

  @Test func `What is no plain file is no store`() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    for path in [folder.url.path, pipe, "/dev/null", "/dev/null/below"] {
      let error = #expect(throws: SyncError.self) {
        try FileSyncStoreFactory(file: URL(fileURLWithPath: path), domain: .sample).makeStore()
      }
      #expect(error?.code == .storeUnavailable, "\(path)")
    }
  }
}
