import Aggregation
import DashboardCore
import Foundation
import History
import Platform
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The thread that answers questions about files.
@Suite struct HistoryFeedTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.write(Self.lines(0..<200), to: "m.jsonl")
  }

  private static func lines(_ numbers: Range<Int>) -> String {
    numbers.map { line("\($0)", at: 800_000_000 + $0) }.joined()
  }

  private static func line(_ value: String, type: String = "Int", at time: Int) -> String {
    let base64 = Data(value.utf8).base64EncodedString()
    return
      #"{"metric":{"bucket":"b","name":"n","valueTypeString":"\#(type)"},"timestamp":\#(time),"value":"\#(base64)"}"#
      + "\n"
  }

  /// Asks and waits for the answer.
  private func answer(_ feed: HistoryFeed, _ query: HistoryQuery) throws -> HistoryAnswer {
    feed.ask(query)
    return try #require(news(of: feed) { $0.answer != nil }?.answer)
  }

  /// The news that were waited for, a generous while at most.
  private func news(of feed: HistoryFeed, until isWanted: (HistoryNews) -> Bool) -> HistoryNews? {
    for _ in 0..<1000 {
      var entry = pollfd(fd: feed.wakeDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&entry, 1, 30_000)
      let news = feed.news()
      if isWanted(news) { return news }
    }
    return nil
  }

  private static let identity = SeriesIdentity(bucket: "b", name: "n", typeName: "Int")
  private static let query = HistoryQuery(
    window: Range(seconds: 800_000_000..<800_001_000), focus: identity, columns: 50,
    playhead: Timestamp(800_000_100),
    page: HistoryPageQuery(before: 3, after: 4), wantsDetail: true, storeSpan: 10)

  @Test func `a question is answered, and again when the file has grown`() throws {
    let feed = HistoryFeed(paths: [path])
    feed.start()
    defer { feed.stop() }
    let result = try answer(feed, Self.query)
    #expect(result.summary.count == 200)
    #expect(result.page.rows.map(\.line) == Array(98...104))
    #expect(result.detail?.rawLine.hasPrefix("{\"metric\"") == true)
    #expect(result.store?.recorded == 11)
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(Self.lines(200..<300).utf8))
    try handle.close()
    #expect(try answer(feed, Self.query).summary.count == 300)
  }

  @Test func `another sensitivity searches the whole file for incidents again`() throws {
    var random = SeededGenerator(seed: 8)
    let text = (0..<7200).map { second in
      let sum = (0..<6).reduce(-3.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
      let rise = second % 600 < 200 && second > 600 ? 1 + Double(second / 600) * 0.07 : 1
      return Self.line("\(80 * rise * exp(0.35 * sum))", type: "Double", at: second)
    }.joined()
    let path = try folder.write(text, to: "noise.jsonl")
    func incidents(of feed: HistoryFeed, _ level: DetectionBudget.Sensitivity) -> FoundIncidents? {
      feed.findIncidents(level)
      return news(of: feed) { $0.incidents?.isWhole == true && $0.incidents?.sensitivity == level }?.incidents
    }
    let feed = HistoryFeed(paths: [path])
    feed.start()
    defer { feed.stop() }
    var counts: [Int] = []
    for level in [DetectionBudget.Sensitivity.normal, .high, .low, .normal] {
      let fresh = HistoryFeed(paths: [path])
      fresh.start()
      defer { fresh.stop() }
      let found = try #require(incidents(of: feed, level))
      #expect(found == incidents(of: fresh, level))
      counts.append(found.groups.count)
    }
    #expect(counts[0] == counts[3] && counts[2] < counts[1], "\(counts)")
  }

  /// Exports and waits for the sentence about it.
  private func sentence(_ feed: HistoryFeed, _ path: String, metrics: [String] = ["b.n"]) -> String? {
    feed.export(
      HistoryExport(
        window: Range(seconds: 800_000_010..<800_000_020), series: metrics, format: .jsonl, path: path))
    return news(of: feed) { $0.sentence != nil }?.sentence
  }

  @Test func `a window is written to a new file, and never over one that is there`() throws {
    let feed = HistoryFeed(paths: [path])
    feed.start()
    defer { feed.stop() }
    let target = folder.path("out.jsonl")
    #expect(sentence(feed, target) == "Wrote 10 samples to \(target)")
    #expect(try String(contentsOfFile: target, encoding: .utf8) == Self.lines(10..<20))
    #expect(sentence(feed, target) == "\(target) already exists; nothing was written")
    let other = folder.path("other.jsonl")
    #expect(sentence(feed, other, metrics: ["b"]) == "Wrote 0 samples to \(other)")
    let nowhere = folder.path("none/out.jsonl")
    #expect(sentence(feed, nowhere) == "\(nowhere) was not written: No such file or directory")
    #expect(try answer(feed, Self.query).summary.count == 200)
  }

  @Test func `an export that is given up leaves nothing behind`() throws {
    let big = try folder.write(Self.lines(0..<20_000), to: "big.jsonl")
    let feed = HistoryFeed(paths: [big])
    feed.start()
    feed.export(
      HistoryExport(
        window: Range(seconds: 0..<1e9), series: [], format: .openmetrics, path: folder.path("out.txt")))
    feed.stop()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    // Given up, or whole where it was faster.
    #expect(names.allSatisfy { !$0.hasPrefix(".") })
  }

  @Test func `the newest question is answered last`() throws {
    let feed = HistoryFeed(paths: [path])
    feed.start()
    defer { feed.stop() }
    for number in 0..<50 {
      var query = Self.query
      query.playhead += Double(number)
      feed.ask(query)
    }
    let last = news(of: feed) { $0.answer?.query.playhead == Timestamp(800_000_149) }
    #expect(last?.answer?.page.rows.map(\.line) == Array(147...153))
  }

  @Test func `a question ends the answer to the one before`() throws {
    let interruptions = Locked(0)
    let feed = HistoryFeed(interrupt: { interruptions.withLock { $0 += 1 } }) { [path] in
      IndexMaintainer(paths: [path], cache: nil)
    }
    feed.start()
    _ = try answer(feed, Self.query)
    _ = try answer(feed, Self.query)
    #expect(interruptions.withLock { $0 } == 2)
    feed.cancel()
    feed.stop()
    #expect(interruptions.withLock { $0 } == 4)
  }

  @Test func `a history without a file is empty`() throws {
    let feed = HistoryFeed(paths: [folder.path("none.jsonl")])
    feed.start()
    defer { feed.stop() }
    let result = try answer(feed, Self.query)
    #expect(result.range == nil && result.series.isEmpty && result.page.total == 0)
  }
}

extension HistoryFeed {
  fileprivate convenience init(paths: [String]) {
    self.init { IndexMaintainer(paths: paths, cache: nil) }
  }
}
