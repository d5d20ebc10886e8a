import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// S1, S2: a sync engine over its durable store, killed.
extension FaultMatrix {
  @Test func `S1: an engine killed at random loses no change that it confirmed and creates nothing twice`()
    async throws
  {
    try await Self.row("S1") { run in
      while run.goesOn(by: 25) { try Self.killEngines(25, seed: run.seed, into: &run.tally) }
      run.note = "every death is followed by an opening and by another engine on the same files"
    }
  }

  @Test func `S1 is red without the store`() async throws {
    try await Self.control("S1", without: "the store") { run in
      while run.goesOn(by: 25), run.tally.lost == 0 {
        try Self.killEngines(25, seed: run.seed, into: &run.tally, option: "store=memory")
      }
    }
  }

  private static func killEngines(
    _ kills: Int, seed: UInt64, into tally: inout MatrixRun.Tally, option: String = ""
  ) throws {
    let bench = try SyncBench()
    var generator = SeededGenerator(seed: seed)
    for kill in 0..<kills {
      let size = [20, 300, 5_000][kill % 3]
      let (process, table) = try bench.start("seed=\(generator.next() >> 1)", "size=\(size)", option)
      // One in eight dies while it starts.
      let due = Int.random(in: 0...60, using: &generator)
      if kill % 8 != 0 { wait(for: process) { table.offeredAt(due) != 0 } }
      usleep(UInt32.random(in: 0...6_000, using: &generator))
      tally.bad += process.kill() == .killed(SIGKILL) ? 0 : 1
      // Lines of earlier rounds are seen again: only the last counts.
      var latest = MatrixRun.Tally()
      try bench.check(into: &latest)
      (tally.lost, tally.duplicated, tally.bad) = (
        tally.lost + latest.lost, tally.duplicated + latest.duplicated, tally.bad + latest.bad
      )
    }
    try bench.start("count=1", "calm=1").process.wait()
    try bench.check(isDrained: true, into: &tally)
  }

  private static func wait(for process: ChildProcess, until condition: () -> Bool) {
    let deadline = ContinuousClock.now + .seconds(30)
    while !condition(), process.isRunning, ContinuousClock.now < deadline { usleep(200) }
  }

  @Test func `S2: an engine killed at the system calls that touch its files loses and doubles nothing`()
    async throws
  {
    guard Strace.isAvailable else { return try Self.skip("S2", "needs strace") }
    try await Self.row("S2") { run in
      for call in [
        "write", "pwrite64", "fdatasync", "fsync", "rename", "renameat", "ftruncate", "unlink",
      ] {
        // A transaction writes page by page: of those calls, one in many.
        var (number, kills) = (1, 0)
        while try Self.killEngine(at: call, number, into: &run.tally) {
          run.add(rounds: 1)
          kills += 1
          number += call == "pwrite64" ? trials(199, long: 7) : 1
        }
        run.note += "\(call) \(kills), "
      }
      run.note = "kills: " + run.note + "24 changes at commit, syncs and a checkpoint among them"
    }
  }

  /// Runs a short scenario, killed at one call, then opens the store, then lets another engine finish the work.
  ///
  /// - Returns: Whether there was such a call.
  private static func killEngine(
    at call: String, _ number: Int, into tally: inout MatrixRun.Tally
  ) throws -> Bool {
    let bench = try SyncBench()
    // Updates of 150 kB that are folded into one create: the log is soon moved into the database.
    let ending = try bench.start(
      "count=24", "size=150000", "durability=commit", updates: 20,
      wrapper: Strace.wrapper(.kill(call: call, number: number), at: bench.paths)
    ).process.wait()
    try bench.check(into: &tally)
    try bench.start("count=1", "calm=1").process.wait()
    try bench.check(isDrained: true, into: &tally)
    guard ending == .killed(SIGKILL) else {
      tally.bad += ending == .exited(0) ? 0 : 1
      return false
    }
    return true
  }
}
