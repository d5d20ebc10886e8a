import Foundation
import TerminalUI
import TestSupport
import Testing

/// Completions as a person gets them: keys typed into real shells, and the arguments that the program then receives.
@Suite("Completion in shells")
struct ShellCompletionTests {
  /// Keys behind the program's name, each set with a Tab at its end, and the arguments that they become.
  static let cases: [(keys: String, arguments: [String])] = [
    ("stat", ["stats"]),
    ("help expo", ["help", "export"]),
    ("stats --incid", ["stats", "--incidents"]),
    ("stats --format=j", ["stats", "--format=json"]),
    ("stats --format c", ["stats", "--format", "csv"]),
    ("--theme hi", ["--theme", "high-contrast"]),
    ("stats app.js", ["stats", "app.jsonl"]),
    ("stats app.jsonl --bucket ot", ["stats", "app.jsonl", "--bucket", "other"]),
    ("stats app.jsonl --metric=sync.pu", ["stats", "app.jsonl", "--metric=sync.push_ms"]),
    ("stats app.jsonl --metric app.c", ["stats", "app.jsonl", "--metric", "app.cold start"]),
    ("stats app.jsonl --metric 'app.cold s", ["stats", "app.jsonl", "--metric", "app.cold start"]),
    ("simulate flaky", ["simulate", "flaky-push"]),
    ("export --output=app.j", ["export", "--output=app.jsonl"]),
    ("record --store app.jsonl app co", ["record", "--store", "app.jsonl", "app", "cold start"]),
  ]

  /// How each shell starts without the person's settings, takes its completions, and prints what the program would get.
  private static func start(_ shell: String) -> (words: [String], setup: String) {
    let print =
      #"mistertop() { if [ "$1" = completions ]; then command mistertop "$@"; else echo; printf '[%s]' "$@"; fi; }"#
    switch shell {
    case "bash":
      return (["bash", "--norc", "--noprofile", "-i"], "\(print); eval \"$(mistertop completions bash)\"")
    case "zsh":
      return (
        ["zsh", "-f", "-i"],
        "\(print); autoload -Uz compinit; compinit -u -D; source <(mistertop completions zsh)"
      )
    default:
      return (
        ["fish", "--no-config", "-i"],
        "function mistertop; if test \"$argv[1]\" = completions; command mistertop $argv; else; echo; "
          + "printf '[%s]' $argv; end; end; set -g fish_autosuggestion_enabled 0; mistertop completions fish | source"
      )
    }
  }

  @Test(
    "Tab completes commands, options, values, files, and names from files",
    arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(
      Fixture.line("1", name: "push_ms", bucket: "sync", time: 1)
        + Fixture.line("1", name: "cold start", time: 1)
        + Fixture.line("1", name: "x", bucket: "other", time: 1),
      to: "app.jsonl")
    let program = URL(fileURLWithPath: try Shell.program).deletingLastPathComponent().path
    let (words, setup) = Self.start(shell)
    let terminal = try PseudoTerminal(
      words,
      environment: ["PATH": "\(program):/usr/bin:/bin", "HOME": folder.path(""), "TERM": "vt100"],
      size: Size(width: 200, height: 50), in: folder)
    terminal.send("cd \(folder.path("")); \(setup)\necho re\"\"ady\n")
    try #require(terminal.wait(60) { terminal.text.contains("ready\r") }, "\(terminal.text)")
    for (keys, arguments) in Self.cases {
      while terminal.pump(milliseconds: 200) {}
      terminal.forgetOutput()
      terminal.send("mistertop \(keys)\t")
      let expected = arguments.map { "[\($0)]" }.joined()
      while terminal.pump(milliseconds: 200) {}
      terminal.send("\r")
      #expect(terminal.wait(10) { terminal.text.contains(expected) }, "\(keys): \(terminal.text)")
    }
  }
}
