import Foundation
import TerminalUI
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The program of the terminal rows, and the judge of what is left of it.
struct TerminalBench {
  let folder: TemporaryFolder
  private let program: String
  private let probe: String

  init() throws {
    folder = try TemporaryFolder()
    program = try ChildProcess.program("mistertop")
    probe = try ChildProcess.program("terminal-probe")
  }

  /// Where crashes are reported.
  var reports: [URL] {
    get throws {
      let reports = folder.url.appendingPathComponent("state/mistertop")
      guard FileManager.default.fileExists(atPath: reports.path) else { return [] }
      return try FileManager.default.contentsOfDirectory(at: reports, includingPropertiesForKeys: nil)
        .filter { $0.lastPathComponent.hasPrefix("crash-") }
    }
  }

  /// The text of the report of a crash; empty where there is none.
  var report: String {
    get throws { try reports.first.flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? "" }
  }

  private var environment: [String: String] {
    ["XDG_STATE_HOME": folder.path("state"), "HOME": folder.path("home"), "TMPDIR": folder.url.path]
  }

  /// The words that start the probe with a guard.
  func guarded(_ way: String) -> [String] { [probe, way, "guarded", folder.path("state/mistertop")] }

  /// Starts the dashboard on a small file.
  func dashboard(
    _ arguments: [String] = [], environment: [String: String] = [:], size: Size = Size(width: 80, height: 24),
    ignoring: String? = nil, isAnswering: Bool = true
  ) throws -> PseudoTerminal {
    let paths = arguments.isEmpty ? [try folder.write(Self.line(1), to: "small.jsonl")] : arguments
    return try PseudoTerminal(
      [program] + paths, environment: self.environment.merging(environment) { $1 }, size: size,
      ignoring: ignoring, in: folder, isAnswering: isAnswering)
  }

  /// Starts the dashboard through a line of a shell, which finds it as `"$0" "$@"`.
  func dashboardInShell(
    _ line: String, environment: [String: String] = [:], size: Size = Size(width: 80, height: 24),
    isAnswering: Bool = true
  ) throws -> PseudoTerminal {
    let path = try folder.write(Self.line(1), to: "small.jsonl")
    return try PseudoTerminal(
      ["sh", "-c", line, program, path], environment: self.environment.merging(environment) { $1 },
      size: size, in: folder, isAnswering: isAnswering)
  }

  /// Starts the dashboard as a job of a small shell, so that it can be stopped.
  func dashboardAsJob(
    environment: [String: String] = [:], size: Size = Size(width: 80, height: 24)
  ) throws -> PseudoTerminal {
    let path = try folder.write(Self.line(1), to: "small.jsonl")
    return try PseudoTerminal(
      [probe, "session", program, path], environment: self.environment.merging(environment) { $1 },
      size: size, in: folder)
  }

  /// Writes an editor that says when it has begun, in a file of that name, and then does what is given.
  func editor(_ begun: String, then rest: String) throws -> String {
    let script = "#!/bin/sh\necho $$ > '\(begun).new'\nmv '\(begun).new' '\(begun)'\n\(rest)\n"
    let path = try folder.write(script, to: "editor")
    chmod(path, 0o755)
    return path
  }

  /// Opens the editor on a sample of the history; answers with its process.
  static func openEditor(_ begun: String, in terminal: PseudoTerminal) -> pid_t? {
    guard terminal.waitFor("probe") else { return nil }
    terminal.send("2")
    // There is nothing to open until the history has answered.
    for _ in 0..<20 where !FileManager.default.fileExists(atPath: begun) {
      terminal.send("o")
      _ = terminal.wait(1) { FileManager.default.fileExists(atPath: begun) }
    }
    let text = (try? String(contentsOfFile: begun, encoding: .utf8)) ?? ""
    return pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// Starts the probe.
  func probe(
    _ words: [String], environment: [String: String] = [:], size: Size = Size(width: 80, height: 24),
    ignoring: String? = nil
  ) throws -> PseudoTerminal {
    try PseudoTerminal(
      [probe] + words, environment: self.environment.merging(environment) { $1 }, size: size,
      ignoring: ignoring, in: folder)
  }

  /// Starts the probe with a guard, in a shell that sets limits first.
  func guardedProbe(_ way: String, limits: String = ":") throws -> PseudoTerminal {
    try PseudoTerminal(
      ["sh", "-c", limits + "; exec \"$0\" \"$@\""] + guarded(way), environment: environment, in: folder)
  }

  /// A line of a metrics file with a number.
  ///
  /// - Parameter time: In seconds since 2001.
  static func line(
    _ value: Int, name: String = "probe", bucket: String = "app", time: Double = 730_987_200
  ) -> String {
    let value = Data("\(value)".utf8).base64EncodedString()
    return "{\"metric\":{\"bucket\":\"\(bucket)\",\"name\":\"\(name)\",\"valueTypeString\":\"Int\"},"
      + "\"timestamp\":\(time),\"value\":\"\(value)\"}\n"
  }
}

extension MatrixRun {
  /// Judges a death: the way it must be, in time, with nothing left in the terminal.
  ///
  /// - Returns: how long it took, in seconds.
  @discardableResult
  mutating func judge(
    _ terminal: PseudoTerminal, endsBy ends: [ChildProcess.Ending], within seconds: Double = 3, _ what: String
  ) -> Double {
    let start = ContinuousClock.now
    let end = terminal.waitForEnd(seconds)
    let time = start.duration(to: .now) / .seconds(1)
    var faults = terminal.damage
    if !(end.map(ends.contains) ?? false) { faults.append("ended as \(String(describing: end))") }
    if terminal.text.contains("Press space") { faults.append("asks for a key") }
    judge(terminal, faults: faults, what)
    return time
  }

  /// Counts one thing tried; what the screen did not understand is a fault besides those given.
  mutating func judge(_ terminal: PseudoTerminal, faults: [String], _ what: String) {
    judge(faults: faults + terminal.screen.violations.prefix(3) + terminal.screen.clipboard.prefix(3), what)
  }

  /// Counts one thing tried.
  mutating func judge(faults: [String], _ what: String) {
    tally.expected += 1
    guard !faults.isEmpty else { return tally.got += 1 }
    tally.bad += 1
    let words = "[\(what): \(faults.joined(separator: ", "))]"
    if note.count < 400 { note += words.replacing("\n", with: "/").replacing("\t", with: " ") }
  }

  /// Says the worst time in the row's line.
  mutating func noteSlowest(_ seconds: Double) {
    note += String(format: "slowest %.0f ms", seconds * 1000)
  }
}
