import DeliverySimulation
import Foundation
import TestSupport
import Testing

/// The real program in a real terminal emulator, its client driven by keys alone.
@Suite("The Delivery screen in tmux", .serialized)
struct DeliveryScreenEndToEndTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Opens the dashboard on a scenario in which nothing happens that no one wants.
  private func demo(options: String = "{}") throws -> Tmux {
    let text = """
      { engine: "delivery", name: "quiet", title: "Quiet", story: "Nothing happens by itself.", seed: 3,
        start: "2026-11-21T08:00:00Z", duration: 3600, options: \(options), acts: [] }
      """
    _ = try folder.write(text, to: "quiet.json5")
    let tmux = try Tmux(
      width: 120, height: 40,
      command: "cd \"\(folder.url.path)\" && \(try Shell.program) demo --scenario quiet.json5",
      environment: ["TMPDIR": folder.url.path])
    try tmux.waitFor("READY")
    return tmux
  }

  /// Types keys one after the other and waits for a sentence.
  private func press(_ keys: String..., in tmux: Tmux, until sentence: String) throws {
    for key in keys { try tmux.type(key) }
    try says(sentence, tmux)
  }

  private func says(_ sentence: String, _ tmux: Tmux) throws {
    try tmux.waitUntil("'\(sentence)'") { $0.prefix(4).joined(separator: " ").contains(sentence) }
  }

  /// Tracks so many events by the list of acts.
  private func track(_ count: Int, in tmux: Tmux) throws {
    try tmux.type("a")
    try tmux.waitFor("Do something by hand")
    try tmux.paste("track \(count)")
    try tmux.waitFor("/ track \(count)")
    try tmux.type("Enter")
    try tmux.waitFor("track \(count)")
  }

  private func leave(_ tmux: Tmux) throws {
    try tmux.type("F", "q", "q")
    try tmux.waitFor("[ended 0]")
  }

  @Test("503s open the breaker, it counts down and recovers through a probe once the fault is off")
  func outage() throws {
    let tmux = try demo()
    try track(5, in: tmux)
    try press("r", in: tmux, until: "Delivered: nothing waits")
    try press("f", "9", ">", ">", ">", in: tmux, until: "Delivered")
    try track(5, in: tmux)
    try press("r", in: tmux, until: "breaker open for")
    func countdown() throws -> String? {
      try tmux.screen().compactMap { $0.firstMatch(of: /breaker open for ([0-9.ms]+) more/)?.output.1 }.first
        .map(String.init)
    }
    let before = try countdown()
    try tmux.waitUntil("the countdown to run") { _ in try countdown() != before }
    try tmux.type("f", "9")
    try tmux.waitFor("half-open: the next batch is the probe")
    try says("Delivered: nothing waits", tmux)
    try tmux.waitFor("CLOSED")
    try leave(tmux)
  }

  @Test("413 halves the batches, and they grow again as they are taken")
  func halving() throws {
    let tmux = try demo()
    try tmux.type("f", "c")
    try tmux.waitFor("[x] c 413")
    try track(60, in: tmux)
    try tmux.waitFor("kept, smaller batches")
    try tmux.type("f", "c")
    try tmux.waitFor("[ ] c 413")
    for _ in 0..<4 {
      try track(60, in: tmux)
      try press("r", in: tmux, until: "Delivered: nothing waits")
    }
    try tmux.waitUntil("batches as large as at first") { rows in
      rows.contains { $0.contains("at most 100 ") } && !rows.prefix(4).joined().contains("smaller")
    }
    try leave(tmux)
  }

  @Test("401 disables the client, which says so until a reset and a new start")
  func disabled() throws {
    let tmux = try demo()
    try tmux.type("f", "a")
    try tmux.waitFor("[x] a unauthorized")
    try track(5, in: tmux)
    try press("r", in: tmux, until: "disabled, because the endpoint answered 401")
    try tmux.type("f", "a", "R")
    try tmux.waitFor("reset and drop the queue?")
    try press("y", in: tmux, until: "not initialized")
    try leave(tmux)
  }

  @Test("Offline it waits, killed it starts again from its disk, and nothing is missing")
  func killed() throws {
    let tmux = try demo(options: "{ diskFlushEvents: 10 }")
    try press("X", in: tmux, until: "offline")
    try track(40, in: tmux)
    try tmux.waitUntil("events on disk") { $0.prefix(4).joined().contains("on disk") }
    try press("K", in: tmux, until: "the app is not running")
    try tmux.type("K")
    try tmux.waitFor("READY")
    try press("X", in: tmux, until: "Delivered: nothing waits")
    try leave(tmux)
  }

  @Test("Another branch begins in the past, and a session is kept as a test")
  func branches() throws {
    let tmux = try demo()
    try tmux.type("f", "9")
    try tmux.waitFor("[x] 9 server error")
    try track(5, in: tmux)
    try press("r", in: tmux, until: "more after")
    try tmux.type(",", ",")
    try tmux.waitFor("‖ ")
    try tmux.type("B")
    try tmux.waitFor("New branch from here")
    try tmux.paste("without server error")
    try tmux.type("Enter")
    try tmux.waitFor("What if")
    try tmux.type("W")
    try tmux.waitFor("test of the session")
    try tmux.paste("Kept")
    try tmux.type("Enter")
    try tmux.waitFor("Wrote Kept.json5 and KeptTests.swift")
    try leave(tmux)
    let (status, output) = try Shell.mistertop("simulate", "--delivery", folder.path("Kept.json5"))
    let session = try DeliveryScenario(
      json5: Data(contentsOf: URL(fileURLWithPath: folder.path("Kept.json5"))))
    #expect(status == 0)
    #expect(output.split(separator: "\n").map(String.init) == session.expected)
  }

  @Test(
    "Beside send it says why nothing arrives while nginx refuses, and that all is delivered once it takes")
  func send() throws {
    let nginx = try IngestionServer([.init(name: "in")])
    let lines = (0..<250).map { #"{"type":"track","event":"e\#($0)"}"# + "\n" }
    let events = try folder.write(lines.joined(), to: "events.jsonl")
    let store = folder.path("client.jsonl")
    let client = try ChildProcess(
      Shell.program, ["send", "--host", nginx.host("in"), "--store", store, events],
      environment: [
        "XDG_DATA_HOME": folder.path("data"), "MISTERTOP_WRITE_KEY": "secret-key-1234", "LC_ALL": "C.UTF-8",
      ], output: folder.path("log"))
    let tmux = try Tmux(width: 120, height: 36, command: "\(try Shell.program) \"\(store)\"")
    try tmux.waitFor("1 Live")
    try tmux.type("5")
    try tmux.waitUntil("the reason") { rows in
      rows.prefix(4).joined().contains("Not delivering") && rows.joined().contains("503")
    }
    #expect(try tmux.screen().joined().contains("***1234"))
    try nginx.take("in")
    try says("Delivered: nothing waits", tmux)
    #expect(client.wait() == .exited(0))
    try leave(tmux)
  }
}
