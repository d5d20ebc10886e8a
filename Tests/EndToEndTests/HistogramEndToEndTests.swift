import Foundation
import TestSupport
import Testing

/// The Histogram screen of the real program in a real terminal emulator, by keys alone.
@Suite("The histogram in tmux", .serialized)
struct HistogramEndToEndTests {
  private let folder: TemporaryFolder
  private let program: String
  private let path: String
  /// How many samples of version 2.1 lie from 300 to 350.
  private let slow: Int

  init() throws {
    folder = try TemporaryFolder()
    program = try Shell.program
    var generator = SeededGenerator(seed: 11)
    var text = ""
    var slow = 0
    for index in 0..<3000 {
      let version = index < 1000 ? "1.9" : index < 2000 ? "2.0" : "2.1"
      var value =
        100 + Double.random(in: 0..<60, using: &generator) + Double.random(in: 0..<60, using: &generator)
      // One of ten is slow in the newest version.
      if version == "2.1", index % 10 == 0 { value = Double.random(in: 300..<350, using: &generator) }
      if version == "2.1", value >= 300, value < 350 { slow += 1 }
      text += Fixture.line(
        "{\"total_ms\":\(value),\"ver\":\"\(version)\",\"outcome\":\"\(value > 330 ? "fail" : "ok")\"}",
        name: "push", bucket: "sync", type: "Push", time: Fixture.longAgo + Double(index) / 5)
    }
    self.slow = slow
    path = try folder.write(text, to: "app.jsonl")
  }

  private func tmux() throws -> Tmux {
    try Tmux(
      width: 120, height: 36, command: "\(program) \"\(path)\"",
      environment: ["TZ": "UTC", "XDG_CACHE_HOME": folder.path("cache")])
  }

  @Test func `Two versions are compared by keys, the verdict is read, a bin is opened, and back`() throws {
    let tmux = try tmux()
    try tmux.waitUntil("the overview") {
      $0.contains { $0.contains(" WHY ") } && $0.contains { $0.contains("total_ms") }
    }
    try tmux.waitUntil("the releases") { $0.contains { $0.contains("◆") } }
    try tmux.type("3")
    try tmux.waitUntil("the newest versions") {
      $0.contains { $0.contains("sync.push.total_ms  A 2.1 vs B 2.0") }
    }
    try tmux.type("c")
    try tmux.waitFor("Compare: choose A")
    try tmux.paste("ver 2.1")
    try tmux.type("Enter")
    try tmux.waitFor("Compare with: choose B")
    try tmux.paste("ver 1.9")
    try tmux.type("Enter")
    let compared = try tmux.waitUntil("the chosen versions") { $0.contains { $0.contains("A 2.1 vs B 1.9") } }
    let all = compared.joined(separator: " ")
    #expect(
      all.contains("2.1 has a second peak") || all.contains("2.1 is slower"))
    try tmux.type("Home")
    try tmux.waitUntil("the first row") { Self.selectedRow($0)?.contains(" 0-50 ") == true }
    for _ in 0..<6 {
      let before = try Self.selectedRow(tmux.screen())
      try tmux.type("Down")
      try tmux.waitUntil("the next row") { Self.selectedRow($0) != before }
    }
    #expect(Self.selectedRow(try tmux.screen())?.contains("300-350") == true)
    try tmux.type("Enter")
    let opened = try tmux.waitUntil("the samples of the row") {
      $0.contains { $0.contains("of \(slow) ") }
    }
    #expect(opened.contains { $0.contains("300") && $0.contains("2.1") })
    try tmux.type("q")
    try tmux.waitUntil("the histogram as it was") {
      $0.contains { $0.contains("A 2.1 vs B 1.9") }
    }
    try tmux.type("Q")
    try tmux.waitFor("[ended 0]")
  }

  /// The row of the histogram that is selected.
  private static func selectedRow(_ screen: [String]) -> String? { screen.first { $0.hasPrefix(" ›") } }

  @Test func `The command that is copied draws the same histogram without a terminal`() throws {
    let run = try Shell.run(
      program,
      [
        "snapshot", "--screen", "histogram", "--size", "120x36", "--metric", "sync.push.total_ms", "--a",
        "ver=2.1",
        "--b", "ver=1.9", path,
      ], environment: ["TZ": "UTC", "LC_ALL": "C.UTF-8", "XDG_CACHE_HOME": folder.path("cache")])
    #expect(run.status == 0 && run.output.contains("A 2.1 vs B 1.9") && run.output.contains("2.1"))
  }
}
