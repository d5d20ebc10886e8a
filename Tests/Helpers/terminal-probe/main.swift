// Takes the terminal, draws, and then ends in the way its first argument names: the restore tests watch it
// from the other side of a pseudo-terminal.
import TerminalNcurses
import TerminalUI

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

let environment = ["TERM", "COLORTERM", "NO_COLOR"].reduce(into: [String: String]()) { result, name in
  if let value = getenv(name) { result[name] = String(cString: value) }
}
let way = CommandLine.arguments.dropFirst().first ?? "wait"

@inline(never)
func overflow(_ depth: Int) -> Int { depth == .max ? 0 : overflow(depth + 1) &+ depth }

func end(_ terminal: NcursesTerminal) {
  switch way {
  case "return": terminal.perform(.close)
  case "exit": exit(7)
  case "trap":
    let empty: [Int] = []
    print(empty[environment.count])
  case "overflow": print(overflow(0))
  case "flood": flood(terminal, frames: .max)
  case "bench": bench(terminal)
  default: loop(terminal)
  }
}

/// Draws pictures that differ in every cell, as fast as they are taken.
func flood(_ terminal: NcursesTerminal, frames: Int) {
  for number in 0..<frames {
    var buffer = Buffer(size: terminal.size)
    for y in 0..<terminal.size.height {
      let text = String(repeating: (number + y) % 2 == 0 ? "漢字 flood " : "⣀⡠█ ready ", count: 60)
      buffer.write(
        text, at: Position(x: 0, y: y), style: Style(foreground: .palette(UInt8((number + y) % 9))))
    }
    terminal.present(buffer, cursor: nil)
  }
}

/// Says how much processor time a picture costs that differs in every cell.
func bench(_ terminal: NcursesTerminal) {
  let start = clock()
  flood(terminal, frames: 200)
  let cost = Double(clock() - start) / Double(CLOCKS_PER_SEC) / 200
  terminal.perform(.close)
  print("\(terminal.size.width)x\(terminal.size.height): \(cost * 1e3) ms a picture")
}

/// Shows what comes in until `q` or the end of the terminal.
func loop(_ terminal: NcursesTerminal) {
  var count = 0
  var deadline: Double?
  while true {
    var waits = terminal.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = poll(&waits, nfds_t(waits.count), deadline == nil ? -1 : 30)
    var clock = timespec()
    clock_gettime(CLOCK_MONOTONIC, &clock)
    let input = terminal.readEvents(now: Double(clock.tv_sec) + Double(clock.tv_nsec) / 1e9)
    deadline = input.deadline
    for event in input.events {
      count += 1
      if event == .hangup { exit(3) }
      if event == .key(KeyPress(.character("q"))) { return terminal.perform(.close) }
      if event == .key(KeyPress(.character("z"))) { terminal.perform(.suspend) }
    }
    draw(terminal, input.events.last.map { "\($0)" } ?? "", row: count)
  }
}

/// Each event in a row of its own, so that it is sent whole and not as a difference.
func draw(_ terminal: NcursesTerminal, _ text: String, row: Int = 1) {
  var buffer = Buffer(size: terminal.size)
  buffer.write("ready \(terminal.size.width)x\(terminal.size.height)", at: Position(x: 0, y: 0))
  buffer.write(
    text, at: Position(x: 0, y: 1), style: Style(foreground: .rgb(200, 100, 50), attributes: .bold))
  terminal.present(buffer, cursor: nil)
}

if way == "session" { exit(Session.run("wait")) }
do {
  let terminal = try NcursesTerminal.open(.init(environment: environment))
  draw(terminal, "é 漢字 👨‍👩‍👧 \u{202E}x")
  end(terminal)
} catch {
  write(STDERR_FILENO, "terminal-probe: \(error.message)\n", error.message.utf8.count + 17)
  exit(2)
}
