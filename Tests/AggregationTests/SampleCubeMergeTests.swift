import Foundation
import TestSupport
import Testing

@testable import Aggregation

@Suite("Cubes of parts of the samples")
struct SampleCubeMergeTests {
  private struct Sample {
    let value: Double
    let time: Double
    let labels: [SampleCube.Label]
  }

  private func samples(_ count: Int, seed: UInt64, values: Int = 5) -> [Sample] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { number in
      var labels = [SampleCube.Label("version", "2.\(Int(random.next() % UInt64(values)))")]
      if random.next() % 3 > 0 { labels.append(.init("outcome", random.next() % 2 == 0 ? "ok" : "failed")) }
      // A field that only later samples have.
      if number > count / 2 { labels.insert(.init("net", random.next() % 2 == 0 ? "wifi" : "lte"), at: 0) }
      return Sample(
        value: Double(random.next() % 100_000) / 8, time: Double(random.next() % 3_600_000) / 1000,
        labels: labels)
    }
  }

  private func cube(of samples: some Sequence<Sample>, step: Double = 10) -> SampleCube {
    var cube = SampleCube(step: step)
    for sample in samples { cube.record(sample.value, at: sample.time, labels: sample.labels) }
    return cube
  }

  private func merged(_ samples: [Sample], parts: Int, step: Double = 10) -> SampleCube {
    var whole = SampleCube(step: step)
    let size = samples.count / parts + 1
    for start in stride(from: 0, to: samples.count, by: size) {
      whole.merge(cube(of: samples[start..<min(samples.count, start + size)], step: step))
    }
    return whole
  }

  /// Every figure that does not depend on the order of additions is the same.
  private func expectSame(_ left: SampleCube, _ right: SampleCube) {
    func figures(_ selection: SampleCube.Selection) -> [Double] {
      [Double(selection.count), selection.moments.minimum, selection.moments.maximum]
        + selection.bins.flatMap { [$0.lower, $0.upper, Double($0.count)] }
    }
    #expect(left.step == right.step && left.passedOver == right.passedOver)
    #expect(left.fieldsGivenUp == right.fieldsGivenUp)
    #expect(left.dimensions.map(\.name).sorted() == right.dimensions.map(\.name).sorted())
    #expect(figures(left.selection()) == figures(right.selection()))
    for dimension in left.dimensions {
      let (rows, others) = (left.split(by: dimension.name), right.split(by: dimension.name))
      #expect(Set(rows.map(\.value)) == Set(others.map(\.value)))
      for row in rows {
        guard let other = others.first(where: { $0.value == row.value }) else { continue }
        #expect(figures(row.1) == figures(other.1))
        let difference = (row.1.moments.mean ?? 0) - (other.1.moments.mean ?? 0)
        #expect(abs(difference) <= 1e-9 * (row.1.moments.mean ?? 0).magnitude)
      }
    }
    let (slots, others) = (left.slots(), right.slots())
    #expect(slots.map(\.start) == others.map(\.start) && slots.map(\.1.count) == others.map(\.1.count))
  }

  @Test("together they have every sample with its labels and its time", arguments: [1, 2, 7, 40])
  func parts(_ parts: Int) {
    let samples = samples(4000, seed: 5)
    expectSame(merged(samples, parts: parts), cube(of: samples))
  }

  @Test("slots of different lengths become the longer ones", arguments: [0.01, 0.3])
  func steps(_ step: Double) {
    let samples = samples(3000, seed: 6)
    let (few, many) = (samples[..<50], samples[50...])
    let whole = cube(of: samples, step: step)
    for (first, second) in [(few, many), (many, few)] {
      var merged = cube(of: first, step: step)
      merged.merge(cube(of: second, step: step))
      expectSame(merged, whole)
    }
  }

  @Test("a field with too many values in all parts together is given up")
  func tooManyValues() {
    let samples = (0..<200).map { number in
      Sample(
        value: Double(number), time: 0, labels: [.init("id", "\(number)"), .init("v", "\(number % 2)")])
    }
    expectSame(merged(samples, parts: 5), cube(of: samples))
    #expect(merged(samples, parts: 5).fieldsGivenUp == ["id"])
  }

  @Test("what was given up in one part is given up in all", arguments: [true, false])
  func givenUp(_ isFirst: Bool) {
    let ids = (0..<60).map { Sample(value: Double($0), time: 0, labels: [.init("id", "\($0)")]) }
    let plain = (0..<9).map { Sample(value: Double($0), time: 0, labels: [.init("id", "\($0)")]) }
    var merged = cube(of: isFirst ? ids : plain)
    merged.merge(cube(of: isFirst ? plain : ids))
    #expect(merged.fieldsGivenUp == ["id"] && merged.dimensions.isEmpty && merged.count == 69)
    merged.record(1, at: 0, labels: [.init("id", "1")])
    #expect(merged.dimensions.isEmpty && merged.count == 70)
  }

  @Test("all limits hold after a merge")
  func limits() {
    func part(_ seed: UInt64) -> SampleCube {
      var random = SeededGenerator(seed: seed)
      var cube = SampleCube(step: 0.001)
      for _ in 0..<3000 {
        let labels = (0..<12).map { SampleCube.Label("f\(seed).\($0)", "\(random.next() % 40)") }
        cube.record(Double(random.next() % 1000), at: Double(random.next() % 1_000_000), labels: labels)
      }
      return cube
    }
    var merged = part(1)
    for seed in 2..<6 { merged.merge(part(UInt64(seed))) }
    #expect(merged.count == 15_000 && merged.classes.count <= SampleCube.classLimit)
    #expect(merged.dimensions.count <= CubeDimensions.limit)
    #expect(merged.slots().count <= SampleCube.slotLimit)
    #expect(merged.slots().reduce(0) { $0 + $1.1.count } == 15_000)
  }

  @Test("extreme times and numbers are counted as without a merge")
  func extremes() {
    let values: [Double] = [0, -0.0, 1e308, -.greatestFiniteMagnitude, .nan, .infinity, 5]
    let times: [Double] = [0, -1e300, 1e300, .infinity, 1e12, -1e12, .nan]
    let samples = values.flatMap { value in times.map { Sample(value: value, time: $0, labels: []) } }
    for step in [0.001, 1, 1e12] {
      expectSame(merged(samples, parts: 9, step: step), cube(of: samples, step: step))
    }
  }

  @Test("many histograms become what one of all values is, whether their values lie close or far")
  func manyHistograms() {
    var random = SeededGenerator(seed: 9)
    for reach in [3.0, 1000, 1e300] {
      var (whole, parts) = (FineHistogram(), [FineHistogram](repeating: FineHistogram(), count: 7))
      for number in 0..<9000 {
        let value = Double.random(in: -reach...reach, using: &random) / (number % 3 == 0 ? 1 : reach)
        let near = reach < 10 ? 100 + value : value
        whole.record(near)
        parts[number % 6].record(near)
      }
      #expect(FineHistogram.merging(parts) == whole)
      #expect(FineHistogram.merging([whole]) == whole && FineHistogram.merging([]) == FineHistogram())
    }
  }

  @Test("a field that names devices is folded where it has too many values, and parts merge to the same")
  func folded() {
    func cube(_ range: Range<Int>) -> SampleCube {
      var cube = SampleCube(step: 1)
      for number in range {
        cube.record(
          Double(number), at: Double(number),
          labels: [.init("deviceID", "d\(number % 90)"), .init("version", "\(number % 2)")])
      }
      return cube
    }
    let whole = cube(0..<900)
    #expect(whole.fieldsGivenUp == ["deviceID"] && whole.dimensions.map(\.name) == ["version"])
    #expect(whole.count(of: .init(labels: ["deviceID": "d1"])) == 0)
    let choices = ["0", "1"].map { SampleCube.Choice(labels: ["version": .value($0)]) }
    let fields = whole.clusterFields(first: choices[0], second: choices[1])
    #expect(fields.map(\.name) == ["deviceID"] && fields[0].role == .units && fields[0].first > 8)
    // Before and behind the place where it is folded, and whichever comes first.
    for cut in [10, 48, 60, 300, 899] {
      var merged = cube(0..<cut)
      merged.merge(cube(cut..<900))
      #expect(merged.fieldsGivenUp == ["deviceID"] && merged.count == 900)
      #expect(merged.clusterFields(first: choices[0], second: choices[1]) == fields, "\(cut)")
    }
  }

  @Test("sketches merge to the same at once and one after the other, however far apart their values are")
  func sketches() {
    var random = SplitMix64(seed: 8)
    for round in 0..<60 {
      let spread = [0.1, 2, 40, 300][round % 4]
      let parts = (0..<Int(random.next() % 9)).map { _ in
        var sketch = SketchHistogram()
        for _ in 0..<random.next() % 400 {
          let value = exp(spread * random.normal()) * (random.next() % 3 == 0 ? -1 : 1)
          sketch.record(value.isFinite ? value : 0, limit: 48)
        }
        return sketch
      }
      let merged = parts.reduce(into: SketchHistogram()) { $0.merge($1, limit: 48) }
      #expect(SketchHistogram.merging(parts, limit: 48) == merged)
    }
  }
}
