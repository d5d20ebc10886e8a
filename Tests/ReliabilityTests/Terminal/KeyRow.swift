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
      var slowest = 0.0
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
        for _ in 0..<4 {
          terminal.send("\u{1B}")
          _ = terminal.wait(0.1) { false }
        }
        let isAlive = terminal.process.isRunning
        terminal.send("q")
        slowest = max(
          slowest, run.judge(terminal, endsBy: [.exited(0)], within: 5, isAlive ? "keys" : "died meanwhile"))
      }
      run.noteSlowest(slowest)
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
