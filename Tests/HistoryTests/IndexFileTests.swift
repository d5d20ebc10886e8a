import Aggregation
import Codecs
import Foundation
import History
import JSONLines
import MisterMetricsCore
import Platform
import TestSupport
import Testing

/// A kept index, whole and damaged.
@Suite struct IndexFileTests {
  private let folder: TemporaryFolder
  private let file: MemoryBytes
  private let cache: IndexCache
  private let total: Int

  init() throws {
    folder = try TemporaryFolder()
    var maker = HistoryMaker(seed: 11)
    // Few series and many samples, so that the index is small beside its file.
    for number in 0..<9000 { maker.add(number: Double(number % 50), at: 800_000_000 + Double(number / 8)) }
    file = MemoryBytes(maker.text)
    cache = IndexCache(folder: folder.url.appendingPathComponent("index"))
    total = maker.samples.count
    _ = try IndexMaintainer.indexed([file], blockSize: 1 << 17, cache: cache)
  }

  private func kept() throws -> [UInt8] {
    let names = try FileManager.default.contentsOfDirectory(atPath: cache.folder.path)
    try #require(names.count == 1)
    return Array(try Data(contentsOf: cache.folder.appendingPathComponent(names[0])))
  }

  private func opened() -> IndexMaintainer {
    let maintainer = IndexMaintainer.of([file], blockSize: 1 << 17, cache: cache)
    _ = maintainer.refresh()
    return maintainer
  }

  private static let identity = HistoryMaker.identity("n", "Double")

  @Test func `an index that is kept is taken instead of reading the file again`() throws {
    _ = file.takeRead()
    let maintainer = opened()
    #expect(maintainer.bytesToIndex == 0)
    let sum = try maintainer.history.sums(in: .allTime, .one(Self.identity))[
      Self.identity]
    #expect(sum.cell.count == total)
    // The two marks, and the part behind the last whole block.
    #expect(file.takeRead() < 3 << 17)
  }

