import Foundation
import History
import JSONLines
import Platform
import TestSupport
import Testing

/// Gzip files that are read at any place.
@Suite("Packed files of a history")
struct PackedBytesTests {
  /// Lines with little in common, so that few of them are a copy of those before.
  private static func content(_ bytes: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    var content: [UInt8] = []
    while content.count < bytes {
      content += "{\"n\":\(generator.next() % 100_000),\"text\":\"\(generator.next() % 97)\"}\n".utf8
    }
    return content
  }

  private static func packings() -> [(name: String, content: [UInt8], packed: [UInt8])] {
    let (one, two) = (content(900_000, seed: 1), content(300_000, seed: 2))
    let small = (0..<200).map { content(700, seed: UInt64($0)) }
    let zeros = [UInt8](repeating: 0, count: 3_000_000)
    return [
      ("one member", one, GzipMaker.member(one)),
      ("flushed", one, GzipMaker.member(one, flushes: 5000)),
      ("two members", one + two, GzipMaker.member(one) + GzipMaker.member(two)),
      ("padded", one + two, GzipMaker.member(one) + [0, 0, 0] + GzipMaker.member(two) + [0]),
      ("many members", small.flatMap { $0 }, small.flatMap { GzipMaker.member($0) }),
      ("zeros", zeros, GzipMaker.member(zeros)),
      ("few bytes", [65, 10], GzipMaker.member([65, 10])),
      ("nothing", [], GzipMaker.member([])),
    ]
  }

  private static func open(_ bytes: [UInt8], in folder: TemporaryFolder) throws -> Int32 {
    let path = folder.path("packed.gz")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return try Posix.open(path)
  }

  @Test("from each place that is kept the same comes out as from the start")
  func places() throws {
    let folder = try TemporaryFolder()
    for (name, content, packed) in Self.packings() {
      let descriptor = try Self.open(packed, in: folder)
      defer { Posix.close(descriptor) }
      let found = try GzipCheckpoints(of: descriptor, spacing: 40_000)
      #expect(found.unpackedBytes == UInt64(content.count) && found.note == nil, Comment(rawValue: name))
      if content.count > 1_000_000, name != "zeros" {
        #expect(found.points.count > 5, Comment(rawValue: name))
      }
      for point in found.points {
        let cursor = try GzipCursor(at: point, of: descriptor)
        var room = [UInt8](repeating: 0, count: 70_000)
        var out: [UInt8] = []
        while case let count = try room.withUnsafeMutableBytes({ try cursor.read(into: $0) }), count > 0 {
          out += room.prefix(count)
        }
        #expect(out == Array(content[Int(point.unpacked)...]), "\(name) at \(point.unpacked)")
        #expect(cursor.position == UInt64(content.count))
      }
    }
  }

