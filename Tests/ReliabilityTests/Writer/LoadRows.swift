import Foundation
import MisterMetricsCore
import Platform
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// W14: steady load, a burst, a slow disk.
extension FaultMatrix {
  @Test func `W14: under steady load no record waits long, and what a slow disk cannot take is counted`()
    async throws
  {
    try await Self.row("W14") { run in
      // A minute at a time: a table of fates holds a little more than four.
      let seconds = min(60, run.count)
      var worst = 0.0
      while run.goesOn(by: seconds) {
        let age = try await Self.steadyLoad(seconds: seconds, latest: Self.latest(run), into: &run.tally)
        worst = max(worst, age)
      }
      let burst = try await Self.burst(into: &run.tally)
      let refused = try await Self.slowDisk(isLarge: false, into: &run.tally)
      // Encoding more than memory may hold takes a while without optimisation.
      if run.pace.scale == 1 { _ = try await Self.slowDisk(isLarge: true, into: &run.tally) }
      run.note =
        String(format: "oldest unwritten %.0f ms; ", worst)
        + "\(burst); slow disk: \(refused) refused and counted"
    }
  }

  /// One record a millisecond for so many seconds.
  ///
  /// - Returns: How long a record waited at most, in milliseconds.
  private static func steadyLoad(
    seconds: Int, latest: Double, into tally: inout MatrixRun.Tally
  ) async throws -> Double {
    let bench = try WriterBench()
    let oldest = Locked((calledAt: UInt64(0), written: 0, worst: UInt64(0)))
    var operations = FileOperations.system
    let recorder: StoreRecorder
    let tables = Locked<AckTable?>(nil)
    operations.write = { descriptor, bytes in
      let count = FileOperations.system.write(descriptor, bytes)
      // The first record of the batch has waited longest.
      let lines = bytes.count { $0 == UInt8(ascii: "\n") }
      guard let table = tables.withLock({ $0 }) else { return count }
      oldest.withLock { state in
        state.worst = max(state.worst, AckTable.now() - table.offeredAt(state.written))
        state.written += lines
      }
      return count
    }
    recorder = try bench.recorder(operations: operations)
    tables.withLock { [table = recorder.table] in $0 = table }
    let start = AckTable.now()
    for number in 0..<(seconds * 1_000) {
      let due = start + UInt64(number) * 1_000_000
      while AckTable.now() < due { usleep(200) }
      try recorder.gather(number)
    }
    try await recorder.store.flush()
    let (written, worst) = oldest.withLock { ($0.written, Double($0.worst) / 1e6) }
    tally.expected += seconds * 1_000
    tally.got += written
    tally.lost += seconds * 1_000 - written
    tally.bad += worst <= latest ? 0 : 1
    try bench.check(deaths: 0, into: &tally)
    return worst
  }

  /// As many records as fast as they can be made.
  private static func burst(into tally: inout MatrixRun.Tally) async throws -> String {
    let bench = try WriterBench()
    let store = try MetricFileStore(file: URL(fileURLWithPath: bench.path))
    let entries = try (0..<1_000).map { try MetricEntry(metric: Metric<Int>(name: "burst"), encoding: $0) }
    let (start, before) = (AckTable.now(), Memory.resident)
    var refused = 0
    for _ in 0..<200 {
      for entry in entries { do { try store.gather(entry) } catch { refused += 1 } }
    }
    let rate = 200_000 / (Double(AckTable.now() - start) / 1e9)
    try await store.flush()
    let growth = Memory.resident - before
    tally.expected += 200_000
    tally.got += store.counts.written + refused
    tally.lost += 200_000 - store.counts.written - refused
    tally.bad += store.counts.refused == refused ? 0 : 1
    tally.bad += growth < 128 << 20 ? 0 : 1
    return String(format: "burst of 200,000 at %.0f/s, %d refused, +%d MB", rate, refused, growth >> 20)
  }

  /// A disk that stands still, and more records than may wait: by their number, or by their size.
  private static func slowDisk(isLarge: Bool, into tally: inout MatrixRun.Tally) async throws -> Int {
    let bench = try WriterBench()
    var operations = FileOperations.system
    let isSlow = Locked(true)
    operations.write = { descriptor, bytes in
      while isSlow.withLock({ $0 }) { usleep(1_000) }
      return FileOperations.system.write(descriptor, bytes)
    }
    var options = MetricFileOptions()
    // Not in the caller's thread: that is what a synced store does.
    options.durability = .interval
    let store = try MetricFileStore(
      file: URL(fileURLWithPath: bench.path), options: options, operations: operations)
    let before = Memory.resident
    let count = isLarge ? 1_000 : 100_000
    let entry = try MetricEntry(
      metric: Metric<String>(name: "n"), encoding: String(repeating: "l", count: isLarge ? 100_000 : 10))
    var refused = 0
    for _ in 0..<count { do { try store.gather(entry) } catch { refused += 1 } }
    let growth = Memory.resident - before
    isSlow.withLock { $0 = false }
    try await store.flush()
    tally.expected += count
    tally.got += store.counts.written + refused
    tally.lost += count - store.counts.written - refused
    tally.bad += refused > 0 && store.counts.refused == refused ? 0 : 1
    tally.bad += growth < 200 << 20 ? 0 : 1
    return refused
  }
}

/// How much memory the test's process takes.
enum Memory {
  /// Resident bytes; 0 where the system does not say.
  static var resident: Int {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
    return (fields.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
