import Aggregation
import Platform
import Testing

@testable import DashboardCore
@testable import HistogramScreen

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

  @Test("through time each sample that is alone in its stretch is in the row of its value")
  func course() {
    var cube = SampleCube(step: 60)
    for number in 0..<40 { cube.record(6000 + Double(number), at: Double(number) * 60 + 1, labels: []) }
    cube.settle()
    let rows = (0..<4).map { HistogramGrid.Row(lower: 6000 + Double($0) * 10, upper: 6010 + Double($0) * 10) }
    let grid = HistogramGrid(scale: .linear, rows: rows + [.init(lower: 6040, upper: .infinity)])
    let stretches = HistogramSource.samples(cube, close: nil).course(SampleCube.Choice())
    let course = HistogramCourse(stretches, [], on: grid, columns: 80)
    let sums = grid.rows.indices.map { row in course.columns.reduce(0) { $0 + $1[row] } }
    #expect(sums == [10, 10, 10, 10, 0] && !course.isGuess)
    // In few columns a stretch holds several samples, which are spread between its own extremes.
    var coarse = SampleCube(step: 1200)
    for number in 0..<40 { coarse.record(6000 + Double(number), at: Double(number) * 60 + 1, labels: []) }
    coarse.settle()
    let two = HistogramCourse(
      HistogramSource.samples(coarse, close: nil).course(SampleCube.Choice()), [], on: grid, columns: 80)
    let rough = grid.rows.indices.map { row in two.columns.reduce(0) { $0 + $1[row] } }
    #expect(rough.reduce(0, +) == 40 && rough[4] == 0 && rough[..<4].allSatisfy { $0 > 5 } && two.isGuess)
  }
}
