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

  private func store() async throws {
    let days = [
      Self.day("9.1", device: "iPhone12,1", build: "41", peak: 1000, testFlight: true, user: "ada"),
      Self.day("9.1", device: "iPhone12,1", build: "42", peak: 2000),
      Self.day("9.0", device: "iPad13,4", build: "40", peak: 4000),
    ]
    try fixture.write(days.joined(separator: "\n"), to: "in/days.jsonl")
    #expect(await fixture.run("in") == .success)
  }

  private func run(_ arguments: String...) async -> (out: String, err: [String], code: ExitCode) {
    let (out, err) = (Recorder<String>(), Recorder<String>())
    let context = await CommandContext(
      console: Console(write: { out.append($0) }, writeError: { err.append($0) }),
      environment: ProcessEnvironment(variables: [:], now: Timestamp(60), exists: { _ in true }),
      host: NoTerminal(calls: Recorder<String>()))
    let code = await CommandRunner.run(arguments + [fixture.store], in: context)
    return (out.all.joined(), err.all, code)
  }

  @Test(
    "a query reaches figures by the origin of their payload",
    arguments: [
      ("device = iPhone12,1", 2), ("device = \"iPad13,4\"", 1), ("build = 42", 1), ("version = 9.1", 2),
      ("os = \"iPhone OS 17*\"", 3), ("region = DE and version = 9.0", 1), ("testFlight = true", 1),
      ("not testFlight = true", 2), ("lowPower = true", 0), ("user = ada", 1),
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

  @Test("a dimension that no payload has is named, with the nearest one")
  func unknown() async throws {
    try await store()
    let result = await run("stats", "--where", "devise = iPhone12,1")
    #expect(result.err == ["mistertop stats: no sample has a field named devise; did you mean device?"])
    #expect(result.code == .failed)
  }
}
