import Foundation
import TestSupport
import Testing

/// The numbered steps of the README, played as they are printed there.
@Suite("The first minute of the README in tmux", .serialized)
struct FirstMinuteTests {
  /// The quoted parts of each README step: its keys, and texts to look for.
  private static let quoted = [
    ["e", "e", "Enter", "Enter", "q", "x", "X"],
    ["↓", "↑", "limit", "155×", "was 6.2×", "∅ 16s", "s", "/", "p95 > 400ms"],
    ["Space", "←", "→", "F", "◆"],
    ["2", "Enter"],
    ["3", "c"],
    ["4", "f", "Esc", "X", "r"],
    ["5", "K"],
    ["6"],
    ["?", ":", "D", "q", "Esc", "q"],
  ]

  /// The steps, each as one line.
  private static func steps() throws -> [String] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let part = try #require(readme.components(separatedBy: "## The first minute\n").last)
    var steps: [String] = []
    for line in try #require(part.components(separatedBy: "\n## ").first).split(separator: "\n") {
      if line.first?.isNumber == true {
        steps.append(String(line))
      } else if line.hasPrefix("   ") {
        steps[steps.count - 1] += line
      }
    }
    return steps
  }

  @Test func `The steps name the keys that are played here`() throws {
    let found = try Self.steps().map { step in
      step.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
        .map { String($0.element) }
    }
    #expect(found == Self.quoted)
  }

  @Test func `All steps can be followed literally`() throws {
    let folder = try TemporaryFolder()
    let tmux = try Tmux(
      width: 120, height: 36, command: "\(try Shell.program) demo",
      environment: ["TMPDIR": folder.url.path, "XDG_CACHE_HOME": folder.path("cache")])
    try tmux.waitUntil("what is wrong") { $0[1].contains("▌ api.checkout.ms") && $0[1].contains("since ") }
    try toTheLine(tmux)
    try alongTheList(tmux)
    try throughTime(tmux)
    try otherScreens(tmux)
    try helpAndOut(tmux)
  }

  private func has(_ text: String) -> ([String]) -> Bool { { $0.contains { $0.contains(text) } } }

  /// The time behind the sign of the past.
  private func moment(_ rows: [String]) -> Substring? {
    rows[0].firstMatch(of: /‖ (.*?) \+/)?.1
  }

  private func toTheLine(_ tmux: Tmux) throws {
    try tmux.type("e")
    let since = moment(try tmux.waitUntil("its beginning") { moment($0) != nil })
    try tmux.type("e")
    try tmux.waitUntil("its worst sample") { moment($0) != nil && moment($0) != since }
    try tmux.type("Enter")
    try tmux.waitUntil("the sample", has("this sample"))
    try tmux.type("Enter")
    try tmux.waitUntil("its line", has("AS WRITTEN"))
    try tmux.type("q")
    try tmux.waitUntil("the sample again") { !has("AS WRITTEN")($0) && has("this sample")($0) }
    try tmux.type("q")
    try tmux.waitUntil("the first screen at that moment") { has("What changed")($0) && moment($0) != nil }
    try tmux.type("q")
    try tmux.waitUntil("the first screen, live") { has("What changed")($0) && moment($0) == nil }
    try tmux.type("x")
    try tmux.waitUntil("it is acknowledged", has("Acknowledged "))
    try tmux.type("X")
    try tmux.waitUntil("what may be ignored", has("Ignore in this file"))
    try tmux.type("Escape")
    try tmux.waitUntil("nothing is ignored") { !has("Ignore in this file")($0) }
  }

  private func alongTheList(_ tmux: Tmux) throws {
    try tmux.waitUntil("the words for the order") { rows in
      rows[4].contains("limit") && rows[5].contains(/db\.orders_ms .* \d+×/)
        && rows.contains { $0.contains(/∅ \d+[sm]/) }
    }
    try tmux.type("Down")
    try tmux.waitUntil("the next row") { $0[5].contains("›") }
    try tmux.type("Up")
    try tmux.waitUntil("the first row") { $0[4].contains("›") }
    try tmux.type("s")
    try tmux.waitUntil("another order") { !has("s worst first")($0) && has("── s ")($0) }
    try tmux.type("/")
    try tmux.paste("p95 > 400ms")
    try tmux.waitUntil("what is slow alone") { $0.contains { $0.contains(/\/ p95 > 400ms ─+ \d of \d+/) } }
    try tmux.type("Escape")
    try tmux.waitUntil("all rows") { !has("p95 > 400ms")($0) }
  }

  private func throughTime(_ tmux: Tmux) throws {
    try tmux.type("Space")
    let frozen = moment(try tmux.waitUntil("the past") { moment($0) != nil })
    try tmux.type("Left")
    let earlier = moment(try tmux.waitUntil("earlier") { moment($0) != nil && moment($0) != frozen })
    try tmux.type("Right")
    try tmux.waitUntil("later") { moment($0) != nil && moment($0) != earlier }
    try tmux.type("F")
    try tmux.waitUntil("live, with the release") { moment($0) == nil && has("◆ 2.4.1")($0) }
  }

  private func otherScreens(_ tmux: Tmux) throws {
    try tmux.type("2")
    try tmux.waitUntil("single samples", has("samples in view"))
    try tmux.type("Enter")
    try tmux.waitUntil("its line", has("AS WRITTEN"))
    try tmux.type("q")
    try tmux.waitUntil("the samples") { !has("AS WRITTEN")($0) }
    try tmux.type("3")
    try tmux.waitUntil("what differs between two versions") { rows in
      rows.contains { $0.contains(/A 2\.4\.\d vs B 2\.4\.\d/) } && rows[1].contains("▌ 2.4.")
    }
    try tmux.type("c")
    try tmux.waitUntil("the choice", has("Compare"))
    try tmux.type("Escape")
    try tmux.waitUntil("the comparison again") { !has("Compare")($0) }
    try tmux.type("4")
    try tmux.waitUntil("the sync engine", has("Sync engine"))
    try tmux.type("f", "1")
    try tmux.waitUntil("a fault", has("[x] 1 latency"))
    try tmux.type("f", "1", "f")
    try tmux.waitUntil("the list of faults", has("Faults: the key switches"))
    try tmux.type("Escape")
    try tmux.waitUntil("no list of faults") { !has("Faults: the key switches")($0) }
    try tmux.type("X")
    try tmux.waitUntil("no network") { has("[ ] 1 latency")($0) && has("[x] e offline")($0) }
    try tmux.type("X", "r")
    try tmux.waitUntil("a sync", has("sync requested"))
    try tmux.type("5")
    try tmux.waitUntil("the event client", has("─ Client ─"))
    try tmux.type("K")
    try tmux.waitUntil("a killed app", has("kill"))
    try tmux.type("6")
    try tmux.waitUntil("the hosts", has("There is one host"))
  }

  private func helpAndOut(_ tmux: Tmux) throws {
    try tmux.type("?")
    try tmux.waitUntil("the help", has("The Live screen"))
    try tmux.type("Escape")
    try tmux.waitUntil("no help") { !has("The Live screen")($0) }
    try tmux.type(":")
    try tmux.waitUntil("the command line") { $0.last?.hasPrefix(" :") ?? false }
    try tmux.type("Escape")
    try tmux.waitUntil("no command line") { !($0.last?.hasPrefix(" :") ?? false) }
    try tmux.type("D")
    try tmux.waitUntil("words", has("In words"))
    try tmux.type("Escape")
    try tmux.waitUntil("no words") { !has("In words")($0) }
    try tmux.type("q")
    try tmux.waitUntil("the first screen", has("What changed"))
    try tmux.type("q")
    try tmux.waitFor("[ended 0]")
  }
}
