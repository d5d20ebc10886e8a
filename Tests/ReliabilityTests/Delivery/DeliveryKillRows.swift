import DeliveryCore
import Foundation
import TestDelivery
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Q1, Q5, Q7: clients over a disk queue that are killed, and two at once.
extension FaultMatrix {
  @Test
  func `Q1: a client killed at random delivers all that was on disk, in order, at most one batch twice`()
    async throws
  {
    try await Self.row("Q1") { run in
      var (repeated, disordered) = (0, 0)
      while run.goesOn(by: 50) {
        let verdict = try Self.killClients(50, seed: run.seed, into: &run.tally)
        repeated += verdict.repeatedByDeath
        disordered += verdict.disordered
      }
      run.note =
        "\(repeated) events came once more after a death, at most one batch each; \(disordered) in disorder"
    }
  }

  @Test func `Q1 is red without the note of what was removed`() async throws {
    try await Self.control("Q1", without: "the checkpoint") { run in
      while run.goesOn(by: 50), run.tally.duplicated == 0 {
        _ = try Self.killClients(50, seed: run.seed, "without=checkpoint", into: &run.tally)
      }
    }
  }

  /// Kills one client after the other, each over what the one before has left.
  private static func killClients(
    _ kills: Int, seed: UInt64, _ option: String = "", into tally: inout MatrixRun.Tally
  ) throws -> EndpointRecord.Verdict {
    let bench = try DeliveryBench()
    var generator = SeededGenerator(seed: seed)
    for kill in 0..<kills {
      let process = try bench.start("seed=\(generator.next() >> 1)", option)
      // One in eight dies while it starts, the others after some work, which is more on some machines than on others.
      let due = bench.table.offered + Int.random(in: 0...250, using: &generator)
      if kill % 8 != 0 { bench.wait(for: process) { bench.table.offeredAt(due) != 0 } }
      usleep(UInt32.random(in: 0...5_000, using: &generator))
      tally.bad += process.kill() == .killed(SIGKILL) ? 0 : 1
    }
    try bench.deliverRest(into: &tally)
    return bench.check(into: &tally)
  }

  @Test
  func `Q7: a client killed at every system call that touches its files delivers all that was on disk`()
    async throws
  {
    guard Strace.isAvailable else { return try Self.skip("Q7", "needs strace") }
    try await Self.row("Q7") { run in
      for call in [
        "write", "fdatasync", "rename", "renameat", "renameat2", "ftruncate", "unlink", "unlinkat", "fsync",
        "mkdir",
      ] {
        var number = 1
        while try Self.killScript(at: call, number, into: &run.tally) { number += 1 }
        run.add(rounds: number - 1)
        run.note += "\(call) \(number - 1), "
      }
      run.note = "kills: " + run.note + "200 events in one thread, at an endpoint that misbehaves"
    }
  }

  /// Runs the script, killed at one call, then a client that comes after.
  ///
  /// - Returns: Whether there was such a call.
  private static func killScript(
    at call: String, _ number: Int, into tally: inout MatrixRun.Tally
  ) throws -> Bool {
    let bench = try DeliveryBench()
    // All such calls of the process are the queue's.
    let ending = try bench.start(
      "script=1", wrapper: Strace.wrapper(.kill(call: call, number: number), at: [])
    ).wait()
    try bench.deliverRest(into: &tally)
    _ = bench.check(into: &tally)
    guard ending == .killed(SIGKILL) else {
      tally.bad += ending == .exited(0) ? 0 : 1
      return false
    }
    return true
  }

  @Test func `Q5: of two clients on one folder the second says so, works in memory, and disturbs nothing`()
    async throws
  {
    try await Self.row("Q5") { run in
      while run.goesOn() { try Self.startTwo(seed: run.seed, into: &run.tally) }
    }
  }

  private static func startTwo(seed: UInt64, into tally: inout MatrixRun.Tally) throws {
    let first = try DeliveryBench()
    let second = try DeliveryBench(in: first.folder, name: "second")
    let owner = try first.start("seed=\(seed >> 1)")
    first.wait(for: owner) { first.table.isReady }
    let guest = try second.start("count=40", "calm=1")
    tally.bad += guest.wait() == .exited(0) ? 0 : 1
    tally.bad += owner.kill() == .killed(SIGKILL) ? 0 : 1
    let queue = first.folder.path("queue")
    let reason = "another process, or another client, uses the disk queue in \(queue)"
    tally.bad += second.output.contains("Events are kept in memory alone: \(reason)") ? 0 : 1
    let delivered = EndpointRecord(path: first.folder.path("second.endpoint")).settled
    tally.expected += 40
    tally.got += delivered.count
    tally.lost += Set(0..<40).subtracting(delivered).count
    tally.bad += (0..<40).contains { second.table.fate(of: $0) == .acknowledged } ? 1 : 0
    try first.deliverRest(into: &tally)
    _ = first.check(into: &tally)
  }
}
