import Foundation
import History
import MisterMetricsCore
import Platform
import TestSupport
import Testing

/// Files that change while their index is made, and after.
@Suite struct ChangingFileTests {
  private static func lines(_ count: Int, seed: UInt64) -> (text: String, samples: Int) {
    var maker = HistoryMaker(seed: seed)
    maker.fill(.none, count: count)
    return (maker.text, maker.samples.count)
  }

  private static func count(_ maintainer: IndexMaintainer) throws -> Int {
    try maintainer.history.sums(in: .allTime, .all).series.values.reduce(0) { $0 + $1.cell.count }
  }

  /// Runs a pass during which something happens once, after some blocks.
  private static func index(_ maintainer: IndexMaintainer, meanwhile change: @escaping @Sendable () -> Void)
    throws
  {
    let left = Locked(3)
    try maintainer.index { _, _ in
      let isNow = left.withLock { left in
        left -= 1
        return left == 0
      }
      if isNow { change() }
      return true
    }
  }

  @Test func `a file that grows during the pass is there whole afterwards`() throws {
    let (old, new) = (Self.lines(1500, seed: 1), Self.lines(700, seed: 2))
    let file = MemoryBytes(old.text)
    let maintainer = IndexMaintainer.of([file])
    _ = maintainer.refresh()
    try Self.index(maintainer) { file.change { $0 += Array(new.text.utf8) } }
    #expect(maintainer.refresh())
    #expect(try Self.count(maintainer) == old.samples + new.samples)
    try maintainer.index { _, _ in true }
    #expect(try Self.count(maintainer) == old.samples + new.samples)
  }

  @Test func `a file that is cut during the pass is what is left of it`() throws {
    let (old, new) = (Self.lines(1500, seed: 3), Self.lines(300, seed: 4))
    let file = MemoryBytes(old.text)
    let maintainer = IndexMaintainer.of([file])
    _ = maintainer.refresh()
    try Self.index(maintainer) { file.change { $0 = Array(new.text.utf8) } }
    _ = maintainer.refresh()
    #expect(try Self.count(maintainer) == new.samples)
  }

  @Test func `a file that is rotated during the pass belongs to the history under its new name`() throws {
    let (old, new) = (Self.lines(1500, seed: 5), Self.lines(400, seed: 6))
    let folder = try TemporaryFolder()
    let path = try folder.write(old.text, to: "m.jsonl")
    let cache = IndexCache(folder: folder.url.appendingPathComponent("cache"))
    let maintainer = IndexMaintainer(
      paths: [path], cache: cache, blockSize: 4096, looseLimit: 0, countsHalfLine: true)
    _ = maintainer.refresh()
    try Self.index(maintainer) {
      rename(path, path + ".1")
      _ = FileManager.default.createFile(atPath: path, contents: Data(new.text.utf8))
    }
    #expect(maintainer.refresh())
    #expect(maintainer.history.files.map(\.name) == [path + ".1", path])
    #expect(try Self.count(maintainer) == old.samples + new.samples)
  }

  @Test func `what is appended to a line that was cut by the end counts once`() throws {
    var maker = HistoryMaker(seed: 7)
    for number in 0..<400 { maker.add(number: 1, at: 8e8 + Double(number)) }
    let whole = Array(maker.text.utf8)
    let maintainer: IndexMaintainer
    let file = MemoryBytes(Array(whole[..<100]))
    maintainer = IndexMaintainer(
      paths: ["no-such-folder/0"], cache: nil, blockSize: 4096, looseLimit: 0, open: { _ in file })
    var end = 100
    while end < whole.count {
      _ = maintainer.refresh()
      try maintainer.index { _, _ in true }
      let lines = whole[..<end].count { $0 == 0x0A }
      #expect(try Self.count(maintainer) == lines, "up to byte \(end)")
      end = min(whole.count, end + 1013)
      let next = Array(whole[..<end])
      file.change { $0 = next }
    }
  }

