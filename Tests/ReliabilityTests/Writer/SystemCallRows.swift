import Foundation
import MisterMetricsCore
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// W2, W5, W6: faults at chosen system calls.
extension FaultMatrix {
  @Test func `W2: killed at every system call that touches the file, nothing acknowledged is lost`()
    async throws
  {
    guard Strace.isAvailable else { return try Self.skip("W2", "needs strace") }
    try await Self.row("W2") { run in
      for call in [
        "write", "fdatasync", "rename", "renameat", "renameat2", "ftruncate", "unlink", "unlinkat", "fsync",
      ] {
        var number = 1
        while try await Self.killScript(at: call, number, into: &run.tally) {
          run.add(rounds: 1)
          number += 1
        }
        run.note += "\(call) \(number - 1), "
      }
      run.note = "kills: " + run.note + "50 records at commit with rotation and compaction"
    }
  }

  /// Runs fifty records with rotation and compaction, killed at one call, and then one who comes after.
  ///
  /// - Returns: Whether there was such a call.
  private static func killScript(
    at call: String, _ number: Int, into tally: inout MatrixRun.Tally
  ) async throws -> Bool {
    let bench = try WriterBench()
    let old = #"{"metric":{"name":"old","valueTypeString":"Int"},"timestamp":1,"value":"MA=="}"#
    try Data("\(old)\nunknown\n".utf8).write(to: URL(fileURLWithPath: bench.path))
    // Everywhere: the temporary file of a compaction has a name that no one can foresee.
    let ending = try bench.start(
      "count=50", "durability=commit", "rotate=5000", "optimize=30",
      wrapper: Strace.wrapper(.kill(call: call, number: number), at: [])
    ).process.wait()
    try bench.start("count=2").process.wait()
    try bench.check(deaths: 1, kept: ["unknown"], into: &tally)
    tally.lost += try await bench.countUnreadable()
    guard ending == .killed(SIGKILL) else {
      tally.bad += ending == .exited(0) ? 0 : 1
      return false
    }
    return true
  }

  @Test func `W5: interrupted, failing and short writes leave the same file as none`() async throws {
    guard Strace.isAvailable else { return try Self.skip("W5", "needs strace") }
    try await Self.row("W5") { run in
      // A third of the writes each: the calls that fail, and those that write less than was asked.
      let count = run.count / 3 + 1
      let plain = try Self.bytes(count, fault: nil, into: &run.tally)
      let faults: [Strace.Fault] = [
        .error(call: "write", name: "EINTR", when: "1+2"), .error(call: "write", name: "EIO", when: "2+3"),
      ]
      for fault in faults {
        let found = try Self.bytes(count, fault: fault, into: &run.tally)
        run.tally.bad += found == plain ? 0 : 1
        run.add(rounds: count)
      }
      run.tally.bad += try Self.bytes(count, fault: nil, "short=7", into: &run.tally) == plain ? 0 : 1
      run.add(rounds: count)
      run.note = "EINTR and EIO by strace, short writes by the store's own seam"
    }
  }

  /// The files of a writer that offers each record until it is taken.
  private static func bytes(
    _ count: Int, fault: Strace.Fault?, _ option: String = "", into tally: inout MatrixRun.Tally
  ) throws -> Data {
    let bench = try WriterBench()
    let wrapper = fault.map { Strace.wrapper($0, at: [bench.path]) } ?? []
    let writer = try bench.start("count=\(count)", "time=800000000", "retry=1", option, wrapper: wrapper)
    tally.bad += writer.process.wait() == .exited(0) ? 0 : 1
    try bench.check(deaths: 0, into: &tally)
    return try Data(contentsOf: URL(fileURLWithPath: bench.path))
  }

  @Test func `W6: after a failed sync nothing is acknowledged that is not in a new, synced file`()
    async throws
  {
    guard Strace.isAvailable else { return try Self.skip("W6", "needs strace") }
    try await Self.row("W6") { run in
      var known = 0
      while run.goesOn() {
        let number = run.count == 50 ? run.done : run.done * 50 / run.count
        let bench = try WriterBench()
        let fault = Strace.Fault.error(call: "fdatasync", name: "EIO", when: "\(number)")
        let writer = try bench.start(
          "count=51", "durability=commit", wrapper: Strace.wrapper(fault, at: [bench.path]))
        run.tally.bad += writer.process.wait() == .exited(0) ? 0 : 1
        try bench.check(deaths: 0, copies: true, into: &run.tally)
        known += bench.files.count - 1
      }
      // Each failed sync must have left its file behind; a thread of its own may have made fewer calls than that.
      run.tally.bad += known == 0 ? 1 : 0
      run.note = "\(known) files left behind"
    }
  }
}
