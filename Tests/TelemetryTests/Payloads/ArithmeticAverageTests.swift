import Foundation
import Telemetry
import Testing

@Suite("Histograms and averages of payloads")
struct ArithmeticAverageTests {
  @Test("bins are sorted; what makes no sense is left out and counted, what overlaps is kept")
  func tolerant() {
    let histogram = TimeHistogram(
      (500, 509, 1), (100, 109, 2), (.nan, 9, 1), (0, .infinity, 1), (0, 9, -1), (9, 0, 1), (100, 400, 3),
      (0, 9, 0))
    #expect(
      histogram.bins.map { [$0.start, $0.end, Double($0.count)] }
        == [[0, 9, 0], [100, 109, 2], [100, 400, 3], [500, 509, 1]])
    #expect(histogram.droppedBins == 4 && histogram.count == 6 && !histogram.isEmpty)
    #expect(TimeHistogram().isEmpty && TimeHistogram((0, 9, 0)).isEmpty)
  }

  @Test(
    "a bin of 10 or 100 ms covers its last millisecond, one of another width ends at its bound",
    arguments: [
      (820, 829, 830), (300, 399, 400), (0, 9, 10), (1000, 1010, 1010), (0, 100, 100), (201, 300, 301),
      (100, 400, 400), (5, 5, 5), (1e300, 1e300, 1e300),
    ] as [(Double, Double, Double)])
  func edges(start: Double, end: Double, upper: Double) {
    #expect(TimeHistogram.Bin(start: start, end: end, count: 1).edges == start...upper)
  }

  @Test("what is written as JSON is read again; bins that make no sense are counted on reading")
  func coding() throws {
    for histogram in [TimeHistogram.simulatedHangs, TimeHistogram(), TimeHistogram((5, 1, 1), (0, 9, 4))] {
      let data = try JSONEncoder().encode(histogram)
      #expect(try JSONDecoder().decode(TimeHistogram.self, from: data) == histogram)
    }
    let text = #"{"bins":[{"start":0,"end":9,"count":-2},{"start":0,"end":9,"count":2}],"droppedBins":-7}"#
    let read = try JSONDecoder().decode(TimeHistogram.self, from: Data(text.utf8))
    #expect(read.bins.count == 1 && read.droppedBins == 1)
  }

  @Test("merging sums the counts of bins with the same bounds, in any order")
  func merging() {
    let (first, second) = (
      TimeHistogram((0, 9, 2), (10, 19, 3)), TimeHistogram((10, 19, 4), (30, 39, 1), (1, 0, 1))
    )
    let merged = first.merged(with: second)
    #expect(merged.bins.map(\.count) == [2, 7, 1] && merged.droppedBins == 1)
    #expect(merged == second.merged(with: first) && merged == .merging([first, second]))
    #expect(TimeHistogram((0, 9, 1), (0, 9, 2)).merged(with: TimeHistogram()).bins.map(\.count) == [3])
  }

  @Test(
    "averages of what iOS 13.1.3 simulates, to three decimals",
    arguments: [
      (TimeHistogram.simulatedLaunches, [1857.143, 1862.143, 1867.143]),
      (TimeHistogram.simulatedResumes, [347.619, 352.619, 357.619]),
      (TimeHistogram.simulatedHangs, [128.571, 242.857, 357.143]),
    ])
  func golden(histogram: TimeHistogram, expected: [Double]) {
    let averages = [.start, .pooled, .end].map { histogram.average(method: $0) }
    #expect(averages.map { rounded($0?.value) } == expected)
    for average in averages {
      #expect([rounded(average?.lower), rounded(average?.upper)] == [expected[0], expected[2]])
    }
    #expect(rounded(histogram.average.converted(to: .milliseconds).value) == expected[1])
  }

  /// Three payloads of unequal counts.
  private let days = [
    TimeHistogram((100, 109, 1)),
    TimeHistogram((200, 209, 3), (400, 409, 1)),
    TimeHistogram((100, 109, 10), (300, 309, 30), (900, 909, 60)),
  ]

  private func payloads(_ histograms: [TimeHistogram?]) -> [VersionedHistogram] {
    histograms.map { VersionedHistogram(version: "2.0", histogram: $0) }
  }

  @Test("the published average is the plain mean of the payloads' means of bin ends")
  func published() throws {
    // 109; (3 · 209 + 409) / 4 = 259; (10 · 109 + 30 · 309 + 60 · 909) / 100 = 649; of them the mean.
    let average = try #require(payloads(days).average(applicationVersion: "2.0", method: .published))
    #expect(average.value == 339)
    // 100, 250, 640 and 110, 260, 650.
    #expect(average.lower == 330 && average.upper == 340 && average.count == 105)
    #expect(average.measurement == Measurement(value: 339, unit: UnitDuration.milliseconds))
  }

  @Test("the pooled average is exactly that of the joined samples")
  func pooled() throws {
    let joined = TimeHistogram((100, 109, 11), (200, 209, 3), (300, 309, 30), (400, 409, 1), (900, 909, 60))
    #expect(TimeHistogram.merging(days) == joined)
    for method in [AverageMethod.pooled, .start, .end] {
      let average = payloads(days).average(applicationVersion: "2.0", method: method)
      #expect(average != nil && average == joined.average(method: method))
    }
    // (11 · 105 + 3 · 205 + 30 · 305 + 405 + 60 · 905) / 105.
    #expect(payloads(days).average(applicationVersion: "2.0")?.value == 625)
  }

  @Test(
    "payloads of another version, of several versions and of a simulation are left out",
    arguments: AverageMethod.allCases)
  func versions(method: AverageMethod) {
    let plain = VersionedHistogram(version: "2.0", histogram: TimeHistogram((100, 109, 1)))
    var (other, mixed, simulated, without) = (plain, plain, plain, plain)
    (other.version, mixed.includesOtherVersions, simulated.isSimulated) = ("2.0.0", true, true)
    without.histogram = nil
    let far = TimeHistogram((9000, 9009, 1))
    (other.histogram, mixed.histogram, simulated.histogram) = (far, far, far)
    var nameless = other
    nameless.version = nil
    let all = [other, plain, mixed, simulated, nameless, without]
    let expected = plain.histogram?.average(method: method)
    #expect(expected != nil && all.average(applicationVersion: "2.0", method: method) == expected)
    let asked = all.average(applicationVersion: "2.0", method: method, includingSimulated: true)
    #expect(asked?.lower == 4550 && asked?.count == 2)
    #expect(all.average(applicationVersion: "3", method: method) == nil)
    #expect([without].average(applicationVersion: "2.0", method: method) == nil)
  }

  @Test("a payload whose histogram is empty leaves no published average; the others do without it")
  func empty() {
    let some = payloads([TimeHistogram((100, 109, 1)), TimeHistogram()])
    #expect(some.average(applicationVersion: "2.0", method: .published) == nil)
    #expect(some.average(applicationVersion: "2.0")?.value == 105)
    #expect(TimeHistogram().average.value.isNaN && TimeHistogram().average(method: .published) == nil)
  }
}