  @Test func `giving up ends the pass`() throws {
    let maintainer = IndexMaintainer.of([MemoryBytes(Self.lines(1500, seed: 8).text)])
    _ = maintainer.refresh()
    #expect(throws: IndexPass.Failure.cancelled) { try maintainer.index { _, _ in false } }
  }

  @Test(arguments: [false, true])
  func `an edit of lines that no index knows is seen at the next look`(hasIndex: Bool) throws {
    let folder = try TemporaryFolder()
    var maker = HistoryMaker(seed: 6)
    for number in 0..<1000 { maker.add(number: 100, at: 800_000_000 + Double(number)) }
    let path = try folder.write(maker.text, to: "metrics.jsonl")
    let maintainer = IndexMaintainer(paths: [path], cache: nil, workers: 1, blockSize: 1 << 12)
    _ = maintainer.refresh()
    if hasIndex { try maintainer.index { _, _ in true } }
    let window = Timestamp(800_000_999)..<Timestamp(800_001_000)
    let before = try maintainer.history.sums(in: window, .all).series.values.map(\.cell.maximum)
    #expect(before == [100] && !maintainer.refresh())
    #expect(maintainer.history.files.map { $0.indexedEnd > 0 && !$0.looseBlocks.isEmpty } == [hasIndex])
    // "100" and "999", packed, in the last line.
    let last = try #require(maker.text.range(of: "MTAw", options: .backwards))
    let edited = maker.text.replacingCharacters(in: last, with: "OTk5")
    let handle = try #require(FileHandle(forUpdatingAtPath: path))
    try handle.write(contentsOf: Data(edited.utf8))
    try handle.close()
    #expect(maintainer.refresh())
    #expect(try maintainer.history.sums(in: window, .all).series.values.map(\.cell.maximum) == [999])
  }

  @Test(arguments: [false, true])
  func `an edit that keeps the length and the time is found while the file is open`(grows: Bool) throws {
    let folder = try TemporaryFolder()
    var maker = HistoryMaker(seed: 5)
    for number in 0..<4000 { maker.add(number: Double(number % 50), at: 800_000_000 + Double(number)) }
    let path = try folder.write(maker.text, to: "metrics.jsonl")
    let maintainer = IndexMaintainer(paths: [path], cache: nil, workers: 1, blockSize: 1 << 15)
    _ = maintainer.refresh()
    try maintainer.index { _, _ in true }
    while maintainer.hasUnchecked { #expect(maintainer.checkSome() == nil) }
    #expect(!maintainer.refresh() && !maintainer.hasUnchecked)

    let before = try #require(Posix.status(at: path))
    let handle = try #require(FileHandle(forUpdatingAtPath: path))
    try handle.seek(toOffset: 100_000)
    try handle.write(contentsOf: Data("#".utf8))
    if grows {
      try handle.seekToEnd()
      try handle.write(contentsOf: Data(maker.text.utf8.prefix(maker.text.utf8.count / 8)))
    }
    try handle.close()
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: Double(before.modified) / 1e9)], ofItemAtPath: path)
    #expect(maintainer.refresh() == grows)
    var found: String?
    while found == nil, maintainer.hasUnchecked { found = maintainer.checkSome() }
    #expect(found?.contains("was changed at byte") == true)
  }

  @Test func `the last line of a rotated file counts without a newline, and once when a late writer goes on`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = try folder.write(ExportRun.line("3", time: 300), to: "m.jsonl")
    let old = ExportRun.line("1", time: 100) + ExportRun.line("2", time: 200)
    let rotated = try folder.write(String(old.dropLast()), to: "m.jsonl.1")
    let maintainer = IndexMaintainer(
      paths: [path], cache: IndexCache(folder: folder.url.appendingPathComponent("cache")))
    _ = maintainer.refresh()
    #expect(try Self.count(maintainer) == 3)
    let late = try #require(FileHandle(forWritingAtPath: rotated))
    try late.seekToEnd()
    try late.write(contentsOf: Data(("\n" + ExportRun.line("2", time: 250)).utf8))
    #expect(maintainer.refresh())
    #expect(try Self.count(maintainer) == 4)
  }
}
