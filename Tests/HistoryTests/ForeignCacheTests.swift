import Foundation
import History
import JSONLines
import Platform
import TestSupport
import Testing

/// Traps of another account in the folder of indexes.
@Suite("A folder of indexes of another account", .enabled(if: geteuid() == 0))
struct ForeignCacheTests {
  private let folder: TemporaryFolder
  private let cache: IndexCache

  init() throws {
    folder = try TemporaryFolder()
    cache = IndexCache(folder: folder.url.appendingPathComponent("cache"))
  }

  private func names() throws -> [String] { try Posix.names(in: cache.folder.path) }

  /// Packs as many bytes, reads them, and answers what is kept of that.
  private func kept(_ count: Int, of path: String) throws -> String {
    try Data(GzipMaker.member([UInt8](repeating: 0, count: count))).write(to: URL(fileURLWithPath: path))
    let before = Set((try? names()) ?? [])
    #expect(try PackedBytes(path: path, cache: cache).status.size == UInt64(count))
    return try #require(Set(names()).subtracting(before).first)
  }

  @Test("the places of packed files that it holds are not believed", arguments: ["the file", "the folder"])
  func checkpoints(whose: String) throws {
    let path = folder.path("app.jsonl.1.gz")
    let (name, other) = (try kept(3_000_000, of: path), try kept(2_000_000, of: folder.path("other.gz")))
    try Posix.rename(PathParts.join(cache.folder.path, other), to: PathParts.join(cache.folder.path, name))
    // Made by this account, they are.
    #expect(try PackedBytes(path: path, cache: cache).status.size == 2_000_000)
    let foreign = whose == "the folder" ? cache.folder.path : PathParts.join(cache.folder.path, name)
    #expect(chown(foreign, 65534, 65534) == 0)
    #expect(try PackedBytes(path: path, cache: cache).status.size == 3_000_000)
    #expect(try names() == [name])
  }

  @Test("an index in it is neither believed nor removed, and it is not made")
  func index() throws {
    var maker = HistoryMaker(seed: 11)
    for number in 0..<9000 { maker.add(number: Double(number % 50), at: 800_000_000 + Double(number / 8)) }
    let file = MemoryBytes(maker.text)
    cache.remove(for: file)
    #expect(throws: IndexFault.missing) { try cache.load(for: file, blockSize: 1 << 17) }
    #expect(!Posix.isTaken(cache.folder.path))
    _ = try IndexMaintainer.indexed([file], blockSize: 1 << 17, cache: cache)
    #expect(throws: Never.self) { try cache.load(for: file, blockSize: 1 << 17) }
    #expect(chown(cache.folder.path, 65534, 65534) == 0)
    #expect(throws: IndexFault.missing) { try cache.load(for: file, blockSize: 1 << 17) }
    cache.remove(for: file)
    #expect(try names().count == 1)
    #expect(chown(cache.folder.path, 0, 0) == 0)
    cache.remove(for: file)
    #expect(try names().isEmpty)
  }
}
