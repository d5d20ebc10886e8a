import Aggregation
import BenchSupport
import Foundation
import History
import JSONLines
import MisterMetricsCore
import Platform
import TestSupport

/// The cost of one file's history, with and without an index from before; prints the figures as JSON:
/// `history-bench FILE CACHE_FOLDER LABEL`.
///
/// The cache folder is to be empty; the index stays there.
@main
struct HistoryBench {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4 else {
      FileHandle.standardError.write(Data("usage: history-bench FILE CACHE_FOLDER LABEL\n".utf8))
      exit(2)
    }
    var bench = HistoryBench(path: arguments[1], folder: arguments[2], label: arguments[3])
    try bench.makeIndex()
    let maintainer = try bench.openAgain()
    try bench.ask(maintainer.history)
    try bench.goToTimes(maintainer.history)
    try bench.scroll(maintainer.history)
    try Figure.print(bench.figures)
  }

  private let path: String
  private let cache: IndexCache
  private let label: String
  private var figures: [Figure] = []
  private var generator = SeededGenerator(seed: 12)

  private init(path: String, folder: String, label: String) {
    self.path = path
    cache = IndexCache(folder: URL(fileURLWithPath: folder))
    self.label = label
  }

  private mutating func add(
    _ what: String, _ figure: Double, bar: Double?, _ unit: String, _ text: String = ""
  ) {
    figures.append(Figure("history, \(label): \(what)", figure, bar: bar, unit, text))
  }

  private mutating func add(_ what: String, milliseconds sorted: [Double], bar: Double) {
    let times = sorted.sorted()
    let p99 = times[Int(Double(times.count) * 0.99)]
    add("\(what), median", times[times.count / 2], bar: nil, "ms")
    add("\(what), p99", p99, bar: bar, "ms", "worst \(Int(times.last ?? 0)) ms of \(times.count)")
  }

  // MARK: The index

  /// The first pass, and where that leaves the memory.
  private mutating func makeIndex() throws {
    let maintainer = IndexMaintainer(paths: [path], cache: cache)
    let spent = try milliseconds {
      _ = maintainer.refresh()
      try maintainer.index { _, _ in true }
    }
    let size = Double(maintainer.history.files.reduce(0) { $0 + $1.size })
    let kept = try FileManager.default.contentsOfDirectory(atPath: cache.folder.path).reduce(0.0) {
      let attributes = try FileManager.default.attributesOfItem(atPath: cache.folder.path + "/" + $1)
      return $0 + (attributes[.size] as? Double ?? 0)
    }
    add("cold index", spent / 1000, bar: nil, "s", "\(Int(size / spent / 1000)) MB/s")
    add("index in the cache", 100 * kept / size, bar: 2, "% of the file")
    add("memory after the first pass, at most", Memory.most, bar: 64 + size / 100 / 1_048_576, "MiB")
  }

  /// Opening with the index there: the first picture of everything, and how many bytes that takes.
  private mutating func openAgain() throws -> IndexMaintainer {
    let file = try CountedFile(path: path)
    let maintainer = IndexMaintainer(paths: [path], cache: cache, open: { _ in file })
    let spent = try milliseconds {
      _ = maintainer.refresh()
      let range = try maintainer.history.range() ?? Timestamp(0)...Timestamp(1)
      _ = try maintainer.history.answer(query(range.lowerBound..<range.upperBound.nextUp))
    }
    add("opening again to the first picture", spent, bar: 50, "ms")
    add("read of the file to open again", Double(file.takeRead()) / 1_048_576, bar: 16, "MiB")
    return maintainer
  }

  // MARK: Questions

  private let focus = SeriesIdentity(bucket: "network", name: "request_ms", typeName: "Double")

  /// From the first sample of the focus to its last; a single sample of today would leave a year empty.
  private func reach(of history: HistoryStore) throws -> ClosedRange<Timestamp>? {
    let summary = try history.summary(of: focus, in: .allTime)
    guard let first = summary.firstTime, let last = summary.lastTime else { return nil }
    return first...last
  }

  private func query(_ window: Range<Timestamp>) -> HistoryQuery {
    HistoryQuery(
      window: window, focus: focus, columns: 160, playhead: window.lowerBound,
      page: HistoryPageQuery(before: 80, after: 80))
  }

  /// Pans, zooms and filters as a person makes them: the window of a screen somewhere, in any length.
  private mutating func ask(_ history: HistoryStore) throws {
    guard let range = try reach(of: history), range.upperBound > range.lowerBound else { return }
    let length = range.upperBound - range.lowerBound
    var (pans, zooms, filters): ([Double], [Double], [Double]) = ([], [], [])
    let series = try history.answer(query(range.lowerBound..<range.upperBound.nextUp)).series.map(\.identity)
    for _ in 0..<1000 {
      let span = length * exp(Double.random(in: log(1e-5)...0, using: &generator))
      let start = range.lowerBound + Double.random(in: 0...length - span, using: &generator)
      var window = start..<start + span
      _ = try history.answer(query(window))
      window = start + span / 8..<start + span * 9 / 8
      pans.append(try milliseconds { _ = try history.answer(query(window)) })
      window = start - span / 2..<start + span * 3 / 2
      zooms.append(try milliseconds { _ = try history.answer(query(window)) })
      var other = query(window)
      other.focus = series.randomElement(using: &generator)
      filters.append(try milliseconds { _ = try history.answer(other) })
    }
    add("a pan", milliseconds: pans, bar: 16)
    add("a zoom", milliseconds: zooms, bar: 16)
    add("another series", milliseconds: filters, bar: 16)
  }

  /// Any time, and a table of 40 rows there; with all that the screen tells of the sample, too.
  private mutating func goToTimes(_ history: HistoryStore) throws {
    guard let range = try reach(of: history) else { return }
    let all = range.lowerBound..<range.upperBound.nextUp
    for (reach, wantsDetail) in [(nil, false), (600, false), (600, true)] as [(Double?, Bool)] {
      var (times, blocks): ([Double], Int) = ([], 0)
      for _ in 0..<300 {
        let playhead = Timestamp(Double.random(in: range.seconds, using: &generator))
        var there = query(reach.map { playhead - $0..<playhead + $0 } ?? all)
        there.page = HistoryPageQuery(before: 20, after: 20)
        (there.playhead, there.wantsDetail) = (playhead, wantsDetail)
        let before = history.files.reduce(0) { $0 + $1.blocksRead }
        times.append(try milliseconds { _ = try history.answer(there) })
        blocks = max(blocks, history.files.reduce(0) { $0 + $1.blocksRead } - before)
      }
      let name =
        "to any time, \(reach == nil ? "all" : "20 minutes") in view\(wantsDetail ? ", with the detail" : "")"
      add(name, milliseconds: times, bar: 100)
      add("\(name), blocks read at most", Double(blocks), bar: wantsDetail ? nil : 2, "")
    }
  }

  /// Through the table of the whole file by single rows, pages and leaps.
  private mutating func scroll(_ history: HistoryStore) throws {
    guard let range = try reach(of: history) else { return }
    for (wantsDetail, name) in [
      (false, "a step of scrolling"), (true, "a step of scrolling, with the detail"),
    ] {
      var question = query(range.lowerBound..<range.upperBound.nextUp)
      question.wantsDetail = wantsDetail
      question.playhead = range.lowerBound + (range.upperBound - range.lowerBound) / 2
      var page = try history.answer(question).page
      var times: [Double] = []
      for step in 0..<10_000 {
        guard let anchor = page.anchor else { return }
        let rows =
          step % 100 < 90 ? 1 : step % 100 < 99 ? 40 : Int.random(in: -4000...4000, using: &generator)
        question.page.anchor = .sample(page.rows[anchor].place, offset: rows)
        question.playhead = page.rows[anchor].time
        times.append(try milliseconds { page = try history.answer(question).page })
      }
      add(name, milliseconds: times, bar: 16)
    }
  }
}

/// A file whose reads are counted.
private final class CountedFile: HistoryBytes {
  private let file: OpenFile
  private let read = Locked(0)

  init(path: String) throws { file = try OpenFile(path: path) }

  var status: FileStatus {
    get throws { try file.status }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
    let count = try file.read(into: buffer, at: offset)
    read.withLock { $0 += count }
    return count
  }

  /// Bytes read since the last time.
  func takeRead() -> Int {
    read.withLock { read in
      defer { read = 0 }
      return read
    }
  }
}

private enum Memory {
  /// The most memory that this process had at a time, in MiB.
  static var most: Double {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      return Double(usage.ru_maxrss) / 1_048_576
    #else
      getrusage(numericCast(RUSAGE_SELF.rawValue), &usage)
      return Double(usage.ru_maxrss) / 1024
    #endif
  }
}
