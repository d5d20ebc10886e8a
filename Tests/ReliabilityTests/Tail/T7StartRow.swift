import Foundation
import JSONLines
import TestSupport
import Testing

extension FaultMatrix {
  @Test func `T7: a file that grows or rotates while it is read from its start gives each line once`()
    async throws
  {
    try await Self.row("T7") { run in
      while run.goesOn() {
        let watching = RealTail.Watching.allCases[run.done % 2]
        try Self.start(watching, isWindow: run.done % 4 < 2, seed: run.seed, tally: &run.tally)
      }
      run.note = "half of them from a window at the end, with what is before it read apart"
    }
  }

  private static func start(
    _ watching: RealTail.Watching, isWindow: Bool, seed: UInt64, tally: inout MatrixRun.Tally
  ) throws {
    var random = SeededGenerator(seed: seed)
    let tail = try RealTail(watching)
    tail.write(200 + Int(random.next() % 800))
    // A file that is rotated away before it was opened is not of the stream.
    var first = 0
    tail.start(at: isWindow ? .window(random.next() % 60_000) : .beginning, settles: false)
    tail.lookOnly()
    var earlier: [String] = []
    for _ in 0..<(5 + random.next() % 20) {
      switch random.next() % 6 {
      case 0:
        if tail.restarts.isEmpty { first = tail.written.count }
        tail.shiftRotated()
        tail.move(tail.path, tail.path + ".1")
        tail.write(1 + Int(random.next() % 30))
      case 1: tail.lookOnly()
      case 2: if earlier.isEmpty { earlier = try lines(of: tail.earlier) }
      case 3, 4: _ = tail.readOn(1 + Int(random.next() % 20_000))
      default: tail.write(1 + Int(random.next() % 50))
      }
    }
    while tail.readOn(.max) {}
    tail.pass(5)
    if earlier.isEmpty { earlier = try lines(of: tail.earlier) }
    tally.compare(written: Array(tail.written.dropFirst(first)), got: earlier + tail.lines)
    tally.bad += tail.gaps.count
  }

  private static func lines(of parts: [EarlierBytes]) throws -> [String] {
    var lines: [String] = []
    for part in parts {
      var half: [UInt8] = []
      var block = [UInt8](repeating: 0, count: 10_000)
      var offset: UInt64 = 0
      while offset < part.end {
        let count = try block.withUnsafeMutableBytes { try part.read(at: offset, into: $0) }
        guard count > 0 else { break }
        block.withUnsafeBytes {
          lines += LineSplitter.take(UnsafeRawBufferPointer(rebasing: $0[..<count]), after: &half)
        }
        offset += UInt64(count)
      }
    }
    return lines
  }
}
