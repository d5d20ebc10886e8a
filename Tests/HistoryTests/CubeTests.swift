import Aggregation
import Foundation
import History
import Platform
import TestSupport
import Testing

/// The cube of a series against a look at every sample.
@Suite struct CubeTests {
  private let push = HistoryMaker.identity("push", "Push", field: "ms")

  /// The numbers of the fixture's structs with their outcome.
  private func truth(_ samples: [PlainSample]) -> [(outcome: String, value: Double)] {
    let outcomes = samples.filter { $0.identity.field == "outcome" }
    let numbers = samples.filter { $0.identity == push }
    return zip(outcomes, numbers).compactMap { outcome, number in
      guard case .text(let text) = outcome.value, case .number(let value) = number.value else { return nil }
      return (text, value)
    }
  }

  private func expect(_ cube: SampleCube, _ truth: [(outcome: String, value: Double)]) {
    for outcome in ["ok", "fail"] {
      let values = truth.filter { $0.outcome == outcome }.map(\.value).sorted()
      let found = cube.selection(.init(labels: ["outcome": .value(outcome)]))
      #expect(found.count == values.count && found.moments.maximum == values.last ?? -.infinity)
      guard let middle = found.quantiles([50]).first else { continue }
      let exact = values[(values.count + 1) / 2 - 1]
      #expect(middle.lower <= exact && exact <= middle.upper)
    }
    #expect(cube.count == truth.count && cube.slots().reduce(0) { $0 + $1.1.count } == truth.count)
  }

  @Test(arguments: HistoryMaker.Disorder.allCases)
  func `the cube of a field has every sample with its labels`(_ disorder: HistoryMaker.Disorder) throws {
    var maker = HistoryMaker(seed: 11)
    maker.fill(disorder, count: 3000)
    let maintainer = try IndexMaintainer.indexed([MemoryBytes(maker.text)])
    expect(try maintainer.history.cube(of: push), truth(maker.samples))
  }

  @Test func `a file that grows is read on, not anew, and a torn line waits`() throws {
    var maker = HistoryMaker(seed: 12)
    maker.fill(.none, count: 2000)
    let bytes = Array(maker.text.utf8)
    let file = MemoryBytes([])
    let maintainer = IndexMaintainer.of([file])
    var generator = SeededGenerator(seed: 1)
    var end = 0
    while end < bytes.count {
      end = min(bytes.count, end + Int.random(in: 1...20_000, using: &generator))
      file.change { $0 = Array(bytes[..<end]) }
      _ = maintainer.refresh()
      if Bool.random(using: &generator) { try maintainer.index { _, _ in true } }
      _ = try maintainer.history.cube(of: push)
    }
    expect(try maintainer.history.cube(of: push), truth(maker.samples))
    try maintainer.index { _, _ in true }
    _ = try maintainer.history.cube(of: push)
    _ = file.takeRead()
    expect(try maintainer.history.cube(of: push), truth(maker.samples))
    #expect(file.takeRead() <= 3 * 16_384)
  }

  @Test func `several files are told apart`() throws {
    var (old, new) = (HistoryMaker(seed: 13), HistoryMaker(seed: 14))
    old.fill(.none, count: 900)
    new.fill(.none, count: 300)
    let maintainer = try IndexMaintainer.indexed([MemoryBytes(old.text), MemoryBytes(new.text)])
    let cube = try maintainer.history.cube(of: push)
    expect(cube, truth(old.samples) + truth(new.samples))
    let split = cube.split(by: SampleCube.fileDimension).map(\.1.count)
    #expect(split == [truth(old.samples).count, truth(new.samples).count])
  }

