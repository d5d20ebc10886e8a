import TestSupport
import Testing

@testable import Aggregation

@Suite("Samples by their labels and by time")
struct SampleCubeTests {
  private struct Sample {
    let value: Double
    let time: Double
    let labels: [String: String]
  }

  /// Requests of two versions with an outcome that not all have, over an hour.
  private func samples(_ count: Int, seed: UInt64 = 1) -> [Sample] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      var labels = ["version": ["2.4", "2.5", "2.6"][Int(random.next() % 3)]]
      let outcome = Int(random.next() % 4)
      if outcome > 0 { labels["outcome"] = ["ok", "retry", "failed"][outcome - 1] }
      let value = (Double(random.next() >> 11) * 0x1p-53 * 1000).rounded() / 8 - 20
      return Sample(value: value, time: Double(random.next() % 3_600_000) / 1000, labels: labels)
    }
  }

  private func cube(of samples: [Sample], step: Double = 10) -> SampleCube {
    var cube = SampleCube(step: step)
    for sample in samples {
      cube.record(
        sample.value, at: sample.time,
        labels: sample.labels.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) })
    }
    return cube
  }

  /// Figures of a selection are those of the samples themselves, percentiles by nearest rank within their bin.
  private func expect(_ selection: SampleCube.Selection, _ values: [Double], width: Double) {
    let sorted = values.sorted()
    #expect(selection.count == values.count)
    #expect(selection.bins.reduce(0) { $0 + $1.count } == values.count)
    #expect(zip(selection.bins, selection.bins.dropFirst()).allSatisfy { $0.upper <= $1.lower })
    guard !values.isEmpty else { return }
    let mean = values.reduce(0, +) / Double(values.count)
    let square = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
    #expect(abs((selection.moments.mean ?? .nan) - mean) < 1e-9)
    #expect(abs((selection.moments.standardDeviation ?? .nan) - square.squareRoot()) < 1e-9)
    #expect(selection.moments.minimum == sorted.first && selection.moments.maximum == sorted.last)
    let percentiles: [Double] = [0, 1, 25, 50, 75, 95, 99, 100]
    for (percentile, found) in zip(percentiles, selection.quantiles(percentiles)) {
      let exact = sorted[Quantile.rank(ofPercentile: percentile, count: sorted.count) - 1]
      #expect(found.lower <= exact && exact <= found.upper, "p\(percentile)")
      #expect(found.upper - found.lower <= width * max(found.lower.magnitude, found.upper.magnitude))
    }
  }

  @Test("every choice of labels has the figures of its samples, as exact as a bin is narrow")
  func labels() {
    let samples = samples(6000)
    let cube = cube(of: samples)
    #expect(cube.count == samples.count && cube.passedOver == 0 && cube.fieldsGivenUp.isEmpty)
    #expect(cube.dimensions.map(\.name).sorted() == ["outcome", "version"])
    let choices: [[String: SampleCube.LabelValue]] = [
      [:], ["version": "2.5"], ["outcome": "retry"], ["outcome": .missing],
      ["version": "2.6", "outcome": "failed"], ["version": "2.4", "outcome": .missing],
      ["version": "9"], ["country": "fi"], ["country": .missing],
    ]
    for labels in choices {
      let matching = samples.filter { sample in
        labels.allSatisfy { (sample.labels[$0.key].map { .value($0) } ?? .missing) == $0.value }
      }
      expect(cube.selection(.init(labels: labels)), matching.map(\.value), width: 1.0 / 4096)
    }
  }

  @Test("a choice of time takes the slots that lie in it, so that two that meet share no sample")
  func windows() throws {
    let samples = samples(6000, seed: 2)
    let cube = cube(of: samples)
    for window in [600.0..<1200, 605..<1195, 0..<3600, -100..<15, 3590..<1e9] {
      let covered = try #require(cube.covered(by: window))
      #expect(covered.lowerBound >= window.lowerBound && covered.upperBound <= max(window.upperBound, 3600))
      for labels: [String: SampleCube.LabelValue] in [[:], ["version": "2.5"]] {
        let matching = samples.filter { sample in
          covered.contains(sample.time)
            && labels.allSatisfy { (sample.labels[$0.key].map { .value($0) } ?? .missing) == $0.value }
        }
        expect(cube.selection(.init(labels: labels, window: window)), matching.map(\.value), width: 0.25)
      }
    }
    #expect(cube.covered(by: 4000..<5000) == nil && cube.covered(by: 1..<9) == nil)
    #expect(cube.selection(.init(window: 4000..<5000)).count == 0)
    let slots = cube.slots(.init(labels: ["version": "2.5"]))
    #expect(slots.reduce(0) { $0 + $1.1.count } == samples.count { $0.labels["version"] == "2.5" })
    #expect(zip(slots, slots.dropFirst()).allSatisfy { $0.start < $1.start })
  }

  @Test("a split has every value once, and together they are the whole")
  func split() {
    let samples = samples(2000, seed: 3)
    let cube = cube(of: samples)
    let rows = cube.split(by: "outcome", .init(labels: ["version": "2.4"]))
    #expect(Set(rows.map(\.value)) == ["ok", "retry", "failed", .missing] && rows.count == 4)
    #expect(rows.reduce(0) { $0 + $1.1.count } == samples.count { $0.labels["version"] == "2.4" })
    #expect(cube.split(by: "version", .init(labels: ["version": "2.4"])).map(\.value) == ["2.4"])
    #expect(cube.split(by: "country").isEmpty)
  }

  @Test("a field that names samples is no dimension; nothing of its samples is lost")
  func identifiers() {
    var cube = SampleCube(step: 1)
    for number in 0..<2000 {
      cube.record(
        Double(number), at: Double(number),
        labels: [.init("request", "r\(number)"), .init("version", number < 500 ? "1" : "2")])
    }
    #expect(cube.fieldsGivenUp == ["request"] && cube.dimensions.map(\.name) == ["version"])
    expect(cube.selection(), (0..<2000).map(Double.init), width: 1.0 / 4096)
    expect(cube.selection(.init(labels: ["version": "1"])), (0..<500).map(Double.init), width: 1.0 / 4096)
  }

  @Test("too many combinations give up the dimension with the most values; too many fields are left out")
  func limits() {
    var cube = SampleCube(step: 1)
    for number in 0..<4000 {
      let fields = (0..<12).map { SampleCube.Label("f\($0)", "\(number / 3 % 5)") }
      cube.record(
        Double(number), at: 0,
        labels: [.init("a", "\(number % 40)"), .init("b", "\(number / 40 % 30)")] + fields)
    }
    #expect(cube.classes.count <= SampleCube.classLimit && cube.count == 4000)
    #expect(!cube.dimensions.map(\.name).contains("a") && cube.fieldsGivenUp.contains("a"))
    #expect(cube.dimensions.count <= CubeDimensions.limit)
  }

  @Test("a long time makes longer slots, and the same samples")
  func longTime() {
    var cube = SampleCube(step: 0.5)
    for number in 0..<5000 { cube.record(Double(number % 7), at: Double(number) * 60) }
    #expect(cube.step >= 300_000 / 512.0)
    #expect(cube.slots().count <= SampleCube.slotLimit)
    #expect(cube.slots().reduce(0) { $0 + $1.1.count } == 5000)
    expect(cube.selection(), (0..<5000).map { Double($0 % 7) }, width: 1.0 / 4096)
  }

  @Test("whatever the numbers are, nothing traps and each that is finite is counted")
  func hostile() {
    let values: [Double] = [
      0, -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude, 1e308,
      -.greatestFiniteMagnitude, .greatestFiniteMagnitude, 1, -1, 4095, 4096, .nan, .infinity, -.infinity,
    ]
    let times: [Double] = [0, -1e300, 1e300, .infinity, -.infinity, .nan, 5]
    for step in [1, 0, -5, .nan, .infinity, 1e-9] {
      var cube = SampleCube(step: step)
      for value in values { for time in times { cube.record(value, at: time, labels: [.init("", "")]) } }
      #expect(cube.count == 12 * times.count && cube.passedOver == 3 * times.count)
      let all = cube.selection()
      #expect(all.bins.allSatisfy { $0.lower.isFinite && $0.upper.isFinite && $0.lower <= $0.upper })
      #expect(all.quantiles([0, 50, 100]).map(\.value).first == -.greatestFiniteMagnitude)
      #expect(cube.slots().reduce(0) { $0 + $1.1.count } == all.count)
    }
  }

  @Test("whole numbers from -4,096 to 4,096 begin a bin each, so that groups of them are counted exactly")
  func wholeNumbers() {
    var histogram = FineHistogram()
    for number in -4096...4096 { for _ in 0...(abs(number) % 3) { histogram.record(Double(number)) } }
    let bins = histogram.intervals
    #expect(bins.map(\.lower) == (-4096...4096).map(Double.init))
    #expect(bins.map(\.count) == (-4096...4096).map { abs($0) % 3 + 1 })
    var cube = SampleCube(step: 1)
    for number in [-80, -70, -70, -64, -1, 0, 1] as [Double] { cube.record(number, at: 0) }
    #expect(cube.selection(.init(window: 0..<1)).bins.map(\.lower) == [-80, -70, -64, -1, 0, 1])
  }
}
