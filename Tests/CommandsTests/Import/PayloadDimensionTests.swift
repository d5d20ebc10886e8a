import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

@testable import Commands

@Suite("Dimensions of imported payloads")
struct PayloadDimensionTests {
  private let fixture: ImportFixture

  init() throws {
    fixture = try ImportFixture()
  }

  /// A day of one device with a peak of memory and a launch.
  static func day(
    _ version: String, device: String, build: String, peak: Int, launches: Int = 1, day: Int = 30,
    testFlight: Bool = false, user: String? = nil
  ) -> String {
    let payload = """
      {"appVersion":"\(version)","timeStampBegin":"2025-03-\(day) 00:00:00","timeStampEnd":"2025-03-\(day) 23:59:00",\
      "metaData":{"appBuildVersion":"\(build)","deviceType":"\(device)","osVersion":"iPhone OS 17.1 (21B74)",\
      "regionFormat":"DE","isTestFlightApp":\(testFlight),"lowPowerModeEnabled":false},\
      "memoryMetrics":{"peakMemoryUsage":"\(peak) kB"},"applicationLaunchMetrics":{"histogrammedTimeToFirstDrawKey":\
      {"histogramNumBuckets":1,"histogramValue":{"0":{"bucketCount":\(launches),"bucketStart":"820 ms","bucketEnd":"829 ms"}}}}}
      """
    return user.map { "{\"userId\":\"\($0)\",\"payload\":\(payload)}" } ?? payload
  }

  fileprivate func store() async throws {
    let days = [
      Self.day("9.1", device: "iPhone12,1", build: "41", peak: 1000, testFlight: true, user: "ada"),
      Self.day("9.1", device: "iPhone12,1", build: "42", peak: 2000),
      Self.day("9.0", device: "iPad13,4", build: "40", peak: 4000),
    ]
    try fixture.write(days.joined(separator: "\n"), to: "in/days.jsonl")
    #expect(await fixture.run("in") == .success)
  }

  @MainActor
  fileprivate func run(_ arguments: [String]) async -> (out: String, err: [String], code: ExitCode) {
    let (out, err) = (Recorder<String>(), Recorder<String>())
    let context = CommandContext(
      console: Console(write: { out.append($0) }, writeError: { err.append($0) }),
      environment: ProcessEnvironment(variables: [:], now: Timestamp(60), exists: { _ in true }),
      host: NoTerminal(calls: Recorder<String>()))
    let code = await CommandRunner.run(arguments + [fixture.store], in: context)
    return (out.all.joined(), err.all, code)
  }

  fileprivate func run(_ arguments: String...) async -> (out: String, err: [String], code: ExitCode) {
    await run(arguments)
  }

  @Test(
    "a query reaches figures by the origin of their payload",
    arguments: [
      ("device = iPhone12,1", 2), ("device = \"iPad13,4\"", 1), ("build = 42", 1), ("version = 9.1", 2),
      ("os = *17.1*", 3), ("region = DE and version = 9.0", 1), ("testFlight = true", 1),
      ("not testFlight = true", 2), ("lowPower = true", 0), ("user = ada", 1), ("appVersion = 9.1", 2),
      ("begin = 2025-03-30*", 3), ("multipleVersions = false and simulated = false", 3),
    ])
  func figures(query: String, count: Int) async throws {
    try await store()
    let name = "memoryMetrics.peakMemoryUsage"
    let result = await run("stats", "--format", "csv", "--metric", name, "--where", query)
    let rows = result.out.split(separator: "\r\n").filter { $0.contains(",PayloadScalar,\(count),") }
    #expect(rows.count == (count > 0 ? 1 : 0))
    let lines = await run("export", "--format", "jsonl", "--metric", name, "--where", query)
    #expect(lines.out.split(separator: "\n").count == count)
  }

  /// The store as it was written before figures left their origin to the document.
  private func writeFormerStore() throws {
    let text = try String(contentsOfFile: fixture.store, encoding: .utf8)
    func json(_ line: Substring) throws -> ([String: Any], [String: Any]) {
      let line = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let value = try #require((line["value"] as? String).flatMap { Data(base64Encoded: $0) })
      return (line, try #require(try JSONSerialization.jsonObject(with: value) as? [String: Any]))
    }
    var document: [String: Any] = [:]
    var (former, rest): ([String], [String]) = ([], [])
    for line in text.split(separator: "\n") {
      var (whole, value) = try json(line)
      if line.contains("PayloadDocument") { document = value }
      guard line.contains("PayloadScalar") || line.contains("PayloadHistogram") else {
        rest.append(String(line))
        continue
      }
      #expect(value.count == 3)
      for name in ["appVersion", "begin", "end", "multipleVersions", "simulated", "source"] {
        value[name] = document[name]
      }
      whole["value"] = try JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
        .base64EncodedString()
      let data = try JSONSerialization.data(withJSONObject: whole, options: .sortedKeys)
      former.append(String(decoding: data, as: UTF8.self))
    }
    try Data((former + rest).map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: fixture.store))
  }

