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
      environment: ["TZ": "UTC", "XDG_CACHE_HOME": folder.path("cache")])
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
