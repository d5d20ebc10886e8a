import Aggregation
import Foundation
import History
import TestSupport
import Testing

/// What the cube of a series says against what looking at every sample says.
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
    let keeper = try HistoryKeeper.indexed([MemoryBytes(maker.text)])
    expect(try keeper.history.cube(of: push), truth(maker.samples))
  }

  @Test func `a file that grows is read on, not anew, and a torn line waits`() throws {
    var maker = HistoryMaker(seed: 12)
    maker.fill(.none, count: 2000)
    let bytes = Array(maker.text.utf8)
    let file = MemoryBytes([])
    let keeper = HistoryKeeper.of([file])
    var generator = SeededGenerator(seed: 1)
    var end = 0
    while end < bytes.count {
      end = min(bytes.count, end + Int.random(in: 1...20_000, using: &generator))
      file.change { $0 = Array(bytes[..<end]) }
      _ = keeper.refresh()
      if Bool.random(using: &generator) { try keeper.index { _, _ in true } }
      _ = try keeper.history.cube(of: push)
    }
    expect(try keeper.history.cube(of: push), truth(maker.samples))
    try keeper.index { _, _ in true }
    _ = try keeper.history.cube(of: push)
    _ = file.takeRead()
    expect(try keeper.history.cube(of: push), truth(maker.samples))
    #expect(file.takeRead() <= 3 * 16_384)
  }

  @Test func `several files are told apart`() throws {
    var (old, new) = (HistoryMaker(seed: 13), HistoryMaker(seed: 14))
    old.fill(.none, count: 900)
    new.fill(.none, count: 300)
    let keeper = try HistoryKeeper.indexed([MemoryBytes(old.text), MemoryBytes(new.text)])
    let cube = try keeper.history.cube(of: push)
    expect(cube, truth(old.samples) + truth(new.samples))
    let split = cube.split(by: SampleCube.fileDimension).map(\.1.count)
    #expect(split == [truth(old.samples).count, truth(new.samples).count])
  }

  @Test func `a plain number has no labels, a text no numbers`() throws {
    var maker = HistoryMaker(seed: 15)
    maker.fill(.none, count: 500)
    let keeper = try HistoryKeeper.indexed([MemoryBytes(maker.text)])
    let plain = try keeper.history.cube(of: HistoryMaker.identity("n1", "Double"))
    #expect(plain.count == maker.samples.count { $0.identity.name == "n1" } && plain.dimensions.isEmpty)
    #expect(try keeper.history.cube(of: HistoryMaker.identity("word", "String")).count == 0)
  }

  @Test func `a pass that is given up begins where it was left`() throws {
    var maker = HistoryMaker(seed: 16)
    maker.fill(.none, count: 2000)
    let keeper = try HistoryKeeper.indexed([MemoryBytes(maker.text)])
    keeper.history.onProgress = { done, _ in done < 20_000 }
    #expect(throws: IndexPass.Failure.self) { try keeper.history.cube(of: push) }
    keeper.history.onProgress = { _, _ in true }
    expect(try keeper.history.cube(of: push), truth(maker.samples))
  }
}
