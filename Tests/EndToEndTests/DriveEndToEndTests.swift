import Foundation
import Sync
import SyncSimulation
import TestSupport
import Testing

/// The real program in a real terminal emulator, its simulation driven by keys alone.
@Suite("The Sync screen in tmux", .serialized)
struct DriveEndToEndTests {
  private let folder: TemporaryFolder
  private let tmux: Tmux

  /// Opens the dashboard on a scenario in which nothing happens that no one wants.
  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.write(
      """
      { name: "quiet", title: "Quiet", story: "Nothing happens by itself.", start: "2026-11-21T08:00:00Z",
        duration: 3600, settled: true, server: [{ kind: "event", count: 20 }], acts: [] }
      """, to: "quiet.json5")
    tmux = try Tmux(
      width: 120, height: 40,
      command: "cd \"\(folder.url.path)\" && \(try Shell.program) demo --scenario quiet.json5",
      environment: ["TMPDIR": folder.url.path])
    try tmux.waitFor("IDLE")
  }

  /// Types keys one after the other and waits for what they lead to.
  private func press(_ keys: String..., until text: String) throws {
    for key in keys { try tmux.type(key) }
    try tmux.waitFor(text)
  }

  /// Chooses from a list by a piece of its title.
  private func choose(_ text: String, of key: String, titled title: String, until wanted: String) throws {
    try press(key, until: title)
    try tmux.paste(text)
    try press(until: "/ \(text)")
    try press("Enter", until: wanted)
  }

  /// Three answers 429 in a row, from the first to the breaker's opening.
  private func tripBreaker() throws {
    try press("f", "7", until: "[x] 7 429")
    try choose("create event", of: "a", titled: "Do something by hand", until: "Queue 1")
    try press("r", until: "1, opens at 3")
    try press("r", until: "2, opens at 3")
    try press("r", until: "RATE LIMITED")
    try tmux.waitFor("breaker OPEN")
  }

  /// How many seconds the breaker stays open, as the screen says it.
  private func countdown() throws -> String? {
    try tmux.screen().compactMap { $0.firstMatch(of: /breaker OPEN ([0-9.ms]+) left/)?.output.1 }.first.map(
      String.init)
  }

  @Test func `Three answers 429 open the breaker, and it recovers through a probe once the fault is off`()
    throws
  {
    try press("r", until: "pulling → idle")
    try tripBreaker()
    let before = try countdown()
    try tmux.waitUntil("the countdown to run") { _ in try countdown() != before }
    try press(">", ">", until: "x5")
    try press("Space", until: "‖ x5")
    try press("f", "7", until: "[ ] 7 429")
    // The next thing is the end of the backoff.
    try press(".", until: "breaker half")
    try tmux.waitFor("backoff elapsed")
    try press("Space", until: "breaker closed")
    try tmux.waitFor("Queue 0")
    try tmux.waitUntil("the end of the run") { rows in
      rows.contains { $0.contains("IDLE") } && rows.contains { $0.contains("rate limited → syncing") }
    }
    try leave()
  }

  @Test func `Without a network a run is skipped, and with it back the next one succeeds`() throws {
    try press("X", until: "[x] e offline")
    try press("r", until: "probe failed")
    try press("X", until: "[ ] e offline")
    try press("r", until: "success")
    try leave()
  }

  @Test func `Another branch begins in the past, and what was done in it is kept as a test`() throws {
    try tripBreaker()
    try press(",", ",", ",", until: "‖ ")
    try choose("without 429", of: "B", titled: "New branch from here", until: "What if")
    try press("U", until: "breaker closed")
    try press("r", until: "page applied")
    try keep("Other")
    try press("U", until: "RATE LIMITED")
    try keep("Trunk")
    try press("DC", until: "RATE LIMITED")
    try tmux.waitUntil("one branch alone") { rows in !rows.contains { $0.contains("What if") } }
    try leave()
    for name in ["Other", "Trunk"] { try expectKept(name) }
  }

  private func keep(_ name: String) throws {
    try press("W", until: "test of the session")
    try tmux.paste(name)
    try press("Enter", until: "Wrote \(name).json5 and \(name)Tests.swift")
  }

  /// A kept session, played again, gives the transitions it says.
  private func expectKept(_ name: String) throws {
    let file = folder.path("\(name).json5")
    let session = try Scenario(json5: Data(contentsOf: URL(fileURLWithPath: file)))
    let (status, output) = try Shell.mistertop("simulate", file, "--check")
    #expect(status == 0 && session.expected.count > 5)
    #expect(output == "as expected: \(session.expected.count) transitions\n")
    #expect(session.expected.contains { $0.contains("idle -> rateLimited") } == (name == "Trunk"))
  }

  private func leave() throws {
    try press("F", "q", "q", until: "[ended 0]")
    // The store goes with the demo.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!names.contains { $0.hasPrefix("mistertop-demo") })
  }
}
