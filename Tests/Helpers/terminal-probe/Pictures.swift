import TerminalNcurses
import TerminalUI

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

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

/// Draws frames in which no two cells have the same color, nor any color of a frame before.
func drawColors(_ terminal: NcursesTerminal, frames: Int) {
  var number = 0x100000
  for frame in 0..<frames {
    var buffer = Buffer(size: terminal.size)
    for y in 0..<terminal.size.height {
      for x in 0..<terminal.size.width {
        let bytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        number += 1
        buffer.write(
          "\(frame)", at: Position(x: x, y: y), style: Style(foreground: .rgb(bytes[0], bytes[1], bytes[2])))
      }
    }
    terminal.present(buffer, cursor: nil)
  }
  terminal.perform(.close)
}

/// Shows what comes in until `q` or the end of the terminal.
func loop(_ terminal: NcursesTerminal) {
  var count = 0
  while true {
    for event in nextEvents(terminal) {
      count += 1
      if event == .hangup { exit(3) }
      if event == .key(KeyPress(.character("q"))) { return terminal.perform(.close) }
      if event == .key(KeyPress(.character("z"))) { terminal.perform(.suspend) }
      draw(terminal, "\(event)", row: count)
    }
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

/// Waits for what comes in; the time limit of a lone Escape is a moment.
private func nextEvents(_ terminal: NcursesTerminal) -> [InputEvent] {
  var waits = terminal.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  _ = poll(&waits, nfds_t(waits.count), 30)
  var clock = timespec()
  clock_gettime(CLOCK_MONOTONIC, &clock)
  return terminal.readEvents(now: Double(clock.tv_sec) + Double(clock.tv_nsec) / 1e9).events
}

/// Draws the texts of a file, each between two borders in a row of its own, a page for each key.
///
/// The file has a text per line, as hexadecimal digits of its bytes. The last row says which page it is.
///
/// - Parameter isRaw: sends the texts to the terminal as they are, which is what must never happen.
func drawStrings(_ terminal: NcursesTerminal, file: String, isRaw: Bool) {
  let texts = readTexts(file)
  let height = terminal.size.height - 1
  for (page, start) in stride(from: 0, to: max(1, texts.count), by: height).enumerated() {
    var buffer = Buffer(size: terminal.size, repertoire: terminal.capabilities.repertoire)
    for (y, bytes) in texts[start..<min(start + height, texts.count)].enumerated() {
      buffer.write("|", at: Position(x: 0, y: y))
      buffer.write(SafeText.decode(bytes), at: Position(x: 1, y: y), limit: terminal.size.width - 2)
      buffer.write("|", at: Position(x: terminal.size.width - 1, y: y))
      if isRaw { _ = write(STDOUT_FILENO, bytes, bytes.count) }
    }
    buffer.write("page \(page)", at: Position(x: 0, y: height))
    terminal.present(buffer, cursor: nil)
    var events: [InputEvent] = []
    while events.isEmpty { events = nextEvents(terminal) }
    // Anything but the key that asks for the next page is an answer of the terminal to what was drawn.
    guard events.allSatisfy({ $0 == .key(KeyPress(.character("n"))) }) else { exit(4) }
  }
  terminal.perform(.close)
}

private func readTexts(_ path: String) -> [[UInt8]] {
  guard let file = fopen(path, "r") else { return [] }
  defer { fclose(file) }
  var (texts, text): ([[UInt8]], [UInt8]) = ([], [])
  var high: UInt8?
  while true {
    let character = getc(file)
    if character < 0 { return texts }
    if character == 0x0A {
      texts.append(text)
      text = []
    } else {
      let digit = UInt8(truncatingIfNeeded: character < 0x3A ? character - 0x30 : character - 0x57)
      if let first = high { text.append(first << 4 | digit) }
      high = high == nil ? digit : nil
    }
  }
}
