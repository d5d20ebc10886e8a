import Foundation
import MisterMetricsCore
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// W3, W4, W7: no room, no permission to grow, no permission to write.
extension FaultMatrix {
  @Test func `W3: a full file system refuses records whole, counts them, and goes on when there is space`()
    async throws
  {
    let kinds: [MountedFileSystem.Kind] = [
      .memory(bytes: 64 << 10), .memory(bytes: 256 << 10), .ext4(bytes: 8 << 20),
    ]
    let systems = try kinds.compactMap { try MountedFileSystem($0) }
    guard systems.count >= 2 else { return try Self.skip("W3", "nothing can be mounted") }
    try await Self.row("W3") { run in
      while run.goesOn() {
        try await Self.fillAndFree(systems[run.done % systems.count], seed: run.seed, into: &run.tally)
      }
      run.note = systems.count == 3 ? "tmpfs of 64 and 256 KiB, ext4 of 8 MiB" : "tmpfs only"
    }
  }

  private static func fillAndFree(
    _ system: MountedFileSystem, seed: UInt64, into tally: inout MatrixRun.Tally
  ) async throws {
    var generator = SeededGenerator(seed: seed)
    // The stores of an earlier cycle sync once more before they let go of their file, which takes room until then.
    #expect(system.waitUntilEmpty())
    system.fill(sparing: Int.random(in: 8_000...40_000, using: &generator))
    defer {
      system.free()
      unlink(system.path("metrics.jsonl"))
    }
    let bench = try WriterBench(path: system.path("metrics.jsonl"))
    var options = MetricFileOptions()
    options.syncInterval = .milliseconds(20)
    let small = try bench.recorder(size: 150, options: options)
    let large = try bench.recorder(size: Int.random(in: 1_000...12_000, using: &generator), options: options)
    var refused = [0, 0]
    var number = 0
    // Both go on after the first refusal: what is small may still fit where a large record does not.
    while refused.contains(where: { $0 < 3 }), number < 400 {
      for (index, recorder) in [small, large].enumerated() {
        guard let error = try await recorder.offer(number) else { continue }
        refused[index] += 1
        tally.bad += error.systemErrorNumber == ENOSPC && error.code == .writeFailed ? 0 : 1
      }
      number += 1
    }
    // A batch that no one waits for is larger than what is left, whatever that is.
    for extra in number..<(number + 60) { try large.gather(extra) }
    if await (try? large.store.flush()) == nil { for extra in 0..<60 { large.table.refuse(number + extra) } }
    tally.bad += refused.contains(0) ? 1 : 0
    tally.bad += small.store.counts.refused == refused[0] ? 0 : 1
    tally.bad += large.store.counts.refused == refused[1] + 60 ? 0 : 1
    system.free()
    // More than one large record may be too much for the smallest of the file systems.
    tally.bad += try await large.offer(number + 60) == nil ? 0 : 1
    for extra in 0..<5 { tally.bad += try await small.offer(number + extra) == nil ? 0 : 1 }
    try bench.check(deaths: 0, into: &tally)
  }

  @Test func `W4: a file that may not grow refuses records whole, and the process lives`() async throws {
    guard ChildProcess.isInstalled("prlimit") else { return try Self.skip("W4", "needs prlimit") }
    try await Self.row("W4") { run in
      while run.goesOn() {
        let bench = try WriterBench()
        let size = 150 + 37 * run.done
        let writer = try bench.start(
          "pause=300", "count=300", size: size,
          wrapper: ["env", "--ignore-signal=XFSZ", "prlimit", "--fsize=10000:"])
        writer.wait { writer.table.countedRefused >= 20 }
        let limit = try ChildProcess(
          "prlimit", ["--pid", "\(writer.process.identifier)", "--fsize=unlimited:"])
        run.tally.bad += limit.wait() == .exited(0) ? 0 : 1
        run.tally.bad += writer.process.wait() == .exited(0) ? 0 : 1
        let refused = (0..<300).count { writer.table.fate(of: $0) == .refused }
        run.tally.bad += refused >= 20 && refused == writer.table.countedRefused ? 0 : 1
        run.tally.bad += writer.table.fate(of: 299) == .acknowledged ? 0 : 1
        try bench.check(deaths: 0, into: &run.tally)
      }
    }
  }

  @Test func `W7: a file system that turns read-only is said, bounded in memory, and left for another path`()
    async throws
  {
    guard let probe = try MountedFileSystem(.ext4(bytes: 4 << 20)), Self.canTurnReadOnly(probe) else {
      return try Self.skip("W7", "needs root, a loop device and ext4")
    }
    try await Self.row("W7") { run in
      while run.goesOn() { try await Self.turnReadOnly(into: &run.tally) }
    }
  }

  private static func trigger(_ system: MountedFileSystem) -> String {
    "/sys/fs/ext4/\(system.device ?? "none")/trigger_fs_error"
  }

  private static func canTurnReadOnly(_ system: MountedFileSystem) -> Bool {
    FileManager.default.isWritableFile(atPath: trigger(system))
  }

  private static func turnReadOnly(into tally: inout MatrixRun.Tally) async throws {
    let system = try #require(try MountedFileSystem(.ext4(bytes: 4 << 20)))
    let bench = try WriterBench(path: system.path("metrics.jsonl"))
    let recorder = try bench.recorder()
    for number in 0..<20 { tally.bad += try await recorder.offer(number) == nil ? 0 : 1 }
    try Data("error".utf8).write(to: URL(fileURLWithPath: trigger(system)))
    for number in 20..<40 {
      let error = try await recorder.offer(number)
      tally.bad += error?.systemErrorNumber == EROFS ? 0 : 1
    }
    // No one waits for these: they are counted, and what waits stays within its bound.
    for number in 40..<140 { try recorder.gather(number) }
    tally.bad += await (try? recorder.store.flush()) == nil ? 0 : 1
    for number in 40..<140 { recorder.table.refuse(number) }
    tally.bad += recorder.store.counts.refused == 120 && recorder.store.waitingLines == 0 ? 0 : 1
    try bench.check(deaths: 0, into: &tally)
    let elsewhere = try WriterBench()
    let second = try elsewhere.recorder()
    for number in 0..<20 { tally.bad += try await second.offer(number) == nil ? 0 : 1 }
    try elsewhere.check(deaths: 0, into: &tally)
  }
}
