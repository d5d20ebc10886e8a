import Aggregation
import Platform
import Testing

@testable import Dashboard

@Suite("Which samples a side of the histogram has")
struct HistogramSourceTests {
  private static func cube(_ times: [Double], step: Double) -> SampleCube {
    var cube = SampleCube(step: step)
    for time in times { cube.record(time, at: time, labels: []) }
    cube.settle()
    return cube
  }

  @Test(
    "a short range has its first and its last sample, and what was before has none of it",
    arguments: [875.15, 875, 880.4, 900.15])
  func range(start: Double) {
    let times = (0..<3600).map { Double($0) + 0.15 }
    let window = start..<start + 6
    let close = HistogramSource.CloseCube(
      window: Timestamp(window.lowerBound)..<Timestamp(window.upperBound),
      cube: Self.cube(times.filter(window.contains), step: 0.05))
    let source = HistogramSource.samples(Self.cube(times, step: 15), close: close)
    let inside = source.side("A", SampleCube.Choice(window: window))
    #expect(inside.side.count == times.count(where: window.contains) && inside.covered == nil)
    let before = source.side("B", SampleCube.Choice(window: -100..<start))
    #expect(before.side.maximum.map { $0 < start } == true)
    let covered = before.covered.map { $0.lowerBound.seconds..<$0.upperBound.seconds }
    #expect(covered.map { covered in times.count(where: covered.contains) } == before.side.count)
  }
}
