import Foundation
import TestSupport
import Testing

@Suite("The configuration in tmux", .serialized)
struct ConfigurationEndToEndTests {
  private let folder: TemporaryFolder
  private let program: String

  init() throws {
    folder = try TemporaryFolder()
    program = try Shell.program
  }

  private func record(_ value: Int, in path: String) throws {
    let (status, output) = try Shell.mistertop("record", "app", "load_ms", "\(value)", "--store", path)
    try #require(status == 0, "\(output)")
  }

  @Test("a limit of the file warns, runs its command once, and keys are those of the file")
  func limit() throws {
    let rang = folder.path("rang")
    let config = try folder.write(
      """
      { // mine
        them: "dark",
        limits: [{ metric: "app.*", above: 100, figure: "now", bell: true,
          command: "echo $MISTERTOP_METRIC $MISTERTOP_VALUE $MISTERTOP_LIMIT >> '\(rang)'" }],
        keys: { "filter": "F7" },
      }
      """, to: "config.json5")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: config)
    let path = folder.path("app.jsonl")
    try record(5, in: path)
    let tmux = try Tmux(width: 120, height: 36, command: "\(program) --config \(config) \(path)")
    try tmux.waitFor("config.json5, line 2: them: there is no such key; did you mean theme?")
    try tmux.waitUntil("the key of the file") { $0.last?.contains("F7 filter") == true }
    try tmux.waitUntil("the first value") { $0.contains { $0.contains("load_ms") } }
    try record(500, in: path)
    try tmux.waitUntil("the alert") { $0.contains { $0.contains("now 500ms > 100ms") } }
    try tmux.waitUntil("the command") { _ in FileManager.default.fileExists(atPath: rang) }
    try record(600, in: path)
    try tmux.waitUntil("the next value") { $0.contains { $0.contains("now 600ms > 100ms") } }
    try tmux.type("q")
    try tmux.waitFor("[ended 0]")
    #expect(try String(contentsOfFile: rang, encoding: .utf8) == "app.load_ms 500.0 100.0\n")
  }

  @Test("filter, order, window, screen, theme and limit come back with the file")
  func comesBack() throws {
    let path = try folder.write(Fixture.app(), to: "app.jsonl")
    let environment = ["XDG_STATE_HOME": folder.path("state")]
    let first = try Tmux(width: 120, height: 36, command: "\(program) \(path)", environment: environment)
    try first.waitFor("/ filter")
    try first.type("/")
    try first.paste("ms")
    try first.type("Enter")
    try first.waitFor("/ ms")
    try first.type("s", "+", "C-t")
    try first.waitFor("Theme: ")
    try first.type("#")
    try first.waitFor("limit for ")
    try first.paste("7")
    try first.type("Enter")
    try first.waitFor("Limit for ")
    try first.type("Q")
    try first.waitFor("[ended 0]")
    let second = try Tmux(width: 120, height: 36, command: "\(program) \(path)", environment: environment)
    try second.waitFor("/ ms")
    try second.waitUntil("order and window") { rows in
      rows.contains { $0.contains("── s now") } && rows.contains { $0.contains("LAST 1m") }
    }
    try second.type("2")
    try second.waitUntil("the history") { $0.contains { $0.contains("samples in view") } }
    try second.type("Q")
    try second.waitFor("[ended 0]")
    let third = try Tmux(width: 120, height: 36, command: "\(program) \(path)", environment: environment)
    try third.waitUntil("the history") { $0.contains { $0.contains("samples in view") } }
    try third.type("Q")
    try third.waitFor("[ended 0]")
  }

  @Test("a configuration is checked without a terminal")
  func check() throws {
    let config = try folder.write("{theme: 'dark',\n window: '5m'}", to: "config.json5")
    let fine = try Shell.mistertop("--check-config", config)
    #expect(fine.status == 0 && fine.output == "\(config): fine\n")
    let bad = try folder.write("{theme: 'drak',\n windw: '5m'}", to: "bad.json5")
    let wrong = try Shell.mistertop("--check-config", bad)
    #expect(wrong.status == 1)
    #expect(
      wrong.output.split(separator: "\n").map { $0.dropFirst(bad.count) } == [
        ", line 1: theme: unknown 'drak'; expected auto, dark, night, high-contrast, light or paper; did you mean dark?",
        ", line 2: windw: there is no such key; did you mean window?",
      ])
  }
}
