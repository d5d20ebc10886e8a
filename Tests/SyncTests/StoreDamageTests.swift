import Foundation
import MisterMetricsCore
import Sync
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("A log that is not whole")
struct StoreDamageTests {
  @Test func `Cut at any byte, a log opens with exactly the transactions before the cut, and goes on`() throws
  {
    let script = try StoreScript()
    let bytes = try Data(contentsOf: script.file)
    #expect(bytes.count == script.sizes.last)
    for cut in 0...bytes.count {
      let good = script.sizes.last { $0 <= cut } ?? 0
      let factory = try script.factory(of: bytes.prefix(cut))
      let expected = script.states[script.sizes.lastIndex { $0 <= cut } ?? 0]
      do {
        let store = try factory.makeStore()
        #expect(try StoreState(store) == expected, "cut at \(cut)")
        #expect(factory.recovery?.tornBytes == cut - good)
        #expect(factory.recovery?.damagedFile == nil)
        try StoreScript.change(store, 12)
        try store.save()
      }
      #expect(try factory.makeStore().mutation("3") != nil, "cut at \(cut)")
      #expect(factory.recovery?.tornBytes == 0)
    }
  }

  @Test func `With any bit changed, a log opens with the transactions before it and keeps the rest aside`()
    throws
  {
    let script = try StoreScript()
    let bytes = Array(try Data(contentsOf: script.file))
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 1 << UInt8(place % 8)
      let factory = try script.factory(of: damaged, name: "\(place).log")
      guard place >= LogReplay.header.count else {
        #expect(throws: SyncError.self) { try factory.makeStore() }
        #expect(try Data(contentsOf: factory.file) == Data(damaged))
        continue
      }
      let intact = script.sizes.lastIndex { $0 <= place } ?? 0
      let state = try StoreState(factory.makeStore())
      let recovery = try #require(factory.recovery)
      let expected = recovery.damagedFile == nil ? script.states[intact] : script.states[intact].distrusted
      #expect(state == expected, "bit of byte \(place)")
      #expect(recovery.transactions == intact)
      if let kept = recovery.damagedFile {
        #expect(try Data(contentsOf: kept) == Data(damaged))
      } else {
        // Only of the last transaction no one can tell damage from a write that did not come to its end.
        #expect(intact == script.states.count - 2)
        #expect(recovery.tornBytes == bytes.count - script.sizes[intact])
      }
      #expect(try StoreState(factory.makeStore()) == expected)
      #expect(factory.recovery?.damagedFile == nil)
    }
  }

  @Test func `Zeros at the end, as after a power cut, are cut off`() throws {
    let script = try StoreScript()
    let bytes = try Data(contentsOf: script.file)
    for zeros in [1, 11, 12, 13, 4096, 3 << 20] {
      let factory = try script.factory(of: bytes + Data(count: zeros))
      #expect(try StoreState(factory.makeStore()) == script.states.last)
      #expect(factory.recovery?.tornBytes == zeros)
      #expect(try Data(contentsOf: factory.file) == bytes)
    }
  }

  @Test func `A log that another program wrote by the format opens`() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let script = try StoreScript(transactions: 0)
    let factory = try script.factory(
      of: Data(contentsOf: tests.appendingPathComponent("Fuzz/corpus/synclog/seed-00")))
    let store = try factory.makeStore()
    #expect(factory.recovery?.transactions == 3)
    let waiting = Mutation(
      id: "m3", idempotencyKey: "k-m3", entity: EntityKey(kind: "event", id: "e1"), operation: .delete,
      payload: Data(),
      createdAt: Date(timeIntervalSinceReferenceDate: 1e8))
    #expect(try store.nextMutations(after: nil, limit: 9).map(\.mutation) == [waiting])
    #expect(try StoreState(store).rows.isEmpty && store.deadLetters().isEmpty)
    #expect(
      try store.quarantine() == [
        RemoteChange(entity: EntityKey(kind: "alien", id: "x"), operation: .delete, members: [:])
      ])
  }

  @Test func `Each damaged file is kept under a name of its own`() throws {
    let script = try StoreScript()
    var bytes = Array(try Data(contentsOf: script.file))
    bytes[script.sizes[3]] ^= 1
    var names: [String] = []
    for _ in 0..<3 {
      let factory = try script.factory(of: bytes)
      _ = try factory.makeStore()
      names.append(factory.recovery?.damagedFile?.lastPathComponent ?? "")
    }
    #expect(names == ["other.log.damaged", "other.log.damaged-2", "other.log.damaged-3"])
  }

  @Test(arguments: ["mistertop-sync-log 3\n", "{\"a\":1}\n", "\0", " ", "mistertop-sync-log 2 "])
  func `A file of others is never touched`(content: String) throws {
    let folder = try TemporaryFolder()
    let file = URL(fileURLWithPath: try folder.write(content, to: "other"))
    let temporary = try folder.write("theirs", to: ".other.optimizing")
    let error = #expect(throws: SyncError.self) {
      try FileSyncStoreFactory(file: file, domain: .sample).makeStore()
    }
    #expect(error?.code == .storeUnavailable)
    #expect(try Data(contentsOf: file) == Data(content.utf8))
    #expect(FileManager.default.fileExists(atPath: temporary))
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
