import Foundation
import MisterMetricsCore
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// W11, W12: what a power cut leaves behind the last synced byte, and records of every kind.
extension FaultMatrix {
  @Test
  func `W11: whatever stands behind the last synced byte, no synced record is lost and writing goes on`()
    async throws
  {
    try await Self.row("W11") { run in
      let folder = try TemporaryFolder()
      while run.goesOn() {
        var model = TornEnd(seed: run.seed)
        // A name of its own each time: ext4 brings a file that is cut and written again to the disk at once.
        let path = folder.path("state\(run.done)")
        try await model.recover(at: path, into: &run.tally)
        unlink(path)
      }
    }
  }
}

/// A file whose end was written but not synced when the power went.
///
/// Every sector of 512 bytes behind the last synced byte may be as written, gone, zero or garbage.
private struct TornEnd {
  private var generator: SeededGenerator
  private let synced: Int
  private let unsynced: Int

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    synced = Int.random(in: 0...6, using: &generator)
    unsynced = Int.random(in: 1...12, using: &generator)
  }

  /// Tears the file, then does what a program does that knows nothing of it: records, and reads.
  mutating func recover(at path: String, into tally: inout MatrixRun.Tally) async throws {
    let file = URL(fileURLWithPath: path)
    try Data(try torn()).write(to: file)
    let store = try MetricFileStore(file: file)
    try await store.record(Metric<Int>(name: "after"), value: 1)
    let names = try await store.retrieveAll(from: .distantPast, until: .distantFuture).map(\.metric.name)
    for number in 0..<synced {
      let count = names.count { $0 == "synced \(number)" }
      tally.expected += 1
      tally.got += min(count, 1)
      tally.lost += count == 0 ? 1 : 0
      tally.duplicated += max(0, count - 1)
    }
    tally.bad += names.last == "after" ? 0 : 1
    tally.expected += 1
    tally.got += names.last == "after" ? 1 : 0
    // The same again after a compaction, which reads and writes everything.
    try await store.optimize(removingBefore: .distantPast)
    let again = try await store.retrieveAll(from: .distantPast, until: .distantFuture).map(\.metric.name)
    tally.bad += again == names ? 0 : 1
  }

  private mutating func torn() throws -> [UInt8] {
    var bytes: [UInt8] = []
    for number in 0..<synced { try append("synced \(number)", to: &bytes) }
    let safe = bytes.count
    for number in 0..<unsynced { try append("unsynced \(number)", to: &bytes) }
    var start = safe
    while start < bytes.count {
      let end = min((start / 512 + 1) * 512, bytes.count)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0, 1, 2: for index in start..<end { bytes[index] = 0 }
      case 3, 4: for index in start..<end { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
      case 5: return Array(bytes[..<Int.random(in: start...end, using: &generator)])
      default: break
      }
      start = end
    }
    return bytes
  }

  private mutating func append(_ name: String, to bytes: inout [UInt8]) throws {
    let text = String(repeating: "x", count: Int.random(in: 0...600, using: &generator))
    let entry = try MetricEntry(metric: Metric<String>(name: name), encoding: text)
    try LineEncoder.append(entry, to: &bytes)
  }
}