  @Test("a store of before tells the same everywhere")
  func formerStore() async throws {
    try await store()
    let commands = [
      ["stats", "--format", "csv"], ["stats", "--format", "csv", "--where", "appVersion = 9.0"],
      ["export", "--format", "csv"], ["export", "--format", "influx"], ["export", "--format", "openmetrics"],
      ["export", "--format", "openmetrics", "--each", "--labels", "version,device"],
      ["export", "--format", "csv", "--where", "version = 9.1"], ["export", "--format", "metrickit"],
      ["snapshot", "--overview"], ["snapshot", "--overview", "--format", "csv"],
      ["snapshot", "--screen", "live", "--size", "100x20"],
      [
        "snapshot", "--screen", "histogram", "--metric", "memoryMetrics.peakMemoryUsage", "--group", "device",
      ],
      ["check", "--fail-if", "peak memory > 3MB", "--allow-few"],
    ]
    var before: [String] = []
    for command in commands { before.append(await run(command).out) }
    try writeFormerStore()
    for (command, expected) in zip(commands, before) {
      let found = await run(command)
      #expect(found.out == expected, "\(command)")
      #expect(!expected.isEmpty && found.err.isEmpty, "\(command) \(found.err)")
    }
  }

  @Test("a dimension that no payload has is named, with the nearest one")
  func unknown() async throws {
    try await store()
    let result = await run("stats", "--where", "devise = iPhone12,1")
    #expect(result.err == ["mistertop stats: no sample has a field named devise; did you mean device?"])
    #expect(result.code == .failed)
  }
}

