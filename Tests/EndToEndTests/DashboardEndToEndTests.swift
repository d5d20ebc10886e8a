import Foundation
import MisterMetricsCore
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The real program in a real terminal emulator.
///
/// One after the other: each wants the machine's two cores.
@Suite("The dashboard in tmux", .serialized)
struct DashboardEndToEndTests {
  private let folder: TemporaryFolder
  private let program: String

  init() throws {
    folder = try TemporaryFolder()
    program = try Shell.program
  }

  /// A picture without what depends on the moment it was taken: the age of the newest sample and the lines a second.
  private func timeless(_ rows: [String]) -> [String] {
    rows.map { row in
      row.replacingOccurrences(of: "[0-9.]+k?/s", with: "RATE/s", options: .regularExpression)
        .replacingOccurrences(of: "newest .* ago", with: "newest AGE ago", options: .regularExpression)
        .replacingOccurrences(of: " +", with: " ", options: .regularExpression)
        .trimmingCharacters(in: .whitespaces)
    }
  }

  private func snapshot(_ path: String, _ size: String) throws -> [String] {
    let (status, output) = try Shell.mistertop("snapshot", "--screen", "live", "--size", size, path)
    try #require(status == 0, "\(output)")
    return output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { String($0) }
  }

  @Test(
    "shows what snapshot prints, cell for cell",
    arguments: [(120, 36), (80, 24), (40, 12), (20, 5), (240, 80)])
  func equalsSnapshot(width: Int, height: Int) throws {
    let path = try folder.write(Fixture.app(), to: "app.jsonl")
    let expected = timeless(try snapshot(path, "\(width)x\(height)"))
    let tmux = try Tmux(width: width, height: height, command: "\(program) \(path)")
    let rows = try tmux.waitFor(rows: expected, "the picture that snapshot prints", reading: timeless)
    #expect(rows.count == height)
  }

  @Test("a pipe of another program's lines has a history, and one key leaves it")
  func pipe() throws {
    let lines = (0..<200).map { number in
      "{\"level\":30,\"time\":\(1_795_454_102_000 + number * 10),\"msg\":\"done\",\"ms\":\(number)}\n"
    }
    let path = try folder.write(lines.joined(), to: "app.log")
    let tmux = try Tmux(width: 100, height: 24, command: "(cat \(path); sleep 60) | \(program) -")
    try tmux.waitUntil("what was recognized") { $0.contains { $0.contains("standard input (pino log)") } }
    try tmux.type("2")
    try tmux.waitUntil("the history") { $0.contains { $0.contains("n 200") } }
    try tmux.type("1")
    try tmux.waitUntil("the first screen") { $0.contains { $0.contains(" WHY") } }
    try tmux.type("q")
    try tmux.waitFor("standard input: ")
    #expect(try !tmux.isAlternateScreen())
  }

  @Test("follows every change of the window's size")
  func resize() throws {
    let path = try folder.write(Fixture.app(), to: "app.jsonl")
    let tmux = try Tmux(width: 120, height: 36, command: "\(program) \(path)")
    for (width, height) in [(80, 24), (33, 7), (200, 50), (12, 3), (40, 12), (120, 36)] {
      try tmux.resize(width: width, height: height)
      let expected = timeless(try snapshot(path, "\(width)x\(height)"))
      try tmux.waitFor(rows: expected, "the picture at \(width)x\(height)", reading: timeless)
    }
  }

  @Test("a file that mistertop record writes meanwhile is live on the screen")
  func recordCommand() throws {
    let path = folder.path("live.jsonl")
    let tmux = try Tmux(width: 100, height: 30, command: "\(program) \(path)")
    for value in [111, 222, 333] {
      let (status, output) = try Shell.mistertop("record", "app", "probe", "\(value)", "--store", path)
      try #require(status == 0, "\(output)")
      try tmux.waitUntil("the value \(value)") {
        $0.contains { $0.contains("probe") && $0.contains("\(value)") }
      }
    }
    #expect(try tmux.screen()[0].contains("LIVE"))
  }

  @Test("a file that a program records into with the library is live on the screen")
  func library() async throws {
    let path = folder.path("library.jsonl")
    let store = try MetricFileStore(file: URL(fileURLWithPath: path))
    let metric = Bucket("app").intMetric("linked")
    let tmux = try Tmux(width: 100, height: 30, command: "\(program) \(path)")
    for value in [417, 528] {
      try await store.record(metric, value: value)
      try tmux.waitUntil("the value \(value)") {
        $0.contains { $0.contains("linked") && $0.contains("\(value)") }
      }
    }
  }

