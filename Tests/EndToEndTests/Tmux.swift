import Foundation
import TestSupport
import Testing

/// A tmux server of its own with one pane, in which the real program runs as it would for a person.
final class Tmux {
  /// A failure of tmux itself, or a picture that did not appear in time.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let socket = "mistertop-\(UUID().uuidString)"
  /// Where the program leaves its log and the reports of its crashes, instead of with those of the person.
  private let state: TemporaryFolder

  /// Opens a pane of a size and runs a shell command in it; the pane stays when the command has ended.
  init(width: Int, height: Int, command: String, environment: [String: String] = [:]) throws {
    state = try TemporaryFolder()
    let settings = [
      "LC_ALL": "C.UTF-8", "NO_COLOR": "", "MISTERTOP_STORE": "/nonexistent/metrics.jsonl",
      "XDG_STATE_HOME": state.path("state"),
    ]
    let variables = settings.merging(environment) { $1 }.sorted { $0.key < $1.key }
    let shell = variables.map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
    try tmux(
      "-f", "/dev/null", "new-session", "-d", "-x", "\(width)", "-y", "\(height)",
      "env -u COLORTERM \(shell) sh -c 'trap : INT; \(command); echo \"[ended $?]\"; stty -a | grep icanon; exec cat'"
    )
    try tmux("set-option", "-g", "status", "off")
    try tmux("set-option", "-g", "default-terminal", "tmux-256color")
  }

  deinit {
    // A server that is gone already is what was wanted.
    _ = try? tmux("kill-server")
  }

  /// The rows of the screen, without blanks at their ends.
  func screen() throws -> [String] {
    try tmux("capture-pane", "-p").split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      String($0)
    }
  }

  /// Types keys by their tmux names (`q`, `Space`, `Enter`, `C-c`…).
  func type(_ keys: String...) throws {
    try tmux(["send-keys"] + keys)
  }

  /// Types text as it is.
  func paste(_ text: String) throws {
    try tmux("send-keys", "-l", text)
  }

  func resize(width: Int, height: Int) throws {
    try tmux("resize-window", "-x", "\(width)", "-y", "\(height)")
  }

  /// True if the terminal shows its second screen, as full-screen programs do.
  func isAlternateScreen() throws -> Bool {
    try tmux("display-message", "-p", "#{alternate_on}").hasPrefix("1")
  }

  /// Waits until the screen is as wanted and returns it.
  ///
  /// - Throws: `Failure` with the last screen if it is not within half a minute.
  @discardableResult
  func waitUntil(_ what: String, _ isWanted: ([String]) throws -> Bool) throws -> [String] {
    let deadline = Date().addingTimeInterval(30)
    var last: [String] = []
    while Date() < deadline {
      last = try screen()
      if try isWanted(last) { return last }
      // Only the pace of looking; what decides is the screen.
      usleep(20_000)
    }
    throw Failure(description: "waited in vain for \(what); the screen was:\n" + last.joined(separator: "\n"))
  }

  /// Waits until the screen shows these rows, read in a way that leaves out what may differ.
  ///
  /// - Throws: `Failure` with the first rows that differ if it does not within half a minute.
  @discardableResult
  func waitFor(rows expected: [String], _ what: String, reading: ([String]) -> [String]) throws -> [String] {
    do {
      return try waitUntil(what) { reading($0) == expected }
    } catch {
      let found = reading(try screen())
      var faults = zip(found, expected).enumerated().filter { $1.0 != $1.1 }.prefix(3).map { row, rows in
        "row \(row) is \(rows.0)\ninstead of \(rows.1)"
      }
      if found.count != expected.count { faults.insert("\(found.count) rows, not \(expected.count)", at: 0) }
      throw Failure(description: "waited in vain for \(what):\n" + faults.joined(separator: "\n"))
    }
  }

  /// Waits until some row holds a text.
  @discardableResult
  func waitFor(_ text: String) throws -> [String] {
    try waitUntil("'\(text)'") { $0.contains { $0.contains(text) } }
  }

  @discardableResult
  private func tmux(_ arguments: String...) throws -> String {
    try tmux(arguments)
  }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    // The shell of the account may be none, as that of `nobody` is.
    let (status, output) = try Shell.run(
      "/usr/bin/env", ["tmux", "-L", socket] + arguments, environment: ["SHELL": "/bin/sh"])
    guard status == 0 else { throw Failure(description: "tmux \(arguments): \(output)") }
    return output
  }
}
