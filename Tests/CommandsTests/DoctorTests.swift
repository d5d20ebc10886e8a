import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

@testable import Commands

@Suite("doctor and tail")
struct DoctorTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("app.jsonl") }
  private let output = Recorder<String>()
  private let complaints = Recorder<String>()

  private var console: Console {
    Console(write: { output.append($0) }, writeError: { complaints.append($0) })
  }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func line(_ name: String, _ type: String, _ time: Double, _ json: String) -> String {
    let value = Data(json.utf8).base64EncodedString()
    return "{\"metric\":{\"bucket\":\"app\",\"name\":\"\(name)\",\"valueTypeString\":\"\(type)\"},"
      + "\"timestamp\":\(time),\"value\":\"\(value)\"}"
  }

  private func write(_ lines: [String], ending: String = "\n") throws {
    try Data((lines.joined(separator: "\n") + ending).utf8).write(to: URL(fileURLWithPath: path))
  }

  @Test("an empty file has no last line")
  func empty() throws {
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(DoctorCommand(console: console).run(paths: [path]) == .success)
    #expect(output.all.joined().contains("end       none: the file is empty\n"))
  }

  @Test("a packed file of two bytes has no last line either, and says so")
  func cutAtOnce() throws {
    try Data([0x1F, 0x8B]).write(to: URL(fileURLWithPath: path))
    #expect(DoctorCommand(console: console).run(paths: [path]) == .failed)
    #expect(output.all.joined().contains("end       none: nothing could be unpacked\n"))
  }

  @Test(
    "times without a zone that end whole quarters of an hour beside the file's own time have a fitting zone",
    arguments: [
      (32_400, "", "the last stamp is 9h ahead of the file's own time: --zone +09:00 fits"),
      (-18_000, "", "the last stamp is 5h behind the file's own time: --zone -05:00 fits"),
      (32_400, "Z", nil), (32_460, "", nil), (0, "", nil),
    ] as [(Double, String, String?)])
  func fittingZone(ahead: Double, zone: String, expected: String?) throws {
    let now = Date(timeIntervalSince1970: 1_795_000_000)
    let stamp = (now + ahead).formatted(.iso8601.dateTimeSeparator(.space).timeZoneSeparator(.omitted))
      .replacing("Z", with: "")
    try write(["{\"asctime\":\"\(stamp)\(zone)\",\"name\":\"app\",\"message\":\"m\",\"ms\":2}"])
    try FileManager.default.setAttributes([.modificationDate: now], ofItemAtPath: path)
    _ = DoctorCommand(console: console).run(paths: [path])
    let line = output.all.joined().split(separator: "\n").first { $0.hasPrefix("  zone ") }
    #expect(line.map(String.init) == expected.map { "  zone      missing; " + $0 })
  }

  @Test("of a folder, the files that are followed are examined, and the others are named")
  func folderOfFiles() throws {
    try write([line("n", "Int", 816_918_481, "1")])
    _ = try folder.write("{\"time\":1,\"msg\":\"m\",\"ms\":2}\n", to: "web.log")
    _ = try folder.write("GET /\n", to: "plain.log")
    _ = try folder.write("x", to: "a.txt")
    let place = folder.url.path
    _ = DoctorCommand(console: console).run(paths: [place])
    let text = output.all.joined()
    #expect(
      text.hasPrefix(
        "\(place): 2 files, left out: a.txt (not .jsonl, .ndjson, .log or .json), plain.log (no records at its start)\n"
      ))
    #expect(text.contains("app.jsonl: 1 line") && text.contains("web.log: 1 line"))
  }

  @Test("of a folder without records, nothing is examined")
  func folderWithoutRecords() throws {
    _ = try folder.write("GET /\n", to: "plain.log")
    let place = folder.url.path
    #expect(DoctorCommand(console: console).run(paths: [place]) == .failed)
    #expect(
      output.all == ["\(place) has no file of records; left out: plain.log (no records at its start)\n"])
    #expect(complaints.all == ["mistertop doctor: \(place): is a folder, not a file"])
  }

  @Test("tail of a folder says what it leaves out, each file once")
  func leftOut() throws {
    _ = try folder.write("GET /\n", to: "plain.log")
    let stop = WakeSignal()
    let place = folder.url.path
    let command = TailCommand(
      sources: [.folder(place)],
      console: Console(
        write: { _ in stop.raise() },
        writeError: {
          complaints.append($0)
          try? Data((line("n", "Int", 816_918_481, "1") + "\n").utf8).write(to: URL(fileURLWithPath: path))
        }))
    #expect(command.run(stop: stop) == .success)
    #expect(
      complaints.all == [
        "mistertop tail: \(place) has no file of records; left out: plain.log (no records at its start)"
      ])
  }

  @Test("a healthy file: what is in it, and exit code 0")
  func healthy() throws {
    try write([
      line("n", "Int", 816_918_481, "1"), line("n", "Int", 816_918_482, "2"),
      line("b", "Bool", 816_918_483, "true"),
    ])
    try Data().write(to: URL(fileURLWithPath: path + ".1"))
    #expect(DoctorCommand(console: console).run(paths: [path]) == .success)
    #expect(
      output.all.joined() == """
        \(path): 3 lines, 311 bytes
          samples   3 of 2 metrics: 2 numbers, 1 boolean
          shapes    3 as MisterMetrics writes them
          times     2026-11-21T01:48:01.000Z to 2026-11-21T01:48:03.000Z, in order
          end       complete: the last line ends with a newline
          rotated   app.jsonl.1
          rejected  none

        """)
  }

  @Test("rotated files are named, packed and dated ones too")
  func rotated() throws {
    try write([line("n", "Int", 816_918_481, "1")])
    let names = ["app.jsonl-2026-11-20.gz", "app.jsonl-2026-11-21", "app.jsonl.1", "app.jsonl.2.gz"]
    for name in names + ["app.jsonl.gz", "other.jsonl.1.gz"] { _ = try folder.write("", to: name) }
    #expect(DoctorCommand(console: console).run(paths: [path]) == .success)
    #expect(output.all.joined().contains("  rotated   \(names.joined(separator: ", "))\n"))
  }

  @Test("a sick file: each rejected line with its place and a harmless excerpt, and exit code 1")
  func sick() throws {
    let good = line("n", "Int", 816_918_490, "1")
    try write(
      [good, "no \u{1B}[31mjson", line("n", "Int", 816_918_480, "1") + "\r", "", "{\"torn"], ending: "")
    #expect(DoctorCommand(console: console).run(paths: [path]) == .failed)
    let text = output.all.joined()
    #expect(text.contains("5 lines"))
    #expect(text.contains("\(path):2:\(good.utf8.count + 1) "))
    #expect(text.contains("\(path):5:"))
    #expect(text.contains("1 out of order, at most 10s late (byte \(good.utf8.count + 1 + 13))"))
    #expect(text.contains("1 end with CR LF"))
    #expect(text.contains("1 blank"))
    #expect(text.contains("torn: 6 bytes after the last newline"))
    #expect(!text.contains("\u{1B}"))
  }

  @Test("a carriage return without a newline ends no line")
  func carriageReturns() throws {
    try write([line("n", "Int", 816_918_490, "1") + "\r"], ending: "")
    _ = DoctorCommand(console: console).run(paths: [path])
    #expect(!output.all.joined().contains("CR LF"))
  }

  @Test("times that are too far apart to be subtracted are told in words")
  func farApart() throws {
    let first = line("n", "Int", 1.7e308, "1")
    try write([first, line("n", "Int", -1.7e308, "1")])
    _ = DoctorCommand(console: console).run(paths: [path])
    let text = output.all.joined()
    #expect(
      text.contains("1 out of order, one by more seconds than can be counted (byte \(first.utf8.count + 1))"))
    #expect(!text.contains("inf s"))
  }

  @Test("a last line that is too long and has no end is no complete one")
  func tornLong() {
    var findings = DoctorFindings(mapping: nil)
    let part = [UInt8](repeating: 0x78, count: 9 << 20)
    for _ in 0..<2 { part.withUnsafeBytes { findings.add($0) } }
    findings.finish()
    #expect(
      findings.isTorn
        && findings.text(of: "x", rotated: []).contains("torn: what follows the last newline has no end"))
  }

  @Test("a file that cannot be read is complained of")
  func unreadable() {
    #expect(DoctorCommand(console: console).run(paths: [path + "-none"]) == .failed)
    #expect(complaints.all == ["mistertop doctor: \(path)-none: no such file"])
  }

  @Test("tail prints the samples of standard input as safe lines and ends with it")
  func tail() throws {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    let text = [
      line("n", "Double", 816_918_481.5, "428.5"), line("t", "String", 816_918_482, #""a\u001bb""#),
      "no json",
      line("s", "Startup", 816_918_483, "{\"ms\":1}"), "",
    ].joined(separator: "\n")
    let bytes = Array(text.utf8)
    _ = Foundation.write(ends[1], bytes, bytes.count)
    close(ends[1])
    let code = TailCommand(sources: [.standardInput], console: console).run(input: ends[0])
    close(ends[0])
    #expect(code == .success)
    let lines = output.all.joined().split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first == "2026-11-21T01:48:01.500Z  app.n  428.5")
    #expect(lines.last == "2026-11-21T01:48:03.000Z  app.s  {\"ms\":1}")
    #expect(!lines.joined().contains("\u{1B}"))
    #expect(complaints.all.count == 1)
    #expect(complaints.all.first?.hasPrefix("mistertop tail: -, byte ") == true)
  }

  @Test("tail of a packed stream that is cut says so as of a file, and fails")
  func tailOfCutStream() throws {
    let text = Array((line("n", "Int", 816_918_481, "1") + "\n").utf8)
    let length = UInt16(text.count)
    let block =
      withUnsafeBytes(of: length.littleEndian) { Array($0) }
      + withUnsafeBytes(of: (~length).littleEndian) { Array($0) }
    let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 0]
    try Data(head + block + text).write(to: URL(fileURLWithPath: path))
    let descriptor = try Posix.open(path)
    defer { Posix.close(descriptor) }
    let stream = TailCommand(sources: [.standardInput], console: console).run(input: descriptor)
    let ofStream = (
      output.all.joined(), complaints.all.map { $0.replacingOccurrences(of: " -: ", with: " ") }
    )
    let file = TailCommand(sources: [], packed: [path], console: console).run()
    #expect(stream == .failed && file == .failed)
    #expect(output.all.joined() == ofStream.0 + ofStream.0 && ofStream.0.contains("app.n  1"))
    #expect(
      complaints.all.suffix(1).map { $0.replacingOccurrences(of: " \(path): ", with: " ") } == ofStream.1)
    #expect(ofStream.1.count == 1 && ofStream.1[0].contains("is damaged or cut off at byte "))
  }

  @Test("tail of a standard input that cannot be read ends and fails")
  func tailOfUnreadable() throws {
    let descriptor = try Posix.open(folder.url.path)
    defer { Posix.close(descriptor) }
    #expect(TailCommand(sources: [.standardInput], console: console).run(input: descriptor) == .failed)
    #expect(complaints.all == ["mistertop tail: - cannot be read: Is a directory"])
  }

  @Test("tail of a file follows it until it is stopped")
  func follow() async throws {
    try write([line("n", "Int", 816_918_481, "1")])
    let stop = WakeSignal()
    let command = TailCommand(sources: [.file(path)], console: console)
    let thread = Thread { _ = command.run(stop: stop) }
    thread.start()
    // Only ends a test that fails: beside all others the thread may wait long for a processor.
    let limit = Date().addingTimeInterval(300)
    func wait(for count: Int) async throws {
      while output.all.joined().split(separator: "\n").count < count, Date() < limit {
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    try await wait(for: 1)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data((line("n", "Int", 816_918_482, "2") + "\n").utf8))
    try await wait(for: 2)
    stop.raise()
    #expect(
      output.all.joined() == "2026-11-21T01:48:01.000Z  app.n  1\n2026-11-21T01:48:02.000Z  app.n  2\n")
  }
}