extension PayloadDimensionTests {
  @Test(
    "stats has a row for each figure, with its unit, and for histograms the middles of their bins",
    arguments: [false, true])
  func rows(fields: Bool) async throws {
    try await store()
    let result = await run(["stats", "--format", "csv"] + (fields ? ["--fields"] : []))
    let rows = result.out.split(separator: "\r\n").map { row -> [String] in
      row.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    }
    #expect(rows[0].last == "unit")
    var figures: [String] = []
    for row in rows where row[2] == "PayloadScalar" || row[2] == "PayloadHistogram" {
      figures.append("\(row[1]) \(row[3]) \(row[4]) \(row[5]) \(row[14]) \(row[16])")
    }
    #expect(
      figures == [
        "applicationLaunchMetrics.histogrammedTimeToFirstDraw 3 825 825 3 ms",
        "memoryMetrics.peakMemoryUsage 3 1000 4000 3 kB",
      ])
    let table = await run(["stats"])
    #expect(table.out.contains("  PayloadScalar     kB        3  "))
  }

  @Test(
    "a query compares figures of payloads in their units",
    arguments: [("max > 4MB", 1), ("max > 5MB", 0), ("p50 > 0.8s", 1)])
  func units(query: String, count: Int) async throws {
    try await store()
    let result = await run(["stats", "--format", "csv", "--where", query])
    #expect(result.out.split(separator: "\r\n").count == 1 + count)
  }

  @Test("CSV has a row for each value and bin, with the labels and the payload")
  func csv() async throws {
    try await store()
    let text = await run(["export", "--format", "csv", "--where", "device = iPad13,4"]).out
    let rows = text.split(separator: "\r\n").map { String($0) }
    #expect(
      rows[0]
        == "time,timestamp,bucket,name,type,field,value,unit,lower,upper,count,payload,simulated,multiple_versions,version,build,device,os,state"
    )
    let end = #",false,false,9.0,40,"iPad13,4",iPhone OS 17.1 (21B74),"#
    #expect(rows.count == 3 && rows.dropFirst().allSatisfy { $0.hasSuffix(end) })
    #expect(
      rows.contains { $0.contains(",payload,memoryMetrics.peakMemoryUsage,PayloadScalar,value,4000,kB,,,,") })
    let launches =
      ",payload,applicationLaunchMetrics.histogrammedTimeToFirstDraw,PayloadHistogram,bin,,ms,820,830,1,"
    #expect(rows.contains { $0.contains(launches) })
    let chosen = await run(["export", "--format", "csv", "--labels", "user,region"]).out
    #expect(chosen.contains(",multiple_versions,user,region\r\n") && chosen.contains(",false,ada,DE\r\n"))
  }

  @Test("InfluxDB has a point for each value and bin, a nanosecond apart")
  func influx() async throws {
    try await store()
    let text = await run(["export", "--format", "influx", "--labels", "version"]).out
    let lines = text.split(separator: "\n").map { String($0) }.sorted()
    let name = "payload,name=applicationLaunchMetrics.histogrammedTimeToFirstDraw,version="
    #expect(lines[0].hasPrefix(name + "9.0 payload=\""))
    #expect(lines[0].hasSuffix("\",unit=\"ms\",lower=820,upper=830,count=1i 1743371940000000000"))
    let ends = lines.filter { $0.hasPrefix(name + "9.1 ") }.map { String($0.suffix(19)) }.sorted()
    #expect(ends == ["1743371940000000000", "1743371940000000001"])
    #expect(lines.count == 6 && Set(lines).count == 6)
  }

  @Test("OpenMetrics has the sum, count, least and largest of a day in bytes and seconds, by the labels")
  func openMetrics() async throws {
    try await store()
    let text = await run(["export", "--format", "openmetrics", "--where", "memory"]).out
    #expect(
      text == """
        # TYPE payload_memoryMetrics_peakMemoryUsage_sum_bytes gauge
        # UNIT payload_memoryMetrics_peakMemoryUsage_sum_bytes bytes
        # HELP payload_memoryMetrics_peakMemoryUsage_sum_bytes memoryMetrics.peakMemoryUsage
        payload_memoryMetrics_peakMemoryUsage_sum_bytes{version="9.0"} 4096000 1743371940
        payload_memoryMetrics_peakMemoryUsage_sum_bytes{version="9.1"} 3072000 1743371940
        # TYPE payload_memoryMetrics_peakMemoryUsage_count gauge
        # HELP payload_memoryMetrics_peakMemoryUsage_count memoryMetrics.peakMemoryUsage
        payload_memoryMetrics_peakMemoryUsage_count{version="9.0"} 1 1743371940
        payload_memoryMetrics_peakMemoryUsage_count{version="9.1"} 2 1743371940
        # TYPE payload_memoryMetrics_peakMemoryUsage_min_bytes gauge
        # UNIT payload_memoryMetrics_peakMemoryUsage_min_bytes bytes
        # HELP payload_memoryMetrics_peakMemoryUsage_min_bytes memoryMetrics.peakMemoryUsage
        payload_memoryMetrics_peakMemoryUsage_min_bytes{version="9.0"} 4096000 1743371940
        payload_memoryMetrics_peakMemoryUsage_min_bytes{version="9.1"} 1024000 1743371940
        # TYPE payload_memoryMetrics_peakMemoryUsage_max_bytes gauge
        # UNIT payload_memoryMetrics_peakMemoryUsage_max_bytes bytes
        # HELP payload_memoryMetrics_peakMemoryUsage_max_bytes memoryMetrics.peakMemoryUsage
        payload_memoryMetrics_peakMemoryUsage_max_bytes{version="9.0"} 4096000 1743371940
        payload_memoryMetrics_peakMemoryUsage_max_bytes{version="9.1"} 2048000 1743371940
        # EOF

        """)
    let each = await run(["export", "--format", "openmetrics", "--each", "--where", "memory"]).out
    #expect(each.split(separator: "\n").filter { !$0.hasPrefix("#") }.count == 3)
    #expect(each.contains("payload_memoryMetrics_peakMemoryUsage_bytes{version=\"9.0\",payload=\""))
  }

  @Test("labels that payloads do not have are refused", arguments: ["begin", "version,version", "versions"])
  func labels(list: String) async throws {
    try await store()
    let result = await run(["export", "--labels", list])
    #expect(result.code == .wrongUsage && result.err.first?.contains("--labels") == true)
  }

  @Test("the overview and all call trees are a table in three formats")
  func overview() async throws {
    try await store()
    try fixture.write(ImportFixture.crash, to: "more/crash.json")
    #expect(await fixture.run("more") == .success)
    let csv = await run(["snapshot", "--no-index", "--overview", "--format", "csv"]).out
    let rows = csv.split(separator: "\r\n")
    #expect(
      rows.first
        == "section,kind,depth,name,a,a_count,a_p50,a_p95,a_total,b,b_count,b_p50,b_p95,b_total,change,verdict"
    )
    #expect(rows.contains { $0.hasPrefix("Memory,figure,2,peak,1536000,2,") })
    #expect(rows.contains { $0.hasPrefix("Crashes and hangs,diagnostics,2,Crashes by module,") })
    let json = await run(["snapshot", "--no-index", "--overview", "--format", "json"]).out
    let objects = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    #expect(objects.count == rows.count - 1)
    #expect(objects.contains { $0["name"] as? String == "peak" && $0["b"] as? Double == 4_096_000 })
    let markdown = await run(["snapshot", "--no-index", "--overview", "--format", "markdown"]).out
    #expect(markdown.split(separator: "\n").count == rows.count + 1)
    #expect(markdown.contains("| Memory | figure | 2 | peak | 1536000 | 2 |"))
    let other = await run(["snapshot", "--no-index", "--screen", "live", "--format", "json"])
    #expect(other.code == .failed && other.err.first?.contains("--overview") == true)
  }
}