  @Test("what is read at any place is what was packed, from several threads too")
  func random() throws {
    let folder = try TemporaryFolder()
    let content = Self.content(9_000_000, seed: 3)
    let path = folder.path("app.jsonl.1.gz")
    try Data(GzipMaker.member(content)).write(to: URL(fileURLWithPath: path))
    let bytes = try PackedBytes(path: path)
    #expect(try bytes.status.size == UInt64(content.count))
    let wrong = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      var generator = SeededGenerator(seed: UInt64(thread))
      for _ in 0..<12 {
        let start = Int.random(in: 0..<content.count + 100, using: &generator)
        let end = start + Int.random(in: 0...200_000, using: &generator)
        let read = try? bytes.bytes(UInt64(start)..<UInt64(end))
        if read != Array(content.dropFirst(start).prefix(end - start)) { wrong.withLock { $0 += 1 } }
      }
    }
    #expect(wrong.withLock { $0 } == 0)
  }

  @Test("the places are kept, two hundredths of the file at most, and others than those are found anew")
  func kept() throws {
    let folder = try TemporaryFolder()
    let content = Self.content(9_000_000, seed: 4)
    let path = folder.path("app.jsonl.1.gz")
    try Data(GzipMaker.member(content)).write(to: URL(fileURLWithPath: path))
    let cache = IndexCache(folder: folder.url.appendingPathComponent("cache"))
    _ = try PackedBytes(path: path, cache: cache)
    let kept = try FileManager.default.contentsOfDirectory(atPath: cache.folder.path)
    #expect(kept.count == 1 && kept[0].hasSuffix(".checkpoints"))
    let file = cache.folder.appendingPathComponent(try #require(kept.first))
    let sound = try Data(contentsOf: file)
    #expect(sound.count * 50 <= content.count)
    let middle = UInt64(5_000_000)..<5_000_100
    var generator = SeededGenerator(seed: 5)
    for round in 0..<60 {
      var bad = sound
      if round > 0 { bad[Int.random(in: 0..<bad.count, using: &generator)] ^= 1 << UInt8(round % 8) }
      if round > 50 { bad = bad.prefix(Int.random(in: 0..<bad.count, using: &generator)) }
      try bad.write(to: file)
      let bytes = try PackedBytes(path: path, cache: cache)
      #expect(try bytes.bytes(middle) == Array(content[5_000_000..<5_000_100]))
      #expect(try Data(contentsOf: file) == sound)
    }
  }

  @Test(
    "of a damaged or cut file is read what comes out, and a note says so; of a bomb as much as is allowed")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let content = Self.content(500_000, seed: 6)
    let packed = GzipMaker.member(content)
    let descriptor = try Self.open(Array(packed.prefix(packed.count / 2)), in: folder)
    defer { Posix.close(descriptor) }
    let found = try GzipCheckpoints(of: descriptor, spacing: 40_000)
    #expect(found.note != nil && found.unpackedBytes > 100_000)
    let zeros = GzipMaker.member([UInt8](repeating: 0, count: 3_000_000))
    let bomb = try Self.open(zeros, in: folder)
    defer { Posix.close(bomb) }
    let limited = try GzipCheckpoints(of: bomb, limit: 1_000_000)
    #expect(limited.unpackedBytes == 1_000_000 && limited.note == .tooLarge(limit: 1_000_000))
    let text = try Self.open(Array("not packed".utf8), in: folder)
    defer { Posix.close(text) }
    #expect(throws: GunzipFailure.notGzip) { try GzipCheckpoints(of: text) }
  }

  @Test("of a bomb the lines before it are read, and nobody looks for the end of one that has none")
  func bomb() throws {
    let folder = try TemporaryFolder()
    let line = ExportRun.line("1", time: 100)
    let packed = GzipMaker.member(Array(line.utf8) + [UInt8](repeating: 0, count: 20 << 20))
    let path = try folder.write(ExportRun.line("2", time: 200), to: "m.jsonl")
    try Data(packed).write(to: URL(fileURLWithPath: path + ".1.gz"))
    let bytes = try PackedBytes(path: path + ".1.gz")
    #expect(try bytes.status.size == UInt64(line.utf8.count))
    #expect(bytes.wholeEnd == UInt64(line.utf8.count))
    let maintainer = IndexMaintainer(paths: [path], cache: nil)
    #expect(maintainer.refresh() && maintainer.bytesToIndex == 0)
    let sums = try maintainer.history.sums(in: .allTime, .all).series.values
    #expect(sums.reduce(0) { $0 + $1.cell.count } == 2)
  }

  @Test("whatever a file's bytes are, reading them ends")
  func garbage() throws {
    let folder = try TemporaryFolder()
    let packed = GzipMaker.member(Self.content(60_000, seed: 7), flushes: 9000)
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<300 {
      var bad = packed
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bad[Int.random(in: 2..<bad.count, using: &generator)] = UInt8(truncatingIfNeeded: generator.next())
      }
      let path = folder.path("bad.gz")
      try Data(bad).write(to: URL(fileURLWithPath: path))
      guard let bytes = try? PackedBytes(path: path), let size = try? bytes.status.size else { continue }
      _ = try? bytes.bytes(0..<size)
      _ = try? bytes.bytes(size / 2..<size)
    }
  }

  @Test("the last line of a packed sibling counts without a newline")
  func halfLine() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(ExportRun.line("3", time: 300), to: "m.jsonl")
    let old = ExportRun.line("1", time: 100) + ExportRun.line("2", time: 200)
    try Data(GzipMaker.member(Array(old.utf8.dropLast()))).write(to: URL(fileURLWithPath: path + ".1.gz"))
    let maintainer = IndexMaintainer(paths: [path], cache: nil)
    _ = maintainer.refresh()
    let sums = try maintainer.history.sums(in: .allTime, .all).series.values
    #expect(sums.reduce(0) { $0 + $1.cell.count } == 3)
  }

  @Test("packed siblings belong to the history, with and without a cache, and no copy of them is made")
  func history() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(ExportRun.line("3", time: 300), to: "m.jsonl")
    let old = ExportRun.line("1", time: 100) + ExportRun.line("2", time: 200)
    try Data(GzipMaker.member(Array(old.utf8))).write(to: URL(fileURLWithPath: path + ".1.gz"))
    for cache in [nil, IndexCache(folder: folder.url.appendingPathComponent("cache"))] {
      let maintainer = IndexMaintainer(paths: [path], cache: cache)
      #expect(maintainer.refresh())
      let sums = try maintainer.history.sums(in: .allTime, .all).series.values
      #expect(sums.reduce(0) { $0 + $1.cell.count } == 3)
      #expect(maintainer.history.files.map(\.name) == [path + ".1.gz", path])
    }
    // One that cannot be unpacked is told of.
    _ = try folder.write("no gzip", to: "m.jsonl.2.gz")
    let maintainer = IndexMaintainer(paths: [path], cache: nil)
    _ = maintainer.refresh()
    let query = HistoryQuery(window: Timestamp(0)..<Timestamp(1000), playhead: Timestamp(500))
    let sentence = "\(path).2.gz is not read: it cannot be unpacked"
    #expect(maintainer.problems == [sentence])
    #expect(try maintainer.answer(query).notes == [sentence])
    let kept = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
    #expect(kept.filter { $0.hasSuffix(".jsonl") } == ["m.jsonl"])
  }

  @Test("what earlier runs left behind is removed: copies at once, what was being written after an hour")
  func leftovers() throws {
    let folder = try TemporaryFolder()
    let cache = IndexCache(folder: folder.url)
    let temporary = ".1-2.index.mistertop-abcdef"
    for name in ["1-2-3.jsonl", "1-2.index", "1-2-3-4.checkpoints", temporary] {
      _ = try folder.write("x", to: name)
    }
    cache.removeLeftovers(now: .now())
    #expect(try Set(Posix.names(in: folder.url.path)) == ["1-2.index", "1-2-3-4.checkpoints", temporary])
    cache.removeLeftovers(now: Timestamp.now() + 3700)
    #expect(try Set(Posix.names(in: folder.url.path)) == ["1-2.index", "1-2-3-4.checkpoints"])
  }

  @Test("what the program has not made stays, whatever its ending, and a folder of others is not touched")
  func foreign() throws {
    let folder = try TemporaryFolder()
    let names = ["metrics.jsonl", "a.db", ".notes.mistertop-abcdef", "x1-2.index"]
    for name in names { _ = try folder.write("x", to: name) }
    let cache = IndexCache(folder: folder.url)
    cache.removeLeftovers(now: Timestamp.now() + 3700)
    #expect(try Posix.names(in: folder.url.path).sorted() == names.sorted())

    guard geteuid() == 0 else { return }
    _ = try folder.write("x", to: "1-2-3.jsonl")
    #expect(chown(folder.url.path, 65534, 65534) == 0)
    cache.removeLeftovers(now: .now())
    #expect(throws: FileFailure.denied) {
      try cache.keep(at: URL(fileURLWithPath: folder.path("1.index"))) { _ in true }
    }
    #expect(try Posix.names(in: folder.url.path).count == names.count + 1)
  }
}
