import Foundation
import Platform
import TestSupport
import Testing

@testable import Sync

/// A store in use, with what is acknowledged in its database and in its log, damaged byte by byte.
@Suite("A store that is damaged between two openings")
struct StoreAttackTests {
  private struct Files {
    var contents: [String: Data] = [:]
    var state: StoreState
    /// The states before it.
    var earlier: [StoreState] = []

    static let names = ["", "-wal", "-lock"]
  }

  private static func files() throws -> (TemporaryFolder, Files) {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("sync")
    let factory = FileSyncStoreFactory(file: file, domain: .sample)
    var earlier: [StoreState] = []
    for range in [0..<8, 8..<12] {
      let store = try factory.makeStore()
      for number in range {
        try StoreScript.change(store, number)
        try store.save()
        try store.pendingSync()?()
        earlier.append(try StoreState(store))
      }
      guard range.upperBound == 12 else { continue }
      var files = Files(state: try StoreState(store), earlier: earlier)
      for name in Files.names {
        files.contents[name] = try Data(contentsOf: URL(fileURLWithPath: file.path + name))
      }
      return (folder, files)
    }
    throw SyncError(.other, detail: "unreachable")
  }

  /// Opens a copy as an engine does: once more after damage is found.
  private static func open(_ files: Files, in folder: URL) throws -> (StoreState, URL?) {
    let copy = folder.appendingPathComponent("copy")
    try? FileManager.default.removeItem(at: copy)
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    let file = copy.appendingPathComponent("sync")
    for (name, bytes) in files.contents { try bytes.write(to: URL(fileURLWithPath: file.path + name)) }
    let factory = FileSyncStoreFactory(file: file, domain: .sample, durability: .process)
    do { return (try StoreState(factory.makeStore()), factory.damagedFile) } catch let error as SyncError
      where error.code == .storeUnavailable
    {
      return (try StoreState(factory.makeStore()), factory.damagedFile)
    }
  }

  private static func faults(of files: Files, in folder: URL, _ name: String, at places: [Int]) -> [String] {
    var faults: [String] = []
    for place in places {
      var damaged = files
      damaged.contents[name]?[place] ^= 0xFF
      do {
        let (state, told) = try open(damaged, in: folder)
        if told == nil, state != files.state { faults.append("\(name) \(place): lost without a word") }
        if told != nil, !files.earlier.contains(where: { state.isPart(of: $0) }) {
          faults.append("\(name) \(place): other than written")
        }
      } catch { faults.append("\(name) \(place): \(error)") }
    }
    return faults
  }

  @Test func `A flipped byte anywhere in the log loses nothing acknowledged without a word`() throws {
    let (folder, files) = try Self.files()
    let size = files.contents["-wal"]?.count ?? 0
    let places = Array(stride(from: 0, to: size, by: trials(max(1, size / 300), long: max(1, size / 3000))))
    #expect(Self.faults(of: files, in: folder.url, "-wal", at: places) == [])
  }

  @Test func `A flipped byte anywhere in the database loses nothing without a word`() throws {
    let (folder, files) = try Self.files()
    let size = files.contents[""]?.count ?? 0
    let places = Array(stride(from: 100, to: size, by: trials(max(1, size / 150), long: max(1, size / 3000))))
    #expect(Self.faults(of: files, in: folder.url, "", at: places) == [])
  }

  @Test func `A damaged header is told, and everything else is kept`() throws {
    let (folder, files) = try Self.files()
    #expect(Self.faults(of: files, in: folder.url, "", at: Array(0..<100)) == [])
    for count in [1, 16, 21, 100] {
      var damaged = files
      damaged.contents[""]?.replaceSubrange(0..<count, with: Data(count: count))
      let (state, told) = try Self.open(damaged, in: folder.url)
      #expect(told != nil && Set(state.rows) == Set(files.state.rows))
      #expect(state.waiting.count == files.state.waiting.count && state.cursor == nil)
    }
  }
}
