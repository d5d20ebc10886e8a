import Foundation
import TestSupport
import Testing

/// From opening a file that no one has seen to the line behind what went wrong in it.
@Suite("Incidents in tmux", .serialized)
struct IncidentEndToEndTests {
  private let folder: TemporaryFolder
  private let program: String

  init() throws {
    folder = try TemporaryFolder()
    program = try Shell.program
  }

  private func tmux(_ path: String, width: Int = 120, height: Int = 36) throws -> Tmux {
    try Tmux(
      width: width, height: height, command: "\(program) \"\(path)\"",
      environment: [
        "TZ": "UTC", "XDG_CACHE_HOME": folder.path("cache"), "XDG_STATE_HOME": folder.path("state"),
      ])
  }

  /// The line that lies over the screen, without the breaks of its rows.
  private func line(_ tmux: Tmux) throws -> String {
    func joined(_ rows: [String]) -> String { rows.joined().filter { !" │".contains($0) } }
    return joined(try tmux.waitUntil("the line") { joined($0).contains("\"value\":") })
  }

  @Test(arguments: 1...20)
  func `A few keys lead to a line of what was planted`(seed: UInt64) throws {
    let planted = PlantedIncidents(seed: seed, length: 1500)
    let path = try folder.write(planted.lines(from: Fixture.longAgo).joined(), to: "app.jsonl")
    let tmux = try tmux(path)
    try tmux.waitUntil("what is wrong") { $0[1].contains("▌ app.metric") }
    try tmux.type("e")
    let since = try tmux.waitUntil("its moment") { $0[0].contains("‖") }
    if !since[1].contains("silent for") {
      try tmux.type("e")
      try tmux.waitUntil("its worst") { $0[0].contains("‖") && $0[0] != since[0] }
    }
    try tmux.type("Enter")
    try tmux.waitUntil("its sample") { $0.contains { $0.contains("─ this sample ─") } }
    try tmux.type("Enter")
    let line = try line(tmux)
    let name = try #require(line.firstMatch(of: /"name":"metric(\d+)"/)?.1).description
    let time = try #require(line.firstMatch(of: /"timestamp":(\d+\.?\d*)/)?.1).description
    let plant = try #require(planted.plants.first { "\($0.metric)" == name }, "\(line)")
    let seconds = try #require(Double(time)) - Fixture.longAgo
    // Series that began together are one incident, whose moment is that of its worst; of a silence it is the last
    // line before.
    #expect((plant.onset - 2 * plant.interval...plant.times.upperBound).contains(seconds), "\(line)")
    try tmux.type("Q")
    try tmux.waitFor("[ended 0]")
  }

  @Test func `What is acknowledged or ignored, and the sensitivity, are there at the next start`() throws {
    var text = ""
    for second in 0..<1500 {
      let noise = Double(second * 7 % 11)
      for (name, factor) in [
        ("slow_ms", second >= 1200 ? 9.0 : 1), ("peak_ms", (600..<660).contains(second) ? 5 : 1),
        ("calm_ms", 1),
      ] {
        text += Fixture.line("\(factor * (70 + noise))", name: name, time: Fixture.longAgo + Double(second))
      }
    }
    let path = try folder.write(text, to: "app.jsonl")
    let first = try tmux(path)
    try first.waitUntil("the incident that lasts") {
      $0[1].contains("▌ app.slow_ms") && $0[0].contains("! 1")
    }
    try first.paste("x")
    try first.waitUntil("the other one") { $0[1].contains("▌ app.peak_ms") && !$0[0].contains("! 1") }
    try first.waitFor("acknowledged: ")
    try first.paste("X")
    try first.waitFor("Ignore level changes of all metrics")
    try first.type("Enter")
    func isQuiet(_ rows: [String]) -> Bool {
      rows[1].contains("2 metrics as usual") && rows[1].contains("│ 1 acknowledged │ 1 ignored")
    }
    try first.waitUntil("nothing else", isQuiet)
    try first.paste("$")
    try first.waitFor("Sensitivity high: about 10 false lines an hour")
    try first.waitUntil("the same incidents", isQuiet)
    try first.type("Q")
    try first.waitFor("[ended 0]")
    let second = try tmux(path)
    try second.waitUntil("the same line", isQuiet)
    try second.paste("X")
    try second.waitFor("Ignored: app.peak_ms (Enter shows it again)")
    try second.paste("shows it again")
    try second.type("Enter")
    try second.waitUntil("the ignored one") { $0[1].contains("▌ app.peak_ms") }
    try second.paste("$")
    try second.waitFor("Sensitivity low: about 1 false line in 10 hours")
    try second.type("Q")
    try second.waitFor("[ended 0]")
  }

  @Test func `q goes back step by step, at every size`() throws {
    let planted = PlantedIncidents(seed: 3, length: 1500)
    let path = try folder.write(planted.lines(from: Fixture.longAgo).joined(), to: "app.jsonl")
    // History has a sentence of its own where it has room for it.
    func isLive(_ rows: [String]) -> Bool {
      rows[1].contains("▌ ") && !rows.contains { $0.contains("─ this sample ─") }
    }
    for (width, height) in [(120, 36), (80, 24), (40, 12)] {
      let tmux = try tmux(path, width: width, height: height)
      try tmux.waitUntil("what is wrong") { $0[1].contains("▌ ") }
      try tmux.type("e", "Enter")
      try tmux.waitUntil("its sample") { !isLive($0) && $0.contains { $0.contains("›") } }
      try tmux.type("Enter")
      try tmux.waitFor("AS WRITTEN")
      try tmux.type("q")
      try tmux.waitUntil("the sample again") { !$0.contains { $0.contains("AS WRITTEN") } }
      try tmux.type("q")
      try tmux.waitUntil("the first screen, at that moment") { isLive($0) && $0[0].contains("‖") }
      try tmux.type("q")
      try tmux.waitUntil("the first screen, live") { !$0[0].contains("‖") }
      try tmux.type("q")
      try tmux.waitFor("[ended 0]")
    }
  }
}
