import Foundation
import MisterMetricsCore
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// W1: processes that are killed in the middle of writing.
extension FaultMatrix {
  @Test func `W1: four writers killed at random lose no acknowledged record and tear none but their last`()
    async throws
  {
    try await Self.row("W1") { run in
      while run.goesOn(by: 50) { try Self.killWriters(50, seed: run.seed, into: &run.tally) }
    }
  }

  @Test func `W1 is red without the look at the last byte`() async throws {
    try await Self.control("W1", without: "the look at the last byte") { run in
      while run.goesOn(by: 50), run.tally.lost == 0 {
        try Self.killWriters(50, seed: run.seed, into: &run.tally, option: "without=tail-check")
      }
    }
  }

  /// Four writers at a time; one is killed, its successor starts at once.
  ///
  /// Every other one dies by itself in the middle of a write: from outside that moment is hit too rarely.
  private static func killWriters(
    _ kills: Int, seed: UInt64, into tally: inout MatrixRun.Tally, option: String = ""
  ) throws {
    let bench = try WriterBench()
    var generator = SeededGenerator(seed: seed)
    let sizes = [120, 200, 1_000, 6_000]
    var running = try sizes.map { try bench.start(option, size: $0) }
    var dying = Set<Int>()
    for kill in 0..<kills {
      let index = Int.random(in: 0..<4, using: &generator)
      if dying.remove(index) != nil {
        running[index].process.wait()
      } else {
        // One in eight dies before, at or just after its first record.
        if kill % 8 != 0 { running[index].waitForRecords() }
        usleep(UInt32.random(in: 0...6_000, using: &generator))
        running[index].process.kill()
      }
      let due = Int.random(in: 1...30, using: &generator)
      if kill % 2 == 0 { dying.insert(index) }
      running[index] = try bench.start(option, kill % 2 == 0 ? "die=\(due)" : "", size: sizes[index])
    }
    for writer in running { writer.process.kill() }
    try bench.check(deaths: kills + 4, into: &tally)
  }
}
