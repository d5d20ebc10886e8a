import Foundation
import TestSupport
import Testing

@Suite("Files of payloads opened as they are")
struct PayloadOpeningEndToEndTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["days", "tmp"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    for day in 10..<14 {
      _ = try folder.write(payload(day: day, version: day < 12 ? "4.1" : "4.2"), to: "days/\(day).json")
    }
    _ = try folder.write("{\"appVersion\":", to: "days/broken.json")
  }

  private func payload(day: Int, version: String) -> String {
    """
    {"appVersion":"\(version)","timeStampBegin":"2025-03-\(day) 00:00:00","timeStampEnd":"2025-03-\(day) 23:59:00",
    "applicationLaunchMetrics":{"histogrammedTimeToFirstDrawKey":{"histogramNumBuckets":1,"histogramValue":{
      "0":{"bucketCount":\(day),"bucketStart":"820 ms","bucketEnd":"829 ms"}}}}}
    """
  }

  private var environment: [String: String] {
    ["TZ": "UTC", "TMPDIR": folder.path("tmp"), "XDG_STATE_HOME": folder.path("state")]
  }

  private func cleanupFolder() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp"))
  }

  @Test("the dashboard opens on what they tell, says what is broken, and leaves nothing behind")
  func dashboard() throws {
    let tmux = try Tmux(
      width: 120, height: 36, command: "\(try Shell.program) \"\(folder.path("days"))\"",
      environment: environment)
    try tmux.waitUntil("the histogram of the payloads") {
      $0[0].contains(" days ")
    }
    #expect(try cleanupFolder().count == 1)
    let log = try String(contentsOfFile: folder.path("state/mistertop/mistertop.log"), encoding: .utf8)
    #expect(log.contains("broken.json: line 1, column 15 (byte 14): the JSON ends too early"))
    try tmux.type("Q")
    try tmux.waitFor("[ended 0]")
    #expect(try cleanupFolder().isEmpty)
  }

  @Test("snapshot draws a histogram of them, with its choices as options")
  func snapshot() throws {
    let metric = "applicationLaunchMetrics.histogrammedTimeToFirstDraw"
    let (status, output) = try Shell.mistertop(
      "snapshot", "--screen", "histogram", "--metric", metric, "--a", "version=4.2", "--b", "version=4.1",
      folder.path("days"), environment: environment)
    #expect(status == 1)
    #expect(output.contains("mistertop snapshot: \(folder.path("days/broken.json")): line 1, column 15"))
    #expect(output.contains("A 4.2 vs B 4.1"))
    #expect(output.contains("820-830"))
    #expect(try cleanupFolder().isEmpty)
    let unknown = try Shell.mistertop(
      "snapshot", "--screen", "histogram", "--metric", "nope", folder.path("days"), environment: environment)
    #expect(unknown.status == 1 && unknown.output.contains("there is no metric named nope"))
  }

  @Test("where nothing can be read the reason is told, and the end is a failure")
  func nothing() throws {
    let path = folder.path("days/broken.json")
    for arguments in [[path], ["snapshot", path]] {
      let (status, output) = try Shell.run(
        try Shell.program, arguments, environment: environment.merging(["LC_ALL": "C.UTF-8"]) { $1 })
      #expect(status == 1)
      #expect(
        output == """
          mistertop: \(path): line 1, column 15 (byte 14): the JSON ends too early
          mistertop: none of these files contains a payload that could be read

          """)
    }
    #expect(try cleanupFolder().isEmpty)
  }

  @Test(
    "commands that read metrics files say how payloads become one", arguments: ["stats", "export", "tail"])
  func advice(command: String) throws {
    let path = folder.path("days/10.json")
    let (status, output) = try Shell.mistertop(command, path)
    #expect(status == 1)
    #expect(
      output
        == "mistertop \(command): \(path) contains MetricKit payloads; import them first with: "
        + "mistertop import \(path) --store metrics.jsonl\n")
  }
}
