import Foundation
import TerminalUI
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// X13: whatever is typed, pasted or clicked.
extension FaultMatrix {
  @Test
  func `X13: random bytes, half sequences, a huge paste and a flood of mouse events leave the program alive`()
    async throws
  {
    try await Self.row("X13") { run in
      var (slowest, repeats) = (0.0, 0)
      while run.goesOn(by: 50_000) {
        var generator = SeededGenerator(seed: run.seed)
        let terminal = try TerminalBench().dashboard()
        guard terminal.waitFor("probe") else { return run.judge(terminal, faults: ["no picture"], "start") }
        terminal.send(Self.garbage(40_000, &generator))
        terminal.send("\u{1B}[200~")
        // Ten megabytes in a long run.
        terminal.send([UInt8](repeating: 0x78, count: run.pace.isLong ? 10_000_000 : 100_000))
        terminal.send("\u{1B}[201~")
        terminal.send(Self.clicks(1000, &generator))
        // Out of whatever was opened.
        terminal.send("\u{1B}\\\u{1B}[201~")
        _ = terminal.wait(0.3) { false }
        let isAlive = terminal.process.isRunning
        let (asked, time) = Self.quit(terminal)
        repeats += asked - 1
        // `y` copies, and is among the keys; what was typed and pasted must not come back that way.
        terminal.forgetCopies(where: Self.isOwnText)
        let rest = run.judge(
          terminal, endsBy: [.exited(0)], within: 2, isAlive ? "keys" : "died meanwhile")
        slowest = max(slowest, time + rest)
      }
      run.noteSlowest(slowest)
      if repeats > 0 { run.note += ", q pressed again \(repeats) times" }
    }
  }

  /// Closes whatever lies on top and presses q, and does so again where that has not ended the program: on a busy
  /// machine an Escape and the key after it are read at once, and then mean one key with Alt.
  ///
  /// - Returns: how often q was pressed, and the seconds that the last one took so far.
  private static func quit(_ terminal: PseudoTerminal) -> (asked: Int, time: Double) {
    for asked in 1...4 {
      // A prompt, a line, the samples behind it, a message, a pane alone, a filter, a frozen picture.
      for _ in 0..<8 where terminal.process.isRunning {
        terminal.send("\u{1B}")
        _ = terminal.wait(0.1) { false }
      }
      let start = ContinuousClock.now
      terminal.send("q")
      let hasEnded = terminal.wait(3) { !terminal.process.isRunning }
      if hasEnded || asked == 4 { return (asked, start.duration(to: .now) / .seconds(1)) }
    }
    return (4, 0)
  }

  /// True if a copy is text of the program's own, in base64.
  private static func isOwnText(_ copy: String) -> Bool {
    guard let bytes = Data(base64Encoded: copy), let text = String(data: bytes, encoding: .utf8) else {
      return false
    }
    return !text.contains("xxxxxxxx")
      && text.unicodeScalars.allSatisfy {
        $0 == "\n" || $0 == "\t" || $0.properties.generalCategory != .control
      }
  }

  /// Random bytes and the beginnings of sequences, without those keys that end or stop a program.
  private static func garbage(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    let starts = [
      "\u{1B}[", "\u{1B}O", "\u{1B}[<", "\u{1B}]52;", "\u{1B}P", "\u{1B}[200~", "\u{1B}[99999999999;1",
      "\u{C3}",
    ]
    var bytes: [UInt8] = []
    while bytes.count < count {
      if UInt8.random(in: 0...9, using: &generator) == 0 {
        bytes += Array(starts[Int.random(in: 0..<starts.count, using: &generator)].utf8)
      } else {
        let byte = UInt8.random(in: .min ... .max, using: &generator)
        let ending: [UInt8] = [0x03, 0x1A, 0x1C, UInt8(ascii: "q"), UInt8(ascii: "Q"), UInt8(ascii: "c")]
        bytes.append(ending.contains(byte) ? 0x2E : byte)
      }
    }
    return bytes
  }

  private static func clicks(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    var text = ""
    for _ in 0..<count {
      let button = Int.random(in: 0...70, using: &generator)
      let (x, y) = (Int.random(in: 0...300, using: &generator), Int.random(in: 0...100, using: &generator))
      text += "\u{1B}[<\(button);\(x);\(y)\(Bool.random(using: &generator) ? "M" : "m")"
    }
    return Array(text.utf8)
  }
}
