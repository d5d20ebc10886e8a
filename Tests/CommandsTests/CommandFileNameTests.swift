import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

@testable import Commands

@Suite("Names of files in commands")
struct CommandFileNameTests {
  /// The same letters in other bytes.
  private static let twins = ["\u{E9}.jsonl", "e\u{301}.jsonl"]
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func make(_ name: String, _ bytes: [UInt8] = []) -> String {
    let path = PathParts.join(folder.url.path, name)
    #expect(FileManager.default.createFile(atPath: path, contents: Data(bytes)))
    return path
  }

  @Test(
    "an import finds in a folder all that ends as payloads do",
    arguments: ["x\u{600}.json", "z\u{600}.gz", "\u{301}x.NDJSON", "e\u{301}.jsonl"])
  func payloads(_ name: String) {
    let path = make(name)
    var finder = PayloadFinder(store: nil)
    finder.add(folder.url.path)
    #expect(finder.problems.isEmpty && finder.files.map { PathKey($0.path) } == [PathKey(path)])
  }

  @Test("an import leaves hidden names out, whatever stands on their dot")
  func hidden() {
    _ = make(".\u{301}x.json")
    var finder = PayloadFinder(store: nil)
    finder.add(folder.url.path)
    #expect(finder.files.isEmpty && finder.problems.count == 1)
  }

  @Test("a cursor file has a position for each of two spellings")
  func cursor() throws {
    let paths = Self.twins.map { make($0) }
    let cursor = folder.path("cursor")
    let positions = Dictionary(
      uniqueKeysWithValues: zip(paths, 1...).map { path, inode in
        let identity = FileIdentity(device: 1, inode: UInt64(inode))
        return (
          PathKey(path), TailPosition(identity: identity, modified: 0, mark: TailMark(offset: 0, bytes: []))
        )
      })
    do { try CursorWriter(path: cursor) { _ in }.save(positions) }
    let writer = try CursorWriter(path: cursor) { _ in }
    for path in paths {
      let position = try #require(positions[PathKey(path)])
      guard case .after(let saved) = writer.start(of: path) else {
        Issue.record("no position")
        continue
      }
      #expect(saved == position)
    }
  }

  @Test("a cursor file forgets what has long been gone")
  func goneCursor() throws {
    let cursor = folder.path("cursor")
    let identity = try Posix.status(ofPath: folder.url.path).identity
    let position = TailPosition(identity: identity, modified: 0, mark: TailMark(offset: 0, bytes: []))
    let paths = ["gone", "followed"].map { name in PathKey(Posix.entry(folder.path(name))) }
    let day = { (day: Int) in Timestamp(unixSeconds: Double(day) * 86_400) }
    try CursorWriter(path: cursor, now: day(1)) { _ in }.save([paths[0]: position, paths[1]: position])
    for (now, count) in [(2, 2), (31, 2), (33, 1)] {
      try CursorWriter(path: cursor, now: day(now)) { _ in }.save([paths[1]: position])
      #expect(try PositionStore(path: cursor).file.positions.count == count)
    }
  }

  @Test("what is unpacked keeps its name, without its ending")
  func spools() {
    let packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    let paths = [make("\u{301}x.jsonl.gz", packed), make("a\u{600}.GZ", packed)]
    let names = SpooledOperands(paths, in: URL(fileURLWithPath: "/s")).paths
    #expect(names.map { PathKey($0) } == ["/s/\u{301}x.jsonl", "/s/a\u{600}"])
  }
}