  @Test("the demo records while it is looked at")
  func demo() throws {
    let tmux = try Tmux(width: 120, height: 36, command: "\(program) demo")
    try tmux.waitFor("LIVE")
    // Only what arrives after the opening has a pace.
    try tmux.waitFor("/s ")
    try tmux.type("q")
    try tmux.waitFor("demo.jsonl: ")
    try tmux.waitFor("[ended 0]")
  }

  @Test("goes on with the new file when the old one is renamed away")
  func rotation() throws {
    let path = folder.path("log.jsonl")
    let now = Date().timeIntervalSinceReferenceDate
    try Data(Fixture.line("111", name: "before", time: now).utf8).write(to: URL(fileURLWithPath: path))
    let tmux = try Tmux(width: 100, height: 30, command: "\(program) \(path)")
    try tmux.waitFor("before")
    try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
    try Data(Fixture.line("222", name: "after", time: now + 1).utf8).write(to: URL(fileURLWithPath: path))
    let rows = try tmux.waitFor("after")
    #expect(rows.contains { $0.contains("before") })
  }

  @Test("Space freezes the picture, counts what is new and loses nothing")
  func freeze() throws {
    let path = folder.path("live.jsonl")
    let now = Date().timeIntervalSinceReferenceDate
    try Data(Fixture.line("111", name: "probe", time: now).utf8).write(to: URL(fileURLWithPath: path))
    let tmux = try Tmux(width: 120, height: 36, command: "\(program) \(path)")
    try tmux.waitFor("LIVE")
    try tmux.type("Space")
    try tmux.waitFor("‖")
    for value in [222, 333] {
      _ = try Shell.mistertop("record", "app", "probe", "\(value)", "--store", path)
    }
    let frozen = try tmux.waitFor("+2 new")
    #expect(!frozen.contains { $0.contains("333") })
    try tmux.type("Space")
    try tmux.waitFor("333")
  }

  @Test("names made to break a terminal neither reach it nor move a column")
  func hostile() throws {
    let path = try folder.write(Fixture.hostile, to: "hostile.jsonl")
    let tmux = try Tmux(width: 120, height: 36, command: "\(program) \(path)")
    let rows = try tmux.waitUntil("all that the file tells") { rows in
      let text = rows.joined()
      return text.contains("filler") && !text.contains("Looking for incidents")
    }
    #expect(rows.filter { $0.hasPrefix("│") }.allSatisfy { "│┐┘".contains($0.last ?? " ") })
    #expect(rows.count == 36)
    #expect(timeless(rows) == timeless(try snapshot(path, "120x36")))
    let scalars = rows.joined().unicodeScalars
    #expect(
      scalars.allSatisfy {
        !$0.properties.isDefaultIgnorableCodePoint && $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
      })
    try tmux.type("q")
    try tmux.waitFor("[ended 0]")
  }

  @Test("gives the terminal back as it was when the person leaves", arguments: ["q", "Q", "C-c"])
  func leaving(key: String) throws {
    let path = try folder.write(Fixture.app(), to: "app.jsonl")
    let tmux = try Tmux(width: 80, height: 24, command: "\(program) \(path)")
    try tmux.waitFor("push_ms")
    #expect(try tmux.isAlternateScreen())
    try tmux.type(key)
    try checkRestored(tmux)
  }

  @Test(
    "gives the terminal back as it was when a signal ends it",
    arguments: [SIGTERM, SIGHUP, SIGINT, SIGSEGV, SIGABRT])
  func signals(signal: Int32) throws {
    let path = try folder.write(Fixture.app(), to: "app.jsonl")
    let note = folder.path("process")
    let tmux = try Tmux(
      width: 80, height: 24, command: "sh -c \"echo \\$\\$ > \(note); exec \(program) \(path)\"")
    try tmux.waitFor("push_ms")
    let text = try String(contentsOfFile: note, encoding: .utf8).trimmingCharacters(
      in: .whitespacesAndNewlines)
    #expect(kill(try #require(pid_t(text)), signal) == 0)
    try checkRestored(tmux)
  }

  private func checkRestored(_ tmux: Tmux) throws {
    try tmux.waitFor("[ended ")
    #expect(try !tmux.isAlternateScreen())
    // Lines are gathered and shown as they are typed again.
    try tmux.waitUntil("the terminal's settings") { rows in
      rows.contains { " \($0) ".contains(" icanon ") && " \($0) ".contains(" echo ") }
    }
    try tmux.paste("typed\n")
    try tmux.waitFor("typed")
  }
}
