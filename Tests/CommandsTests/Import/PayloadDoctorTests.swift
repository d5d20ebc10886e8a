import Commands
import Foundation
import TestSupport
import Testing

@Suite("doctor of payloads")
struct PayloadDoctorTests {
  private let fixture: ImportFixture

  init() throws {
    fixture = try ImportFixture()
  }

  private func examine(_ text: String, name: String = "day.json") throws -> (code: ExitCode, text: String) {
    let path = try fixture.write(text, to: name)
    let code = DoctorCommand(console: fixture.console).run(paths: [path])
    return (code, fixture.text)
  }

  @Test("a payload: what it is, when and where it was, what is odd about it, each with its place")
  func portrait() throws {
    let (code, text) = try examine(
      """
      {"appVersion":"9.1","multipleAppVersions":"1","timeStampBegin":"2025-03-30 00:00:00",
      "timeStampEnd":"2025-03-31 00:00:00","colour":1,
      "metaData":{"deviceType":"iPhone17,2","osVersion":"iPhone OS 18.0 (22A1)","appBuildVersion":"7"},
      "memoryMetrics":{"peakMemoryUsage":"200.000 kB"},"cpuMetrics":{"cumulativeCPUTime":"5 Elefanten"},
      "applicationLaunchMetrics":{"histogrammedTimeToFirstDraw":{"histogramNumBuckets":2,"histogramValue":{
      "0":{"bucketCount":4,"bucketStart":"820 ms","bucketEnd":"829 ms"},"1":{}}}}}
      """)
    #expect(code == .success)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("day.json: 1 payload, "))
    #expect(
      lines[1...8].map { $0.hasPrefix("    content") ? "    content" : $0 } == [
        "  metrics, at line 1",
        "    version  9.1",
        "    window   2025-03-30 00:00:00 to 2025-03-31 00:00:00, 24 h",
        "    zone     missing; times are local to the device (see import --zone)",
        "    device   iPhone17,2, iPhone OS 18.0 (22A1), build 7",
        "    values   1 number and 1 histogram of 1 bin",
        "    flags    values of several versions",
        "    kB       is 1024 bytes, not 1000, so an MB of iOS 27 is 1024000 (except for disk space): "
          + "memoryMetrics.peakMemoryUsage of 200000 kB is 204.8 MB",
      ])
    #expect(
      Set(lines.dropFirst(10)) == [
        "  odd       6",
        "    cpuMetrics.cumulativeCPUTime: “5 Elefanten” where sec, not elefanten, was expected",
        "    applicationLaunchMetrics.histogrammedTimeToFirstDraw: Apple writes this as "
          + "histogrammedTimeToFirstDrawKey",
        "    applicationLaunchMetrics.histogrammedTimeToFirstDraw.histogramValue.1: an empty bin, left out",
        "    colour: an unknown key, kept as it is",
        "    line 1: quantities in the form of a region: “200.000 kB”",
        "    line 1: figures of several versions of the app", "  errors    none",
      ])
  }

  @Test("of a folder every file is examined, and a broken or empty one named .json is a payload file")
  func folder() throws {
    try fixture.write(ImportFixture.metrics(), to: "in/a.json")
    try fixture.write("{\"payload\":\"AAAA\"}", to: "in/b.json")
    try fixture.write("", to: "in/sub/c.json")
    try fixture.write("x", to: "in/notes.txt")
    #expect(DoctorCommand(console: fixture.console).run(paths: [fixture.folder.path("in")]) == .failed)
    let text = fixture.text
    #expect(
      text.contains("in/a.json: 1 payload, ") && !text.contains("as MisterMetrics writes them"), "\(text)")
    #expect(text.contains("in/b.json: line 1: payload: no key of a payload"), "\(text)")
    #expect(text.contains("in/sub/c.json: line 1: nothing to read"), "\(text)")
    #expect(text.contains("in: 3 files, ") && text.contains("notes.txt"), "\(text)")
    #expect(fixture.problems == [])
  }

  @Test("diagnostics, repetitions and a broken rest in one file")
  func several() throws {
    let (code, text) = try examine(
      "\(ImportFixture.crash)\n\(ImportFixture.crash)\n{\"appVersion\":\n", name: "all.ndjson")
    #expect(code == .failed)
    #expect(text.contains("  diagnostics: 1 crash, at line 1\n    version  9.0\n"))
    #expect(text.contains("    window   2025-03-29 08:00:00 +0000, a single moment\n    zone     given\n"))
    #expect(text.contains("  repeated  1\n    line 3\n"))
    #expect(text.contains("  errors    1\n    all.ndjson: line 6, column 1 (byte "))
  }

  @Test("a packed file is examined unpacked")
  func packed() throws {
    let data = try #require(Data(base64Encoded: ImportFixture.packedCrash))
    let url = fixture.folder.url.appendingPathComponent("crash.json.gz")
    try data.write(to: url)
    #expect(DoctorCommand(console: fixture.console).run(paths: [url.path]) == .success)
    #expect(fixture.text.contains("  diagnostics: 1 crash, at line 1\n"))
    try data.prefix(40).write(to: url)
    #expect(DoctorCommand(console: fixture.console).run(paths: [url.path]) == .failed)
    #expect(fixture.problems.first?.contains("is damaged or truncated at byte 40") == true)
  }

  @Test("standard input is examined as what it is")
  func input() throws {
    func examine(_ text: String) throws -> ExitCode {
      let file = try #require(FileHandle(forReadingAtPath: try fixture.write(text, to: "input")))
      return DoctorCommand(console: fixture.console).run(paths: ["-"], input: file.fileDescriptor)
    }
    #expect(try examine(ImportFixture.crash) == .success)
    #expect(fixture.text.hasPrefix("-: 1 payload, "))
    #expect(fixture.text.contains("  diagnostics: 1 crash, at line 1\n"))
    #expect(try examine(ImportFixture.crash + "{") == .failed)
    #expect(try examine("no JSON\n") == .failed)
    #expect(fixture.text.contains("-: 1 line, 8 bytes\n"))
    #expect(try examine("") == .success)
    #expect(
      DoctorCommand(console: fixture.console).run(paths: [fixture.folder.path("in")]) == .failed)
    #expect(
      fixture.problems == ["mistertop doctor: in: is a folder, not a file"])
  }

  @Test(
    "other files are examined as metrics files, whatever their lines speak of",
    arguments: [
      #"{"metric":{"bucket":"payload","name":"hits","valueTypeString":"Int"},"timestamp":1,"value":"MQ=="}"#,
      #"{"value":"MQ==","timestamp":1,"metric":{"name":"payloads","valueTypeString":"Int"},"payload":{}}"#,
      "no JSON", "", "{\"name\":1}", "{\"torn\n", "\u{1}\u{2}",
    ])
  func metrics(line: String) throws {
    let (_, text) = try examine(line + "\n", name: "x.jsonl")
    #expect(text.contains("  samples   "))
  }

  @Test("nothing that a payload says reaches the terminal as it is")
  func hostile() throws {
    let (_, text) = try examine(
      ##"{"appVersion":"\u001b[2J","\u009b31m":1,"metaData":{"osVersion":"\u202e"},"cpuMetrics":"\u001b]52;c;aGk=\u0007"}"##
    )
    #expect(
      !text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" || $0 == "\u{202E}" || $0 == "\u{7}" })
  }
}
