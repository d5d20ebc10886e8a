import Foundation
import TestSupport
import Testing

/// The History screen of the real program in a real terminal emulator, by keys alone.
@Suite("The history in tmux", .serialized)
struct HistoryEndToEndTests {
  private let folder: TemporaryFolder
  private let program: String
  /// Ten minutes of an app, and one line among them that is looked for.
  private let path: String
  private let text: String

  private static let wanted = Fixture.line(
    "\"the one\"", name: "needle", bucket: "sync", type: "String", time: Fixture.longAgo + 250.125)

  init() throws {
    folder = try TemporaryFolder()
    program = try Shell.program
    var lines = Fixture.app().split(separator: "\n").map { $0 + "\n" }
    lines.insert(Self.wanted[...], at: lines.count / 3)
    text = lines.joined()
    path = try folder.write(text, to: "app metrics.jsonl")
  }

  /// The script that notes its arguments in a file and ends.
  private func noteTaker(_ notes: String) throws -> String {
    let script = try folder.write(
      "#!/bin/sh\nprintf '%s\\n' \"$@\" > '\(notes).new' && mv '\(notes).new' '\(notes)'\n", to: "editor")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script)
    return script
  }

  private func tmux(_ environment: [String: String] = [:]) throws -> Tmux {
    let settings = ["TZ": "UTC", "VISUAL": "", "XDG_CACHE_HOME": folder.path("cache")]
    return try Tmux(
      width: 120, height: 36, command: "\(program) \"\(path)\"",
      environment: settings.merging(environment) { $1 })
  }

  /// From the overview to the history of the metric that is looked for.
  private func openHistory(_ tmux: Tmux) throws {
    try tmux.waitUntil("the overview") {
      $0.contains { $0.contains(" WHY ") } && $0.contains { $0.contains("needle") }
    }
    try tmux.type("/")
    try tmux.paste("needle")
    try tmux.waitUntil("one metric") { $0.contains { $0.contains(#/ 1 of [0-9]+ ─/#) } }
    try tmux.type("Enter")
    try tmux.waitUntil("the metric") { $0.contains { $0.contains("─ sync.needle ") } }
    try tmux.type("2")
    try tmux.waitUntil("its history") {
      $0.contains { $0.contains("samples in view") } && $0.contains { $0.contains("─ sync.needle ") }
    }
  }

  @Test func `By keys alone from the overview to one raw line, to the editor, and back`() throws {
    let notes = folder.path("notes")
    let tmux = try tmux(["EDITOR": try noteTaker(notes)])
    try openHistory(tmux)
    try tmux.type("t")
    try tmux.paste("2024-03-01 12:04:10.200")
    try tmux.type("Enter")
    try tmux.waitUntil("the table at that time") { $0.contains { $0.contains("›12:04:10.125") } }
    try tmux.type("Tab", "Tab", "Enter")
    let shown = try tmux.waitFor("AS WRITTEN").joined().filter { !" │".contains($0) }
    #expect(shown.contains(Self.wanted.dropLast()))
    try tmux.type("o")
    try tmux.waitUntil("the editor's end") { _ in FileManager.default.fileExists(atPath: notes) }
    let number = text[..<(try #require(text.range(of: Self.wanted))).lowerBound].count { $0 == "\n" } + 1
    #expect(try String(contentsOfFile: notes, encoding: .utf8) == "+\(number)\n\(path)\n")
    try tmux.waitFor("AS WRITTEN")
    try tmux.type("Escape")
    try tmux.waitUntil("the table again") { $0.contains { $0.contains("›12:04:10.125") } }
    try tmux.type("1")
    try tmux.waitUntil("the overview, at that time") {
      $0.contains { $0.contains(" WHY ") } && $0[0].contains("‖")
    }
    try tmux.type("G")
    try tmux.waitUntil("the live end") { $0[0].contains("● newest") }
    try tmux.type("Q")
    try tmux.waitFor("[ended 0]")
  }

  @Test func `A window is exported by keys, and the next opening finds its index`() throws {
    let target = folder.path("out.jsonl")
    for opening in 1...2 {
      let tmux = try tmux()
      try openHistory(tmux)
      try tmux.waitUntil("its sample") { $0.contains { $0.contains("12:04:10.125") } }
      try tmux.type("C-s", "C-u")
      try tmux.paste(target)
      try tmux.type("Enter")
      try tmux.waitUntil("what came of it") { rows in
        rows.contains { $0.contains(opening == 1 ? "Wrote 1 sample" : "already exists") }
      }
      try tmux.type("Q")
      try tmux.waitFor("[ended 0]")
    }
    #expect(try String(contentsOfFile: target, encoding: .utf8) == Self.wanted)
  }
}
