import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

@Suite("Positions of paths that are gone")
struct GonePathTests {
  private static let limit = PositionFile.longestAbsence
  private let folder: TemporaryFolder
  private let device: UInt64

  init() throws {
    folder = try TemporaryFolder()
    device = try Posix.status(ofPath: folder.url.path).identity.device
  }

  private func file(_ name: String, device: UInt64? = nil, inode: UInt64 = 0) -> PositionFile {
    PositionFile(positions: [
      PathKey(folder.path(name)): TailPosition(
        identity: FileIdentity(device: device ?? self.device, inode: inode), modified: 0,
        mark: TailMark(offset: 0, bytes: []))
    ])
  }

  /// How much of the limit each run comes after the one before, and whether the position is there after it.
  private func run(_ file: inout PositionFile, at now: Int64) -> Bool {
    file.dropGone(now: now)
    return !file.positions.isEmpty
  }

  @Test(arguments: ["app.jsonl", "none/deep/app.jsonl"])
  func `A path that is missing for long loses its position, in a folder that is gone too`(name: String) {
    var file = file(name)
    #expect(run(&file, at: 5))
    #expect(file.missing.values.map { $0 } == [5])
    #expect(run(&file, at: 4 + Self.limit))
    #expect(!run(&file, at: 5 + Self.limit))
    #expect(file == PositionFile())
  }

  @Test func `A path that comes back in time is as if it had never been missing`() throws {
    var file = file("app.jsonl")
    #expect(run(&file, at: 0))
    let path = try folder.write("", to: "app.jsonl")
    #expect(run(&file, at: Self.limit) && file.missing.isEmpty)
    try Posix.remove(path)
    #expect(run(&file, at: 2 * Self.limit) && run(&file, at: 3 * Self.limit - 1))
  }

  @Test func `A place that is not mounted, or may not be looked into, says nothing`() throws {
    var unmounted = file("disk/app.jsonl", device: device &+ 1)
    #expect(run(&unmounted, at: 0) && run(&unmounted, at: 9 * Self.limit) && unmounted.missing.isEmpty)
    // No name may be that long.
    var refused = file(String(repeating: "x", count: 5000))
    #expect(run(&refused, at: 0) && run(&refused, at: 9 * Self.limit) && refused.missing.isEmpty)
  }

  @Test func `A rotated file whose path nothing has got keeps the position`() throws {
    let rotated = try folder.write("", to: "app.jsonl.1")
    var file = file("app.jsonl", inode: try Posix.status(ofPath: rotated).identity.inode)
    #expect(run(&file, at: 0) && run(&file, at: 9 * Self.limit))
    try Posix.remove(rotated)
    #expect(!run(&file, at: 9 * Self.limit))
  }

  @Test(arguments: [Int64.min, .max])
  func `No time that a file holds is too much`(since: Int64) {
    var file = file("app.jsonl")
    file.missing = file.positions.mapValues { _ in since }
    #expect(run(&file, at: 0) == (since > 0))
  }
}
