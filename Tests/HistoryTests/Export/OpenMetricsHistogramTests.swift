import Foundation
import JSONLines
import TestSupport
import Testing

@testable import History

@Suite("Histograms of payloads in OpenMetrics")
struct OpenMetricsHistogramTests {
  /// A line with a histogram as an import records it; the bins are start, end and count.
  private func line(
    _ bins: [(Double, Double, String)], _ name: String = "launch", bucket: String? = "payload",
    version: String = "2.4", source: String = "day.json#00ff", unit: String = "ms",
    flags: (Bool, Bool) = (false, false), day: String = "2026-03-01", time: Double = 0
  ) -> String {
    let bins = bins.map { #"{"count":\#($0.2),"end":\#($0.1),"start":\#($0.0)}"# }.joined(separator: ",")
    let texts = [("appVersion", version), ("begin", day), ("source", source), ("unit", unit)]
      .map { "\"\($0.0)\":\(ExportRun.quoted($0.1))" }.joined(separator: ",")
    return ExportRun.line(
      #"{"bins":[\#(bins)],"multipleVersions":\#(flags.0),"simulated":\#(flags.1),\#(texts)}"#, name,
      bucket: bucket,
      type: "PayloadHistogram", time: time)
  }

  private func export(_ lines: String...) throws -> String {
    try ExportRun.export(lines.joined(), as: .openmetrics)
  }

  @Test func `Bins become cumulative buckets in seconds, by the grid of devices`() throws {
    #expect(
      try export(line([(820, 829, "3"), (1190, 1199, "1"), (300, 399, "2"), (400, 700, "4")]))
        == #"""
        # TYPE payload_launch_seconds histogram
        # UNIT payload_launch_seconds seconds
        # HELP payload_launch_seconds launch
        payload_launch_seconds_bucket{version="2.4",le="0.3"} 0 978307200
        payload_launch_seconds_bucket{version="2.4",le="0.4"} 2 978307200
        payload_launch_seconds_bucket{version="2.4",le="0.7"} 6 978307200
        payload_launch_seconds_bucket{version="2.4",le="0.82"} 6 978307200
        payload_launch_seconds_bucket{version="2.4",le="0.83"} 9 978307200
        payload_launch_seconds_bucket{version="2.4",le="1.19"} 9 978307200
        payload_launch_seconds_bucket{version="2.4",le="1.2"} 10 978307200
        payload_launch_seconds_bucket{version="2.4",le="+Inf"} 10 978307200
        payload_launch_seconds_count{version="2.4"} 10 978307200
        payload_launch_seconds_sum{version="2.4"} 6.57 978307200
        # EOF

        """#)
  }

  /// The samples without the parts that all of them have.
  private func short(_ text: String) -> [String] {
    text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      String(line).replacing("payload_launch_seconds_", with: "").replacing(#"{version="2.4""#, with: "{")
        .replacing("{,", with: "{").replacing(" 9783", with: " ")
    }
  }

  @Test
  func `Counts grow from day to day, with the same bounds, each payload once, at the last time of a day`()
    throws
  {
    let text = try export(
      line([(10, 19, "1")], time: 5), line([(10, 19, "2"), (30, 39, "4")], source: "day.json#01", time: 9),
      line([(10, 19, "1")], time: 20),
      line([(20, 29, "8")], source: "next.json#02", day: "2026-03-02", time: 7))
    #expect(
      short(text) == [
        #"bucket{le="0.01"} 0 07209"#, #"bucket{le="0.02"} 3 07209"#, #"bucket{le="0.03"} 3 07209"#,
        #"bucket{le="0.04"} 7 07209"#, #"bucket{le="+Inf"} 7 07209"#, "count{} 7 07209", "sum{} 0.185 07209",
        #"bucket{le="0.01"} 0 07210"#, #"bucket{le="0.02"} 3 07210"#, #"bucket{le="0.03"} 11 07210"#,
        #"bucket{le="0.04"} 15 07210"#, #"bucket{le="+Inf"} 15 07210"#, "count{} 15 07210",
        "sum{} 0.385 07210",
      ])
  }

  @Test func `Percents of the time by bars are a histogram of gauges of each day`() throws {
    let lines = [("day.json#00ff", "2026-03-01"), ("day.json#01", "2026-03-02")].map { source, day in
      line([(1, 1, "14"), (3, 3, "86")], "cell", source: source, unit: "bars", day: day)
    }
    #expect(
      try ExportRun.export(lines.joined(), as: .openmetrics).replacing(#"version="2.4""#, with: "…") == #"""
        # TYPE payload_cell_bars gaugehistogram
        # UNIT payload_cell_bars bars
        # HELP payload_cell_bars cell
        payload_cell_bars_bucket{…,le="1.0"} 14 978307200
        payload_cell_bars_bucket{…,le="3.0"} 100 978307200
        payload_cell_bars_bucket{…,le="+Inf"} 100 978307200
        payload_cell_bars_gcount{…} 100 978307200
        payload_cell_bars_gsum{…} 272 978307200
        payload_cell_bars_bucket{…,le="1.0"} 14 978307201
        payload_cell_bars_bucket{…,le="3.0"} 100 978307201
        payload_cell_bars_bucket{…,le="+Inf"} 100 978307201
        payload_cell_bars_gcount{…} 100 978307201
        payload_cell_bars_gsum{…} 272 978307201
        # EOF

        """#)
  }

  @Test func `Versions, simulations and payloads that mix versions are kept apart`() throws {
    let text = try export(
      line([(0, 9, "1")], source: "a#1"), line([(0, 9, "1")], version: "2.5", source: "a#2"),
      line([(0, 9, "1")], source: "a#3", flags: (true, false)),
      line([(0, 9, "1")], source: "a#4", flags: (false, true)))
    #expect(
      text.split(separator: "\n").filter { $0.contains("_count{") }.map { $0.dropFirst(22) } == [
        #"_count{version="2.4"} 1 978307200"#,
        #"_count{version="2.4",multiple_versions="true"} 1 978307200"#,
        #"_count{version="2.4",simulated="true"} 1 978307200"#, #"_count{version="2.5"} 1 978307200"#,
      ])
    #expect(text.split(separator: "\n").filter { $0.hasPrefix("# TYPE") }.count == 1)
  }

  /// The buckets of a version.
  private func bounds(_ text: String, _ version: String) -> [(bound: String, count: Int)] {
    let start = "payload_launch_seconds_bucket{version=\"\(version)\",le=\""
    return text.split(separator: "\n").filter { $0.hasPrefix(start) }.map { line in
      let parts = line.dropFirst(start.count).split(separator: "\"} ")
      let count = parts.last?.split(separator: " ").first ?? ""
      return (String(parts.first ?? ""), Int(count) ?? 0)
    }
  }

  @Test func `A histogram has at most 64 bounds, which split its samples evenly and its tail finely`() throws
  {
    let bins = (0..<500).map { place -> (Double, Double, String) in
      let start = Double(place) * 10
      return (start, start + 9, "\(place % 7)")
    }
    let text = try export(line(bins), line([(40, 49, "1")], version: "3", source: "b#2"))
    let (one, two) = (bounds(text, "2.4"), bounds(text, "3"))
    #expect(one.count == 64 && one.map { $0.bound } == two.map { $0.bound })
    #expect(one.first?.bound == "0.0" && one[62].bound == "5.0")
    let counts: [Int] = one.map { $0.count }
    let widest = zip(counts.dropFirst(), counts).map { (after: Int, before: Int) -> Int in after - before }
      .max()
    #expect(widest ?? 0 <= counts[63] / 35 + 12)
    #expect(counts.count { $0 > counts[63] * 9 / 10 } >= 16)
    #expect(ExportCheckers.complaint(histograms: text) == nil)
  }

  @Test func `Without samples there is an empty histogram, and without bins there is none`() throws {
    #expect(
      short(try export(line([]))) == [#"bucket{le="+Inf"} 0 07200"#, "count{} 0 07200", "sum{} 0 07200"])
    let other = try ExportRun.export(
      ExportRun.line(#"{"unit":"ms"}"#, bucket: "payload", type: "PayloadHistogram")
        + ExportRun.line(#"{"bins":[]}"#, "x", type: "Load"),
      as: ExportFormat.openmetrics.writer(temporaryFolder: ""))
    #expect(other.text == "# EOF\n" && other.omitted == 2)
  }

  @Test
  func
    `Bins that make no sense are left out, large counts stop at the largest, times below zero have neither sum nor count`()
    throws
  {
    let text = short(
      try export(
        line([
          (20, 10, "1"), (0, 9, "-1"), (0, 9, "0.5"), (0, 9, "null"), (0, 9, "9223372036854775807"),
          (10, 19, "18446744073709551615"), (20, 29, "-18446744073709551615"),
        ])))
    #expect(
      text.dropLast() == [
        #"bucket{le="0.0"} 0 07200"#, #"bucket{le="0.01"} 9223372036854775807 07200"#,
        #"bucket{le="0.02"} 9223372036854775807 07200"#, #"bucket{le="+Inf"} 9223372036854775807 07200"#,
        "count{} 9223372036854775807 07200",
      ])
    let below = short(try export(line([(-30, -21, "2"), (-5, 5, "1")])))
    #expect(
      below == [
        #"bucket{le="-0.03"} 0 07200"#, #"bucket{le="-0.02"} 2 07200"#, #"bucket{le="-0.005"} 2 07200"#,
        #"bucket{le="0.005"} 3 07200"#, #"bucket{le="+Inf"} 3 07200"#,
      ])
  }

  @Test func `Names that become the same, and names of other families, lead to no confusion`() throws {
    let text = try export(
      line([(0, 9, "1")], "a.b"), line([(0, 9, "1")], "a_b"),
      ExportRun.line("1", "a_b_seconds_count", bucket: "payload"),
      ExportRun.line("1", "a_b_2_seconds", bucket: "payload"))
    #expect(
      text.split(separator: "\n").filter { $0.hasPrefix("# TYPE") } == [
        "# TYPE payload_a_b_3_seconds histogram", "# TYPE payload_a_b_4_seconds histogram",
        "# TYPE payload_a_b_seconds_count gauge", "# TYPE payload_a_b_2_seconds gauge",
      ])
    #expect(ExportCheckers.complaint(openMetrics: text) == nil)
  }

  @Test func `Texts of payloads are escaped`() throws {
    let text = try export(line([], version: "2\"\n\\", source: "#a#b#1"))
    #expect(text.contains(##"{version="2\"\n\\",le="##))
    #expect(ExportCheckers.complaint(openMetrics: text) == nil)
  }

  @Test func `Whatever is recorded, the text is what the standard says`() throws {
    var generator = SeededGenerator(seed: 7)
    for round in 0..<12 {
      let lines = (0..<(1 + round)).map { _ in
        let bins = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
          let start = Double(Int.random(in: -20...500, using: &generator) * 10)
          let end = start + ([0, 9, 99, 300] as [Double])[Int.random(in: 0...3, using: &generator)]
          return (start, end, "\(Int.random(in: 0...1000, using: &generator))")
        }
        return line(
          bins, ["a", "b.c", "b_c"][Int.random(in: 0...2, using: &generator)],
          version: ["1", "2\n"][Int.random(in: 0...1, using: &generator)],
          source: "f#\(Int.random(in: 0...20, using: &generator))",
          flags: (Bool.random(using: &generator), Bool.random(using: &generator)),
          day: "2026-03-0\(Int.random(in: 1...3, using: &generator))",
          time: Double.random(in: 0...1e9, using: &generator))
          + ExportRun.line("\(round)", "b_c_seconds", bucket: "payload")
      }.joined()
      let export = try ExportRun.export(lines, as: OpenMetricsWriter(temporaryFolder: ""))
      #expect(ExportCheckers.complaint(openMetrics: export.text) == nil)
      #expect(ExportCheckers.complaint(histograms: export.text) == nil)
      #expect(export.omitted == 0)
    }
  }
}
