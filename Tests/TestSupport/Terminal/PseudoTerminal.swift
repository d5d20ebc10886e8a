package import Foundation
package import TerminalUI

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A program behind a pseudo-terminal, seen from the terminal's side.
///
/// It leads its own session and has the terminal as its controlling one, as in a terminal emulator. Its output is drawn
/// on an ``EmulatedScreen``; the modes of the terminal are saved before its start.
package final class PseudoTerminal {
  /// The contents and the modes of the screen.
  package private(set) var screen: EmulatedScreen
  /// The last megabyte of the program's output.
  package private(set) var output: [UInt8] = []
  package let process: ChildProcess
  private var main: Int32
  private let side: Int32
  private let before: [UInt8]
  private let folder: TemporaryFolder?
  private let isAnswering: Bool

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - words: The program, a name in `PATH` or a path, and its arguments.
  ///   - environment: The whole environment except `PATH`; `TERM` and `LC_ALL` have working defaults.
  ///   - ignoring: The name of a signal that the program inherits as ignored.
  ///   - folder: A folder that the program needs, kept as long as this value.
  ///   - signWidth: The columns of a line, a bar or a dot.
  ///   - isAnswering: False for a terminal that answers no query; others answer that for the cursor's position.
  package init(
    _ words: [String], environment: [String: String] = [:], size: Size = Size(width: 80, height: 24),
    ignoring: String? = nil, in folder: TemporaryFolder? = nil, signWidth: Int = 1, isAnswering: Bool = true
  ) throws {
    self.folder = folder
    self.isAnswering = isAnswering
    var (main, side): (Int32, Int32) = (-1, -1)
    var window = PseudoTerminal.window(size)
    guard openpty(&main, &side, nil, nil, &window) == 0 else {
      throw ChildProcess.Failure(description: "no pseudo-terminal: error \(errno)")
    }
    for end in [main, side] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(main, F_SETFL, O_NONBLOCK)
    (self.main, self.side) = (main, side)
    before = PseudoTerminal.modes(side)
    screen = EmulatedScreen(size: size)
    screen.signWidth = signWidth
    let standard = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]
    // A sanitizer applies to the program like to the test, with the same settings.
    let sanitizers = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
    // `setsid -c` makes the terminal the controlling one, which posix_spawn alone cannot do.
    let start = ["-c"] + (ignoring.map { ["sh", "-c", "trap '' \($0); exec \"$0\" \"$@\""] } ?? [])
    do {
      process = try ChildProcess(
        "setsid", start + words, on: side,
        environment: standard.merging(sanitizers) { $1 }.merging(environment) { $1 })
    } catch {
      close(main)
      close(side)
      throw error
    }
  }

  deinit {
    for descendant in descendants { kill(descendant, SIGKILL) }
    process.kill()
    if main >= 0 { close(main) }
    close(side)
  }

  private static func window(_ size: Size) -> winsize {
    winsize(
      ws_row: UInt16(clamping: size.height), ws_col: UInt16(clamping: size.width), ws_xpixel: 0, ws_ypixel: 0)
  }

  /// The terminal's settings as bytes, so that all of them are compared.
  private static func modes(_ terminal: Int32) -> [UInt8] {
    var settings = termios()
    tcgetattr(terminal, &settings)
    return withUnsafeBytes(of: &settings) { Array($0) }
  }

  /// True if the terminal's settings are those from before the start.
  package var hasModesOfBefore: Bool { PseudoTerminal.modes(side) == before }

  /// The damage to the terminal after the program has ended or stopped; empty if it was restored.
  package var damage: [String] {
    (hasModesOfBefore ? [] : ["other modes"]) + (screen.isAsAtStart ? [] : ["screen left as \(screen.modes)"])
  }

  /// Restores the settings from before the start, as a shell does when a job has stopped.
  package func resetModes() {
    before.withUnsafeBytes { bytes in
      var settings = bytes.loadUnaligned(as: termios.self)
      tcsetattr(side, TCSANOW, &settings)
    }
  }

  /// The output as text, with Escape written as `^[`.
  package var text: String { String(decoding: output, as: UTF8.self).replacing("\u{1B}", with: "^[") }

  package func forgetOutput() { output = [] }

  /// Forgets violations that a test expects and that are not the program's fault.
  package func forgetViolations(containing text: String) { screen.forgetViolations { $0.contains(text) } }

  /// Forgets copies that a test expects.
  package func forgetCopies(where isKnown: (String) -> Bool) { screen.forgetCopies(where: isKnown) }

  /// Types keys, and reads in the meantime, so that a program with much output does not block.
  package func send(_ keys: String) { send(Array(keys.utf8)) }

  package func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    let deadline = ContinuousClock.now + .seconds(60)
    while !rest.isEmpty, main >= 0, ContinuousClock.now < deadline, process.isRunning {
      let count = rest.withUnsafeBytes { write(main, $0.baseAddress, min($0.count, 4096)) }
      if count > 0 { rest = rest.dropFirst(count) } else { pump(milliseconds: 5) }
    }
  }

  /// Changes the terminal's size; the screen has it at once.
  package func resize(to size: Size) {
    if size.width > 0, size.height > 0 {
      // Of an absurd size, only the part that could be visible.
      screen.resize(to: Size(width: min(size.width, 1_000), height: min(size.height, 1_000)))
    }
    var window = PseudoTerminal.window(size)
    _ = ioctl(main, UInt(TIOCSWINSZ), &window)
  }

  /// Closes the terminal.
  package func hangUp() {
    guard main >= 0 else { return }
    close(main)
    main = -1
  }

  /// Reads until the condition holds; false after the time limit in seconds.
  package func wait(_ seconds: Double = 20, until condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while !condition() {
      if ContinuousClock.now > deadline { return false }
      pump(milliseconds: 10)
    }
    return true
  }

  /// Waits without reading the program's output.
  package func waitUnread(_ seconds: Double, until condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < deadline {
      if condition() { return true }
      usleep(2000)
    }
    return false
  }

  /// Waits until the screen shows the text.
  package func waitFor(_ text: String, _ seconds: Double = 20) -> Bool {
    wait(seconds) { screen.contains(text) }
  }

  /// Waits for the program to end; `nil` if it does not.
  package func waitForEnd(_ seconds: Double = 20) -> ChildProcess.Ending? {
    guard wait(seconds, until: { !process.isRunning }) else { return nil }
    // A terminal returns a few kilobytes at a time; by now all of the program's output is available.
    while pump(milliseconds: 20) {}
    return process.wait()
  }

  /// Reads once, at most `limit` bytes; false if there was nothing.
  @discardableResult
  package func pump(milliseconds: Int32, limit: Int = 65536) -> Bool {
    var ready = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
    guard main >= 0, poll(&ready, 1, milliseconds) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = read(main, &bytes, bytes.count)
    guard count > 0 else { return false }
    output += bytes[..<count]
    if output.count > 1 << 21 { output.removeFirst(output.count - 1 << 20) }
    screen.feed(bytes[..<count])
    let answers = screen.takeAnswers()
    // Few bytes, for which there is room.
    if isAnswering, !answers.isEmpty { _ = answers.withUnsafeBytes { write(main, $0.baseAddress, $0.count) } }
    return true
  }

  /// The descendants of the program, the nearest first (Linux).
  package var descendants: [pid_t] {
    var found = [process.identifier]
    var next = 0
    while next < found.count {
      let path = "/proc/\(found[next])/task/\(found[next])/children"
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      found += text.split(separator: " ").compactMap { pid_t($0) }
      next += 1
    }
    return Array(found.dropFirst())
  }
}
