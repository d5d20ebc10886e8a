import Foundation
import TestSupport
import Testing

@Suite("Payloads from files to the screen")
struct ImportEndToEndTests {
  private let folder: TemporaryFolder
  private var store: String { folder.path("store.jsonl") }

  private var environment: [String: String] {
    ["LC_ALL": "C.UTF-8", "MISTERTOP_STORE": store, "XDG_STATE_HOME": folder.path("state")]
  }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func payload(day: Int, launches: Int) -> String {
    """
    {"appVersion":"4.2","timeStampBegin":"2025-03-\(day) 00:00:00","timeStampEnd":"2025-03-\(day) 23:59:00",
    "memoryMetrics":{"peakMemoryUsage":"200,000 kB"},
    "applicationTimeMetrics":{"cumulativeForegroundTime":"700秒"},
    "applicationLaunchMetrics":{"histogrammedTimeToFirstDrawKey":{"histogramNumBuckets":1,"histogramValue":{
      "0":{"bucketCount":\(launches),"bucketStart":"820 ms","bucketEnd":"829 ms"}}}}}
    """
  }

  private func imports(_ arguments: String...) throws -> (status: Int32, output: String) {
    try Shell.run(
      try Shell.program, ["import"] + arguments,
      environment: environment.merging(["TZ": "UTC"]) { $1 })
  }

  @Test("what import recorded, stats, tail, export and the screens show")
  func throughTheStore() throws {
    try FileManager.default.createDirectory(atPath: folder.path("days"), withIntermediateDirectories: true)
    for day in 10..<14 {
      _ = try folder.write(payload(day: day, launches: day), to: "days/\(day).json")
    }
    let (status, output) = try imports(folder.path("days"))
    #expect(status == 0)
    #expect(
      output.hasPrefix("4 payloads in 4 files: 4 of metrics\n  recorded   4, as 20 entries in \(store)\n"))
    #expect(try imports(folder.path("days")).output.contains("  recorded   nothing\n"))
    let stats = try Shell.mistertop("stats", "--fields", "--format", "csv", store)
    #expect(stats.output.contains("payload,memoryMetrics.peakMemoryUsage,PayloadScalar,4,200000,200000,"))
    #expect(stats.output.contains("applicationLaunchMetrics.histogrammedTimeToFirstDraw,PayloadHistogram,4,"))
    for screen in ["live", "history"] {
      let (status, output) = try Shell.mistertop("snapshot", "--screen", screen, store)
      #expect(status == 0 && output.contains("payload"))
    }
    let export = try Shell.mistertop("export", "--format", "jsonl", store)
    #expect(export.output == (try String(contentsOfFile: store, encoding: .utf8)))
  }

  @Test("import reads standard input and the zone, and says by its end that something is wrong")
  func standardInput() throws {
    let program = try Shell.program
    let fine = try Shell.run(
      program, ["import", "--zone", "Asia/Tokyo", "-"], environment: environment,
      input: payload(day: 10, launches: 1))
    #expect(fine.status == 0 && fine.output.contains("1 without a time zone, read as Asia/Tokyo"))
    let broken = try Shell.run(
      program, ["import", "--zone=Asia/Tokyo", "-"], environment: environment,
      input: "{\"appVersion\":\"1\",\n\n")
    #expect(broken.status == 1)
    #expect(
      broken.output.contains("mistertop import: -: line 3, column 1 (byte 20): the JSON ends too early\n"))
    let usage = try Shell.run(program, ["import", "--zone", "Middle/Earth", "-"], environment: environment)
    #expect(usage.status == 2)
    let nothing = try Shell.run(program, ["import"], environment: environment)
    #expect(nothing.status == 2)
  }

  @Test(
    "whoever ends it, and whenever, the next import completes what is in the store",
    arguments: [SIGTERM, SIGKILL])
  func ending(signal: Int32) throws {
    try FileManager.default.createDirectory(atPath: folder.path("days"), withIntermediateDirectories: true)
    for index in 0..<2_000 {
      _ = try folder.write(payload(day: 10 + index % 20, launches: 1 + index), to: "days/\(index).json")
    }
    for wait in [1, 30, 60, 90] {
      let child = try ChildProcess(
        try Shell.program, ["import", "--store", store, folder.path("days")], environment: environment,
        output: folder.path("out"))
      _ = child.wait(upTo: .milliseconds(wait))
      child.send(signal)
      let ending = child.wait()
      #expect([.killed(signal), .exited(0)].contains(ending))
    }
    #expect(try imports(folder.path("days")).status == 0)
    let lines = try String(contentsOfFile: store, encoding: .utf8).split(separator: "\n")
    #expect(lines.count { $0.hasSuffix("}") } == 10_000)
    #expect(Set(lines).count == lines.count)
  }

  @Test("imports at the same time record each payload once")
  func together() throws {
    try FileManager.default.createDirectory(atPath: folder.path("days"), withIntermediateDirectories: true)
    for index in 0..<500 {
      _ = try folder.write(payload(day: 10 + index % 20, launches: 1 + index), to: "days/\(index).json")
    }
    let program = try Shell.program
    let children = try (0..<4).map { number in
      try ChildProcess(
        program, ["import", folder.path("days")], environment: environment,
        output: folder.path("out\(number)"))
    }
    for child in children { #expect(child.wait() == .exited(0)) }
    let lines = try String(contentsOfFile: store, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2_500)
    #expect(Set(lines).count == lines.count)
    let outputs = try (0..<4).map { try String(contentsOfFile: folder.path("out\($0)"), encoding: .utf8) }
    #expect(outputs.count { $0.contains("  recorded   500, as 2500 entries") } == 1)
    #expect(outputs.count { $0.contains("  skipped    500 already in the store\n") } == 3)
  }

  @Test("doctor tells a payload file from a metrics file")
  func doctor() throws {
    let path = try folder.write(payload(day: 10, launches: 1), to: "day.json")
    let (status, output) = try Shell.mistertop("doctor", path)
    #expect(status == 0)
    #expect(output.contains("metrics, at line 1\n"))
    #expect(output.contains("quantities in the form of a region: “700秒”"))
    #expect(try imports(path).status == 0)
    let metrics = try Shell.mistertop("doctor", store)
    #expect(metrics.status == 0)
    #expect(metrics.output.contains("  samples   5 of 5 metrics: 5 structs\n"))
  }
}
