import Foundation
import JSONLines
import TestSupport
import Testing

extension FaultMatrix {
  @Test func `T19: what an old descriptor writes to a rotated file is read, however late`() async throws {
    try await Self.row("T19") { run in
      var random = SeededGenerator(seed: run.seed)
      while run.goesOn() {
        for watching in RealTail.Watching.allCases {
          try Self.writeLate(watching, random: &random, tally: &run.tally)
        }
      }
      run.note = "with inotify and polling; the new file is written meanwhile, and rotated up to three times"
    }
  }

  @Test func `T19 is red where a file that was left is not held`() async throws {
    try await Self.control("T19", without: "the files that were left") { run in
      var random = SeededGenerator(seed: run.seed)
      try Self.writeLate(.polling, lateFiles: 0, random: &random, tally: &run.tally)
      run.add(rounds: 1)
    }
  }

  private static func writeLate(
    _ watching: RealTail.Watching, lateFiles: Int? = nil, random: inout SeededGenerator,
    tally: inout MatrixRun.Tally
  ) throws {
    let tail = try RealTail(watching)
    tail.write(50)
    tail.start(lateFiles: lateFiles)
    let old = open(tail.path, O_WRONLY | O_APPEND)
    defer { close(old) }
    for _ in 0...Int.random(in: 0...3, using: &random) {
      tail.shiftRotated()
      tail.move(tail.path, tail.path + ".1")
      tail.write(5)
      tail.pass(1.5)
    }
    for _ in 0..<3 {
      tail.pass(Double.random(in: 0.2...50, using: &random))
      // In two parts, so that a line is seen half.
      let text = (0..<20).map { _ in tail.nextLine() + "\n" }.joined()
      tail.put(String(text.prefix(500)), on: old)
      tail.write(5)
      tail.pass(Double.random(in: 0...0.5, using: &random))
      tail.put(String(text.dropFirst(500)), on: old)
      tail.write(5)
    }
    tail.pass(2)
    tally.compare(written: tail.written, got: tail.lines, inOrder: false)
    tally.bad += tail.gaps.count { $0.reason != .halfLine }
  }
}
