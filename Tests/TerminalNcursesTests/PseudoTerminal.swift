#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The probe program behind a pseudo-terminal, seen from the terminal's side.
final class PseudoTerminal {
  /// How a process ended.
  enum End: Equatable {
    case exit(Int32)
    case signal(Int32)
    case stillRunning
  }

  private(set) var output: [UInt8] = []
  let pid: pid_t
  private var main: Int32
  private let side: Int32
  private let before: [UInt8]

  /// Starts the probe as the leader of a session of its own, with this terminal to control it.
  ///
  /// - Parameter ignoring: the name of a signal that the probe inherits as ignored.
  init?(
    _ way: String, type: String = "xterm-256color", locale: String = "C.UTF-8", width: Int = 40,
    ignoring: String? = nil
  ) {
    var (main, side): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: 10, ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&main, &side, nil, nil, &size) == 0, let probe = PseudoTerminal.probe else { return nil }
    _ = fcntl(main, F_SETFD, FD_CLOEXEC)
    before = PseudoTerminal.modes(side)
    // `setsid -c` makes the terminal the controlling one, which posix_spawn alone cannot.
    var words = ["setsid", "-c", probe, way]
    if let ignoring {
      words = ["setsid", "-c", "sh", "-c", "trap '' \(ignoring); exec \"$0\" \"$1\"", probe, way]
    }
    let environment = ["TERM=\(type)", "LC_ALL=\(locale)", "PATH=/usr/bin:/bin"]
    var pid: pid_t = 0
    guard PseudoTerminal.spawn(words, environment, terminal: side, pid: &pid) == 0 else { return nil }
    (self.main, self.side, self.pid) = (main, side, pid)
  }

  deinit {
    if end() == .stillRunning {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    if main >= 0 { close(main) }
    close(side)
  }

  /// The probe is built beside the test bundle.
  private static var probe: String? {
    var folder = CommandLine.arguments.first.map { String($0) } ?? ""
    for _ in 0..<6 {
      guard let slash = folder.lastIndex(of: "/") else { return nil }
      folder = String(folder[..<slash])
      if access(folder + "/terminal-probe", X_OK) == 0 { return folder + "/terminal-probe" }
    }
    return nil
  }

  private static func spawn(
    _ words: [String], _ environment: [String], terminal: Int32, pid: inout pid_t
  ) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    for number in Int32(0)...2 { posix_spawn_file_actions_adddup2(&actions, terminal, number) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    return posix_spawnp(&pid, words[0], &actions, &attributes, &arguments, &variables)
  }

  /// The terminal's settings as bytes, so that all of them are compared.
  private static func modes(_ terminal: Int32) -> [UInt8] {
    var settings = termios()
    tcgetattr(terminal, &settings)
    return withUnsafeBytes(of: &settings) { Array($0) }
  }

  /// Whether the terminal's settings are those from before the start.
  var isAsBefore: Bool { PseudoTerminal.modes(side) == before }

  /// The output as text, with Escape written as `^[`.
  var text: String { String(decoding: output, as: UTF8.self).replacing("\u{1B}", with: "^[") }

  func send(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(main, bytes, bytes.count)
  }

  func resize(width: Int, height: Int) {
    var size = winsize(ws_row: UInt16(height), ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(main, UInt(TIOCSWINSZ), &size)
  }

  /// Lets the terminal vanish.
  func hangUp() {
    close(main)
    main = -1
  }

  /// Reads until the condition holds; false when that takes longer than the seconds allowed.
  func wait(_ seconds: Double = 10, until condition: () -> Bool) -> Bool {
    let start = PseudoTerminal.now
    while !condition() {
      if PseudoTerminal.now - start > seconds { return false }
      drain(milliseconds: 5)
    }
    return true
  }

  /// Waits without reading what the probe writes.
  func waitUnread(seconds: Double, until condition: () -> Bool) -> Bool {
    let start = PseudoTerminal.now
    while PseudoTerminal.now - start < seconds {
      if condition() { return true }
      usleep(5000)
    }
    return false
  }

  /// Waits for new output that holds the text.
  func waitFor(_ text: String) -> Bool {
    wait { self.text.contains(text) }
  }

  func forgetOutput() { output = [] }

  /// Reads once; false when nothing came.
  @discardableResult
  private func drain(milliseconds: Int32) -> Bool {
    var ready = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
    guard main >= 0, poll(&ready, 1, milliseconds) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = read(main, &bytes, bytes.count)
    guard count > 0 else { return false }
    output += bytes[..<count]
    return true
  }

  private var ended: End?

  /// How the probe ended, without waiting.
  func end() -> End {
    if let ended { return ended }
    var status: Int32 = 0
    guard waitpid(pid, &status, WNOHANG) == pid else { return .stillRunning }
    let signal = status & 0x7F
    let end = signal == 0 ? End.exit(status >> 8 & 0xFF) : End.signal(signal)
    ended = end
    // A terminal hands out a few kilobytes at a time; all that the probe wrote is there by now.
    while drain(milliseconds: 20) {}
    return end
  }

  /// Whether the probe is stopped now.
  func waitForStop() -> Bool {
    var status: Int32 = 0
    return wait { waitpid(self.pid, &status, WNOHANG | WUNTRACED) == self.pid && status & 0xFF == 0x7F }
  }

  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
