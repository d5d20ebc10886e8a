import Aggregation
import BenchSupport
import Codecs
import Dashboard
import DashboardCore
import Foundation
import HistogramScreen
import History
import JSONLines
import Platform
import TerminalUI
import TestSupport

/// The cost of a histogram of one large file, as JSON for `Tests/Benchmarks/run`: `histogram-bench FILE BYTES LABEL`.
///
/// Writes the file first, structs with a number and what tells them apart; a file that is there already is taken as it is.
@main
struct HistogramBench {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let bytes = Double(arguments[2]), bytes > 0, bytes < 1e15 else {
      FileHandle.standardError.write(Data("usage: histogram-bench FILE BYTES LABEL\n".utf8))
      exit(2)
    }
    if !FileManager.default.fileExists(atPath: arguments[1]) {
      var source = PushSource()
      try source.write(Int(bytes), to: arguments[1])
    }
    var bench = HistogramBench(path: arguments[1], label: arguments[3])
    try bench.makeReady()
    try bench.choose()
    try bench.findSamples()
    try Figure.print(bench.figures)
  }

  private static let focus = SeriesIdentity(bucket: "sync", name: "push", typeName: "Push", field: "ms")

  private let maintainer: IndexMaintainer
  private let label: String
  private var model: Model
  private var figures: [Figure] = []
  private var generator = SeededGenerator(seed: 12)
  /// The times of all samples.
  private var range = Timestamp(0)...Timestamp(1)

  private init(path: String, label: String) {
    maintainer = IndexMaintainer(paths: [path], cache: nil)
    self.label = label
    model = Model(size: Size(width: 120, height: 36), now: Timestamp(0), zone: .utc, feed: FeedSnapshot())
  }

  private mutating func add(
    _ what: String, _ figure: Double, bar: Double?, _ unit: String, _ text: String = ""
  ) {
    figures.append(Figure("histogram, \(label): \(what)", figure, bar: bar, unit, text))
  }

  /// The index, and then all numbers of the metric by what tells them apart.
  private mutating func makeReady() throws {
    let indexed = try milliseconds {
      _ = maintainer.refresh()
      try maintainer.index { _, _ in true }
    }
    range = try maintainer.history.range() ?? range
    var cube = SampleCube(step: 1)
    let begin = Double(residentMemory())
    let ready = try milliseconds { cube = try maintainer.history.cube(of: Self.focus) }
    let size = maintainer.history.files.reduce(0) { $0 + Double($1.size) }
    add("index", indexed / 1000, bar: nil, "s", "\(Int(size / indexed / 1000)) MB/s")
    add("numbers ready after the index", ready / 1000, bar: 8 * size / 1e9, "s", "\(cube.count) samples")
    add("numbers, memory", Double(cube.footprint) / 1_048_576, bar: 24, "MiB")
    add("memory while they are gathered", residentMemory() - begin, bar: nil, "MiB")
    let again = try milliseconds { _ = try maintainer.history.cube(of: Self.focus) }
    add("the same question again", again, bar: 50, "ms")
  }

  // MARK: Choices

  /// Any choice of sides, groups and rows, from the key to the frame.
  private mutating func choose() throws {
    model = Model(
      size: Size(width: 120, height: 36), now: range.upperBound + 1, zone: .utc,
      feed: FeedSnapshot())
    let tree = HistoryQuery(window: range.lowerBound..<range.upperBound.nextUp, playhead: range.upperBound)
    try answer(tree)
    var look = HistogramOptions()
    look.metric = "sync.push.ms"
    try work(off: model.arrange("histogram", Arrangement(options: look)))
    var times: [Double] = []
    for _ in 0..<200 {
      look = anyLook()
      var effects: [Effect] = []
      times.append(
        milliseconds {
          effects = model.arrange("histogram", Arrangement(options: look))
          _ = view(model)
        })
      try work(off: effects)
    }
    let slowest = times.max() ?? 0
    add("any choice on the screen, median", times.median, bar: nil, "ms")
    add("any choice on the screen, slowest of \(times.count)", slowest, bar: 50, "ms")
  }

  private mutating func answer(_ query: HistoryQuery) throws {
    var news = HistoryNews()
    news.answer = try maintainer.answer(query)
    _ = updateAtOnce(&model, [.history(news)])
  }

  /// Answers whatever the screen asks.
  private mutating func work(off effects: [Effect]) throws {
    for case .ask(let query) in effects { try answer(query) }
  }

  private mutating func anyLook() -> HistogramOptions {
    var look = HistogramOptions()
    look.metric = "sync.push.ms"
    (look.sides.a, look.sides.b) = (anyChoice(), anyChoice())
    look.group = ["version", "outcome", "net", "device"].randomElement(using: &generator)
    look.scale = HistogramGrid.Scale.allCases.randomElement(using: &generator)
    if Bool.random(using: &generator) { look.sides.only = ["device": "iPhone16,1"] }
    look.hasLens = Bool.random(using: &generator)
    return look
  }

  private mutating func anyChoice() -> HistogramChoice {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: return .everything
    case 1, 2:
      let version = ["2.3.0", "2.3.1", "2.3.2", "2.4.0", "2.4.1", "2.5.0"].randomElement(using: &generator)
      return .label(dimension: "version", value: .value(version ?? ""))
    case 3:
      let outcome = ["ok", "retry", "fail"].randomElement(using: &generator)
      return .label(dimension: "outcome", value: .value(outcome ?? ""))
    default:
      let start = anyMoment()
      return .window(start..<max(start.nextUp, anyMoment()))
    }
  }

  private mutating func anyMoment() -> Timestamp {
    Timestamp(Double.random(in: range.seconds, using: &generator))
  }

  // MARK: Samples

  /// The samples of a bin, in a window of any length.
  private mutating func findSamples() throws {
    for (part, name) in [(1.0, "all times"), (0.01, "a hundredth of the time")] {
      let length = (range.upperBound - range.lowerBound) * part
      var query = HistoryQuery(
        window: range.lowerBound..<(range.lowerBound + length).nextUp, focus: Self.focus,
        playhead: range.upperBound, page: HistoryPageQuery(after: 40))
      query.filter = SampleFilter(values: 300..<350, labels: ["version": "2.3.0"])
      var total = 0
      let found = try milliseconds { total = try maintainer.history.answer(query).page.total }
      add("the samples of a bin, \(name)", found, bar: nil, "ms", "\(total) samples")
    }
  }
}
