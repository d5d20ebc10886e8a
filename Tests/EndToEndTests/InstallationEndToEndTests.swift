import Foundation
import TerminalUI
import TestSupport
import Testing

@Suite("Version, information and manual")
struct InstallationEndToEndTests {
  @Test("mandoc has nothing to say about any page")
  func manual() throws {
    let folder = try TemporaryFolder()
    let names = try Shell.mistertop("manual", "--list").output.split(separator: "\n").map(String.init)
    #expect(names.count > 18 && names.contains("mistertop.1") && names.contains("mistertop.5"))
    for name in names {
      let page = try folder.write(try Shell.mistertop("manual", name).output, to: name)
      let (status, output) = try Shell.run("mandoc", ["-Tlint", page])
      #expect(status == 0 && output.isEmpty, "\(output)")
    }
  }

  @Test("version and --version are the same, with the libraries in use")
  func version() throws {
    let (status, output) = try Shell.mistertop("version")
    #expect(status == 0)
    #expect(try output == Shell.mistertop("--version").output)
    let pattern =
      /mistertop \d+\.\d+\.\d+\ncommit .+\nSwift .+\nncurses \d[\d.]+\nzlib \d.*\nSQLite \d.*\nlibcurl .+\n/
    #expect(output.wholeMatch(of: pattern) != nil, "\(output)")
  }

  @Test("info names the terminal, its answers, the locale, and what may be written")
  func info() throws {
    let folder = try TemporaryFolder()
    let terminal = try PseudoTerminal(
      [try Shell.program, "info"], environment: ["HOME": folder.path("home")],
      size: Size(width: 100, height: 40))
    #expect(terminal.waitForEnd() == .exited(0))
    let text = terminal.text
    #expect(
      terminal.damage.isEmpty && text.contains("terminal\txterm-256color\r\nsize\t100x40\r\ncolors\t256"))
    #expect(text.contains("\r\nanswered\t") && text.contains("\r\nlocale\tC.UTF-8 (UTF-8)\r\n"), "\(text)")
    let redirected = try Shell.mistertop("info", environment: ["TERM": "vt100", "HOME": folder.path("home")])
    #expect(redirected.output.contains("terminal\tvt100; standard output is not a terminal\n"))
    #expect(redirected.output.contains("store\t/nonexistent/metrics.jsonl (does not exist yet"))
    #expect(redirected.output.contains("/home/.config/mistertop/config.json5 (does not exist yet)\n"))
  }

  @Test("info says what may not be written", .enabled(if: geteuid() == 0))
  func notWritable() throws {
    let folder = try TemporaryFolder()
    let store = try folder.write("", to: "m.jsonl")
    let command =
      "chmod 755 \(folder.path("")) && MISTERTOP_STORE=\(store) XDG_STATE_HOME=\(folder.path("state")) setpriv --reuid=65534 --clear-groups \(try Shell.program) info"
    let (status, output) = try Shell.run("sh", ["-c", command])
    #expect(status == 0 && output.contains("store\t\(store) (cannot be written)\n"), "\(output)")
    #expect(output.contains("/state/mistertop (does not exist yet, and cannot be created)\n"), "\(output)")
  }
}
