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
    flags: (Bool, Bool) = (false, false),
    time: Double = 0
  ) -> String {
    let bins = bins.map { #"{"count":\#($0.2),"end":\#($0.1),"start":\#($0.0)}"# }.joined(separator: ",")
    let texts = [("appVersion", version), ("begin", "x"), ("source", source), ("unit", unit)]
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
        # HELP payload_launch_seconds Times in imported payloads; the sum is an estimate by the middle of each bin.
        payload_launch_seconds_bucket{version="2.4",simulated="false",multiple_versions="false",le="0.3"} 0 978307200
        payload_launch_seconds_bucket{version="2.4",simulated="false",multiple_versions="false",le="0.4"} 2 978307200
        payload_launch_seconds_bucket{version="2.4",simulated="false",multiple_versions="false",le="0.7"} 6 978307200
        payload_launch_seconds_bucket{version="2.4",simulated="false",multiple_versions="false",le="0.82"} 6 978307200
        payload_launch_seconds_bucket{version="2.4",simulated="false",multiple_versions="false",le="0.83"} 9 978307200
        payload_launch_seconds_bucket{version="2.4",simulated="false",multiple_versions="false",le="1.19"} 9 978307200
        payload_launch_seconds_bucket{version="2.4",simulated="false",multiple_versions="false",le="1.2"} 10 978307200
        payload_launch_seconds_bucket{version="2.4",simulated="false",multiple_versions="false",le="+Inf"} 10 978307200
        payload_launch_seconds_count{version="2.4",simulated="false",multiple_versions="false"} 10 978307200
        payload_launch_seconds_sum{version="2.4",simulated="false",multiple_versions="false"} 6.57 978307200
        # EOF

        """#)
  }

  /// The samples without the labels that all of them have.
  private func short(_ text: String) -> [String] {
    text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      String(line).replacing("payload_launch_seconds_", with: "")
        .replacing(#",simulated="false",multiple_versions="false""#, with: "")
    }
  }

  @Test func `Counts of payloads with the same labels are summed, each payload once, at the last time`()
    throws
  {
    let text = try export(
      line([(10, 19, "1")], time: 5), line([(10, 19, "2"), (30, 39, "4")], source: "day.json#01", time: 9),
      line([(10, 19, "1")], time: 20), line([(10, 19, "8")], source: "other.json#02", time: 7))
    #expect(
      short(text) == [
        #"bucket{version="2.4",le="0.01"} 0 978307209"#,
        #"bucket{version="2.4",le="0.02"} 11 978307209"#,
        #"bucket{version="2.4",le="0.03"} 11 978307209"#,
        #"bucket{version="2.4",le="0.04"} 15 978307209"#,
        #"bucket{version="2.4",le="+Inf"} 15 978307209"#,
        #"count{version="2.4"} 15 978307209"#,
        #"sum{version="2.4"} 0.305 978307209"#,
      ])
  }

  @Test func `Percents of the time by bars are a histogram of gauges`() throws {
    #expect(
      try export(line([(1, 1, "14"), (3, 3, "86")], "cell", unit: "bars")).replacing(
        #"version="2.4",simulated="false",multiple_versions="false""#, with: "…") == #"""
          # TYPE payload_cell_bars gaugehistogram
          # UNIT payload_cell_bars bars
          # HELP payload_cell_bars Percents of the time in imported payloads; those of payloads with the same labels are summed.
          payload_cell_bars_bucket{…,le="1.0"} 14 978307200
          payload_cell_bars_bucket{…,le="3.0"} 100 978307200
          payload_cell_bars_bucket{…,le="+Inf"} 100 978307200
          payload_cell_bars_gcount{…} 100 978307200
          payload_cell_bars_gsum{…} 272 978307200
          # EOF

          """#)
  }

  @Test func `Versions, simulations and payloads that mix versions are kept apart`() throws {
    let text = try export(
      line([(0, 9, "1")], source: "a#1"), line([(0, 9, "1")], version: "2.5", source: "a#2"),
      line([(0, 9, "1")], source: "a#3", flags: (true, false)),
      line([(0, 9, "1")], source: "a#4", flags: (false, true)))
    let counts = text.split(separator: "\n").filter { $0.contains("_count{") }
    #expect(counts.count == 4 && counts.allSatisfy { $0.contains("} 1 ") })
    #expect(text.split(separator: "\n").filter { $0.hasPrefix("# TYPE") }.count == 1)
  }

  @Test func `Without samples there is an empty histogram, and without bins in time there are fields`() throws
  {
    #expect(
      short(try export(line([]))) == [
        #"bucket{version="2.4",le="+Inf"} 0 978307200"#,
        #"count{version="2.4"} 0 978307200"#,
        #"sum{version="2.4"} 0 978307200"#,
      ])
    let rooms = try export(line([(1, 1, "100")], unit: "rooms"))
    #expect(!rooms.contains("histogram") && rooms.contains("# TYPE payload_launch_unit unknown\n"))
    let other = try export(
      ExportRun.line(#"{"unit":"ms"}"#, type: "PayloadHistogram"),
      ExportRun.line(#"{"bins":[]}"#, "x", type: "Load"))
    #expect(!other.contains("histogram"))
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
      text.map { $0.replacing(#"{version="2.4""#, with: "{") } == [
        #"bucket{,le="0.0"} 0 978307200"#, #"bucket{,le="0.01"} 9223372036854775807 978307200"#,
        #"bucket{,le="0.02"} 9223372036854775807 978307200"#,
        #"bucket{,le="+Inf"} 9223372036854775807 978307200"#, "count{} 9223372036854775807 978307200",
        "sum{} 1.8446744073709552e+17 978307200",
      ])
    let below = short(try export(line([(-30, -21, "2"), (-5, 5, "1")])))
    #expect(
      below.map { $0.replacing(#"{version="2.4""#, with: "{") } == [
        #"bucket{,le="-0.03"} 0 978307200"#, #"bucket{,le="-0.02"} 2 978307200"#,
        #"bucket{,le="-0.005"} 2 978307200"#, #"bucket{,le="0.005"} 3 978307200"#,
        #"bucket{,le="+Inf"} 3 978307200"#,
      ])
  }

  @Test func `Names that become the same, and names of other families, lead to no confusion`() throws {
    let text = try export(
      line([(0, 9, "1")], "a.b"), line([(0, 9, "1")], "a_b"),
      ExportRun.line("1", "a_b_seconds_count", bucket: "payload"),
      ExportRun.line("1", "a_b_histogram_seconds", bucket: "payload"))
    let types = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE") }
    #expect(
      types == [
        "# TYPE payload_a_b_histogram_histogram_seconds histogram", "# TYPE payload_a_b_seconds_count gauge",
        "# TYPE payload_a_b_histogram_seconds gauge",
      ])
    #expect(text.contains(#"_count{bucket="payload",name="a.b",type="PayloadHistogram",version="2.4""#))
    #expect(text.contains(#"_count{bucket="payload",name="a_b",type="PayloadHistogram",version="2.4""#))
  }

  @Test func `Signposts whose names differ by dots and slashes share a family and are told apart by labels`()
    throws
  {
    let names = ["a.b/c", "a/b.c", "x%2Fy/z", "com.app.sync/Decode"].map { "signpostMetrics.\($0).duration" }
    let text = try ExportRun.export(names.map { line([(0, 9, "1")], $0) }.joined(), as: .openmetrics)
    #expect(ExportCheckers.complaint(openMetrics: text) == nil)
    #expect(ExportCheckers.complaint(histograms: text) == nil)
    #expect(
      text.split(separator: "\n").filter { $0.hasPrefix("# TYPE") } == [
        "# TYPE payload_signpostMetrics_a_b_c_duration_seconds histogram",
        "# TYPE payload_signpostMetrics_x_2Fy_z_duration_seconds histogram",
        "# TYPE payload_signpostMetrics_com_app_sync_Decode_duration_seconds histogram",
      ])
    for name in names.prefix(2) { #expect(text.contains("_count{bucket=\"payload\",name=\"\(name)\",")) }
  }

  @Test func `Texts of payloads are escaped`() throws {
    let text = try export(line([], version: "2\"\n\\", source: "#a#b#1"))
    #expect(text.contains(##"{version="2\"\n\\",simulated="false""##))
    #expect(ExportCheckers.complaint(openMetrics: text) == nil)
  }

  @Test func `Whatever is recorded, the text is what the standard says, also by way of a file`() throws {
    var generator = SeededGenerator(seed: 7)
    let folder = try TemporaryFolder()
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
          time: Double.random(in: 0...1e9, using: &generator))
          + ExportRun.line("\(round)", "b_c_seconds", bucket: "payload")
      }.joined()
      let memory = try ExportRun.export(lines, as: OpenMetricsWriter(temporaryFolder: folder.url.path))
      let file = try ExportRun.export(
        lines, as: OpenMetricsWriter(temporaryFolder: folder.url.path, limit: 300))
      #expect(ExportCheckers.complaint(openMetrics: memory.text) == nil)
      #expect(ExportCheckers.complaint(histograms: memory.text) == nil)
      #expect(memory.text == file.text && memory.omitted == 0)
    }
  }
}
