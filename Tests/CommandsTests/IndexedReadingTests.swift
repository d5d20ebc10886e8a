import Foundation
import History
import JSONLines
import Platform
import TestSupport
import Testing

@testable import Commands

@Suite("Commands over files that were indexed before")
struct IndexedReadingTests {
  private let folder: TemporaryFolder
  private let path: String
  private let cache: IndexCache

  /// Four blocks of a file whose times mostly grow, and its index.
  init() throws {
    folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 8)
    var text = ""
    // Long lines: blocks are large.
    let type = String(repeating: "T", count: 2000)
    for number in 0..<2400 {
      let time = Double(number) + (number % 250 == 0 ? Double.random(in: -200...0, using: &generator) : 0)
      let base64 = Data("\(number % 997)".utf8).base64EncodedString()
      text +=
        "{\"metric\":{\"bucket\":\"b\",\"name\":\"n\(number % 2)\",\"valueTypeString\":\"\(type)\"},\"timestamp\":\(time),\"value\":\"\(base64)\"}\n"
      if number % 100 == 0 { text += "junk\n" }
    }
    path = try folder.write(text, to: "a.jsonl")
    cache = IndexCache(folder: folder.url.appendingPathComponent("cache"))
    let maintainer = IndexMaintainer(paths: [path], cache: cache, looseLimit: 0)
    _ = maintainer.refresh()
    try maintainer.index { _, _ in true }
  }

  private func stats(_ since: Double, _ until: Double, indexed: Bool) async -> String {
    var request = StatsCommand.Request(paths: [path])
    (request.selection.since, request.selection.until, request.format) = (
      Timestamp(since), Timestamp(until), .json
    )
    request.indexFolder = indexed ? cache.folder.path : nil
    let out = Recorder<String>()
    _ = await StatsCommand(request).run(console: Console(write: { out.append($0) }, writeError: { _ in }))
    return out.all.joined()
  }

  private func export(_ since: Double, _ until: Double, indexed: Bool) -> (text: String, err: [String]) {
    var request = ExportCommand.Request(paths: [path])
    (request.selection.since, request.selection.until, request.format) = (
      Timestamp(since), Timestamp(until), .jsonl
    )
    request.indexFolder = indexed ? cache.folder.path : nil
    let (out, err) = (Recorder<String>(), Recorder<String>())
    _ = ExportCommand(
      request, console: Console(write: { out.append($0) }, writeError: { err.append($0) })
    ).run()
    return (out.all.joined(), err.all)
  }

  @Test func `A window gives the same with an index as without, and needs a part of the file`() async throws {
    let file = try OpenFile(path: path)
    let size = try file.status.size
    #expect(size > 2 << 20)
    let ranges = try IndexedRanges.ranges(of: file, in: Range(seconds: 500..<600), cache: cache)
    #expect(ranges.reduce(0) { $0 + $1.count } < size * 2 / 3)
    let windows: [(Double, Double)] = [
      (500, 600), (-.infinity, 10), (2399, .infinity),
    ]
    for (since, until) in windows {
      #expect(await stats(since, until, indexed: true) == stats(since, until, indexed: false))
      #expect(export(since, until, indexed: true).text == export(since, until, indexed: false).text)
    }
    #expect(!export(500, 600, indexed: true).text.isEmpty)
    // Numbers of lines are not known where some were passed over.
    #expect(export(500, 600, indexed: true).err.allSatisfy { $0.contains(", first at byte ") })
  }

  @Test func `Where a block is not what was indexed, all of the file is read`() throws {
    let time = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
    let handle = try #require(FileHandle(forUpdatingAtPath: path))
    try handle.seek(toOffset: 2_000_000)
    try handle.write(contentsOf: Data("x".utf8))
    try handle.close()
    try FileManager.default.setAttributes([.modificationDate: try #require(time)], ofItemAtPath: path)
    let file = try OpenFile(path: path)
    let all = [0..<(try file.status.size)]
    #expect(try IndexedRanges.ranges(of: file, in: .distantPast..<Timestamp(1400), cache: cache) == all)
    #expect(try IndexedRanges.ranges(of: file, in: Range(seconds: 0..<100), cache: nil) == all)
  }

  @Test func `A file that was edited in the middle and has grown is read as it is now`() async throws {
    var text = try String(contentsOfFile: path, encoding: .utf8)
    // As long as before, and in a block whose times lie before the window.
    let line = try #require(text.range(of: "\"timestamp\":1201.0"))
    text.replaceSubrange(line, with: "\"timestamp\":2399.0")
    let last = try #require(text.split(separator: "\n").last)
    let handle = try #require(FileHandle(forUpdatingAtPath: path))
    try handle.write(contentsOf: Data((text + last + "\n").utf8))
    try handle.close()
    let exported = export(2399, .infinity, indexed: true).text
    #expect(exported.split(separator: "\n").count == 3)
    #expect(exported == export(2399, .infinity, indexed: false).text)
    #expect(await stats(2399, .infinity, indexed: true) == stats(2399, .infinity, indexed: false))
  }

  @Test func `Of a file that has only grown a window still needs a part`() throws {
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("junk\n".utf8))
    try handle.close()
    let file = try OpenFile(path: path)
    let ranges = try IndexedRanges.ranges(of: file, in: Range(seconds: 500..<600), cache: cache)
    #expect(ranges.reduce(0) { $0 + $1.count } < (try file.status.size) * 2 / 3)
  }
}