  @Test func `a plain number has no labels, a text no numbers`() throws {
    var maker = HistoryMaker(seed: 15)
    maker.fill(.none, count: 500)
    let maintainer = try IndexMaintainer.indexed([MemoryBytes(maker.text)])
    let plain = try maintainer.history.cube(of: HistoryMaker.identity("n1", "Double"))
    #expect(plain.count == maker.samples.count { $0.identity.name == "n1" } && plain.dimensions.isEmpty)
    #expect(try maintainer.history.cube(of: HistoryMaker.identity("word", "String")).count == 0)
    let words = maker.samples.filter { $0.identity.name == "word" }
    let shares = try maintainer.history.cube(of: HistoryMaker.identity("word", "String"), isOfTexts: true)
    #expect(shares.count == words.count && shares.dimensions.map(\.name) == [SampleCube.valueDimension])
  }

  @Test func `a pass that is given up begins where it was left`() throws {
    var maker = HistoryMaker(seed: 16)
    maker.fill(.none, count: 2000)
    let maintainer = try IndexMaintainer.indexed([MemoryBytes(maker.text)])
    maintainer.history.onGathering = { done, _ in done < 20_000 }
    #expect(throws: IndexPass.Failure.self) { try maintainer.history.cube(of: push) }
    maintainer.history.onGathering = { _, _ in true }
    expect(try maintainer.history.cube(of: push), truth(maker.samples))
  }

  @Test(arguments: HistoryMaker.Disorder.allCases)
  func `a window has its samples alone, in shorter slots`(_ disorder: HistoryMaker.Disorder) throws {
    var maker = HistoryMaker(seed: 17)
    maker.fill(disorder, count: 4000)
    let history = try IndexMaintainer.indexed([MemoryBytes(maker.text)]).history
    let times = maker.samples.filter { $0.identity == push }.map(\.time).sorted()
    let window = times[times.count / 3]..<max(times[times.count / 2], times[times.count / 3].nextUp)
    let (whole, part) = (try history.cube(of: push), try history.cube(of: push, in: window))
    let inside = maker.samples.filter { window.contains($0.time) }
    expect(part, truth(inside))
    expect(whole, truth(maker.samples))
    #expect(part.step <= whole.step)
  }

  @Test func `the numbers of a window are read from its blocks, and kept beside the whole`() throws {
    var maker = HistoryMaker(seed: 18)
    maker.fill(.none, count: 4000)
    let file = MemoryBytes(maker.text)
    let maintainer = try IndexMaintainer.indexed([file])
    let times = maker.samples.map(\.time)
    let window = times[1000]..<times[1100]
    var query = HistoryQuery(
      window: Timestamp(0)..<Timestamp(1), playhead: Timestamp(0), histogram: HistogramQuery(series: push))
    let whole = try maintainer.answer(query).cube
    _ = file.takeRead()
    query.histogram?.window = window
    let part = try maintainer.answer(query).cube
    #expect(file.takeRead() < maker.text.utf8.count / 4)
    #expect(part?.count == maker.samples.count { $0.identity == push && window.contains($0.time) })
    #expect(try maintainer.answer(query).cube?.count == part?.count)
    query.histogram?.window = nil
    #expect(try maintainer.answer(query).cube?.count == whole?.count && file.takeRead() == 0)
  }

  @Test func `any number of cores comes to the same, to the last digit`() throws {
    var maker = HistoryMaker(seed: 19)
    maker.fill(.shuffled, count: 6000)
    func figures(workers: Int) throws -> [Double] {
      let file = HistoryFile(name: "a", path: "a", bytes: MemoryBytes(maker.text), blockSize: 4096)
      let cube = try HistoryStore(files: [file], workers: workers).cube(of: push)
      expect(cube, truth(maker.samples))
      return (cube.slots().map(\.1) + cube.split(by: "outcome").map(\.1)).flatMap {
        [$0.moments.mean ?? 0, $0.moments.standardDeviation ?? 0] + $0.bins.map(\.lower)
      }
    }
    let one = try figures(workers: 1)
    for workers in [2, 3, 8] { #expect(try figures(workers: workers) == one) }
  }
}