  @Test func `it may be read by its owner alone and is small`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: cache.folder.path)
    let path = cache.folder.appendingPathComponent(names[0]).path
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try kept().count * 50 <= file.status.size)
  }

  @Test func `an index with a flipped bit anywhere gives no wrong figure`() throws {
    let sound = try kept()
    for place in sound.indices {
      var bytes = sound
      bytes[place] ^= 1 << (place % 8)
      try check(bytes, "byte \(place)")
    }
  }

  @Test func `an index that was cut anywhere gives no wrong figure`() throws {
    let sound = try kept()
    for length in sound.indices { try check(Array(sound[..<length]), "length \(length)") }
  }

  /// It is refused, or a row of it is, or all it says is right.
  private func check(_ bytes: [UInt8], _ what: String) throws {
    do {
      let index = try IndexCache.load(MemoryBytes(bytes), for: file, blockSize: 1 << 17)
      let opened = HistoryFile(name: "f", path: "f", bytes: file, blockSize: 1 << 17, countsHalfLine: true)
      opened.adopt(index)
      for window in [Range.allTime, Range(seconds: 800_000_100.5..<800_000_900.25)] {
        let cell = try opened.sums(in: window, .one(Self.identity))[Self.identity].cell
        #expect(cell.count == (window == .allTime ? total : 6398), "\(what)")
        #expect(cell.minimum == 0 && cell.maximum == 49, "\(what)")
      }
    } catch is IndexFault {
      return
    }
  }

  @Test func `a damaged index is made anew, with a word about it`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: cache.folder.path)
    let url = cache.folder.appendingPathComponent(names[0])
    var bytes = try kept()
    bytes[30] ^= 4
    try Data(bytes).write(to: url)
    let maintainer = opened()
    #expect(maintainer.bytesToIndex > 0)
    #expect(maintainer.history.files[0].notes.contains { $0.contains("damaged") })
    try maintainer.index { _, _ in true }
    #expect(maintainer.bytesToIndex == 0)
    #expect(try kept().count == bytes.count)
  }

  @Test func `an index of an older version is made anew`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: cache.folder.path)
    var bytes = try kept()
    // The head, whose length and hash stand behind the magic word, begins with the version.
    #expect(bytes[24] == 7)
    bytes[24] = 6
    let hash = ContentHash.of(Array(bytes[24..<24 + Int(bytes[8]) + Int(bytes[9]) << 8]))
    for place in 0..<8 { bytes[16 + place] = UInt8(truncatingIfNeeded: hash >> UInt64(8 * place)) }
    try Data(bytes).write(to: cache.folder.appendingPathComponent(names[0]))
    #expect(throws: IndexFault.otherVersion) {
      try IndexCache.load(MemoryBytes(bytes), for: file, blockSize: 1 << 17)
    }
    #expect(opened().bytesToIndex > 0)
  }

  @Test func `a question that meets a damaged slot is answered from an index that was made anew`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: cache.folder.path)
    var bytes = try kept()
    bytes[bytes.count - 40] ^= 1
    bytes[bytes.count / 2] ^= 1
    try Data(bytes).write(to: cache.folder.appendingPathComponent(names[0]))
    let query = HistoryQuery(
      window: Range(seconds: 800_000_000..<800_002_000), focus: Self.identity, columns: 60,
      playhead: Timestamp(800_000_500),
      page: HistoryPageQuery(before: 2, after: 2))
    #expect(try opened().answer(query).summary.count == total)
    #expect(try opened().history.answer(query).summary.count == total)
  }

  @Test func `a file that was changed is read anew, one that grew is read from there on`() throws {
    file.change { $0[5000] ^= 1 }
    #expect(opened().bytesToIndex > 0)
    file.change { $0[5000] ^= 1 }
    file.change { $0 += $0 }
    let maintainer = opened()
    let read = maintainer.bytesToIndex
    #expect(read > 0 && read < UInt64(file.content.withLock { $0.bytes.count }) * 6 / 10)
    try maintainer.index { _, _ in true }
    let sum = try maintainer.history.sums(in: .allTime, .one(Self.identity))[
      Self.identity]
    #expect(sum.cell.count == 2 * total)
  }

  /// The text of the file, with the samples of one second moved to the end of it.
  private func change(growing: Bool, editing: Bool) {
    file.change { bytes in
      var text = String(decoding: bytes, as: UTF8.self)
      if editing { text = text.replacingOccurrences(of: ":800000700.0", with: ":800001124.0") }
      bytes = Array(text.utf8) + (growing ? bytes.suffix(400) : [])
    }
  }

  @Test func `who asks once is answered of a file as it is, edited and longer than its index`() throws {
    change(growing: true, editing: true)
    let maintainer = opened()
    // The marks at both ends of what is indexed are as they were.
    #expect(maintainer.history.files.map { $0.indexedEnd > 0 } == [true])
    maintainer.discardEdited()
    try maintainer.index { _, _ in true }
    let (old, new) = (Range(seconds: 800_000_700..<800_000_701), Range(seconds: 800_001_124..<800_001_125))
    #expect(try maintainer.history.sums(in: old, .all).series.isEmpty)
    #expect(try maintainer.history.sums(in: new, .one(Self.identity))[Self.identity].cell.count > 16)
  }

  @Test func `an index of a file that has only grown is kept by who asks once`() throws {
    let end = opened().history.files.map(\.indexedEnd)
    change(growing: true, editing: false)
    let maintainer = opened()
    maintainer.discardEdited()
    #expect(maintainer.history.files.map(\.indexedEnd) == end && end != [0])
  }

  @Test func `a block that was changed in place is noticed when it is read`() throws {
    let maintainer = opened()
    file.content.withLock { $0.bytes[300_000] ^= 1 }
    _ = try maintainer.history.sums(in: Range(seconds: 800_000_000.5..<800_001_000.25), .one(Self.identity))
    for number in 0..<8 {
      _ = try maintainer.history.answer(
        HistoryQuery(
          window: Range(seconds: 800_000_000..<800_002_000), focus: Self.identity, playhead: Timestamp(0),
          page: HistoryPageQuery(anchor: .row(number * 1100), before: 2, after: 2)))
    }
    #expect(maintainer.bytesToIndex > 0)
  }
}
