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

/// W8, W9: several processes on one file, and one that compacts it.
extension FaultMatrix {
  @Test func `W8: two, four and eight writers and a foreign one lose nothing, from a missing file on`()
    async throws
  {
    try await Self.row("W8") { run in
      while run.goesOn() {
        let bench = try WriterBench()
        let own = [2, 4, 8][run.done % 3]
        let writers = try (0..<own).map { index in
          try bench.start(
            "count=60", "gate=1", index == 0 ? "durability=commit" : "", size: 120 << (index % 4))
        }
        let foreign = try bench.start("count=60", "gate=1", action: "foreign")
        try Self.releaseTogether(writers + [foreign])
        for writer in writers + [foreign] {
          run.tally.bad += writer.process.wait() == .exited(0) ? 0 : 1
        }
        try bench.check(deaths: 0, foreign: true, into: &run.tally)
      }
      run.note = "beside a writer that takes no lock an empty line may stand"
    }
  }

  private static func releaseTogether(_ writers: [RunningWriter]) throws {
    for writer in writers {
      writer.wait { writer.table.isReady }
      try #require(writer.table.isReady)
    }
    for writer in writers { writer.table.isReleased = true }
  }

  @Test func `W9: compaction, retention and rotation lose no young line, also when killed`() async throws {
    try await Self.row("W9") { run in
      while run.goesOn() { try await Self.compactWhileKilled(seed: run.seed, into: &run.tally) }
    }
  }

  /// The file before a compaction: old entries between lines that stay, some of them no entries at all.
  private struct Stock {
    let text: Data
    let kept: [String]

    init(lines: Int) {
      var text = Data()
      var kept: [String] = []
      for number in 0..<lines {
        let metric = #"{"metric":{"name":"old","valueTypeString":"Int"},"timestamp":"#
        text += Data("\(metric)\(number),\"value\":\"MA==\"}\n".utf8)
        let stays = [
          "unknown \(number)", "{\"schema\":\(number),\"timestamp\":1}",
          "{\"metric\":{\"name\":\"spaced\"}, \"valueTypeString\":\"Int\", \"timestamp\" : \(number)",
        ]
        if number % 10 == 0 { kept.append(stays[number / 10 % 3]) }
        if number % 10 == 0 { text += Data("\(kept[kept.count - 1])\n".utf8) }
      }
      self.text = text
      self.kept = kept
    }
  }

  private static func compactWhileKilled(seed: UInt64, into tally: inout MatrixRun.Tally) async throws {
    var generator = SeededGenerator(seed: seed)
    let bench = try WriterBench()
    let stock = Stock(lines: 3_000)
    try stock.text.write(to: URL(fileURLWithPath: bench.path))
    let rotation = seed % 3 == 0 ? "rotate=40000" : ""
    func startWriter() throws -> RunningWriter { try bench.start("old=1", "pause=50", rotation) }
    var writers = [try startWriter(), try startWriter()]
    var optimizing = try bench.startOptimizing()
    for kill in 0..<6 {
      writers[kill % 2].waitForRecords(3)
      bench.waitForCompaction()
      usleep(UInt32.random(in: 0...30_000, using: &generator))
      optimizing.kill()
      // At any moment the file of that name, and its predecessors, hold all that stays.
      if rotation.isEmpty { tally.bad += try missing(stock.kept, in: bench.path) }
      optimizing = try bench.startOptimizing()
      if kill % 2 == 1 {
        writers[0].process.kill()
        writers[0] = try startWriter()
      }
    }
    for writer in writers { writer.process.kill() }
    optimizing.kill()
    let done = try await MetricFileStore(file: URL(fileURLWithPath: bench.path))
      .optimize(removingBefore: Date(timeIntervalSinceReferenceDate: 31_536_000))
    tally.bad += done.undecodable >= stock.kept.count ? 0 : 1
    tally.bad += try bench.files.reduce(0) { try $0 + oldEntries(in: $1) }
    try bench.check(deaths: 5, kept: stock.kept, into: &tally)
    tally.lost += try await bench.countUnreadable()
  }

  private static func missing(_ kept: [String], in path: String) throws -> Int {
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    let lines = Set(text.split(separator: "\n").map(String.init))
    return kept.count { !lines.contains($0) }
  }

  private static func oldEntries(in path: String) throws -> Int {
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    return text.split(separator: "\n").count {
      $0.hasPrefix(#"{"metric":{"name":"old""#) && $0.hasSuffix("}")
    }
  }

  @Test func `W9 is red when a writer does not look whether its file still has its name`() async throws {
    try await Self.control("W9", without: "the second look at the file's identity") { run in
      var operations = FileOperations.system
      operations.hasName = { _, _ in true }
      try await Self.recordAroundCompaction(try WriterBench(), operations, into: &run.tally)
      run.add(rounds: 1)
    }
    // The same steps with the look are green.
    var tally = MatrixRun.Tally()
    try await Self.recordAroundCompaction(try WriterBench(), .system, into: &tally)
    #expect(tally.lost == 0 && tally.expected == 4)
  }

  private static func recordAroundCompaction(
    _ bench: WriterBench, _ operations: FileOperations, into tally: inout MatrixRun.Tally
  ) async throws {
    try Stock(lines: 5).text.write(to: URL(fileURLWithPath: bench.path))
    let recorder = try bench.recorder(operations: operations)
    for number in 0..<2 { try await recorder.offer(number) }
    try await MetricFileStore(file: URL(fileURLWithPath: bench.path))
      .optimize(removingBefore: Date(timeIntervalSinceReferenceDate: 31_536_000))
    for number in 2..<4 { try await recorder.offer(number) }
    try bench.check(deaths: 1, into: &tally)
  }

  @Test func `W1 is red without the lock`() async throws {
    try await Self.control("W1", without: "the lock") { run in
      try await Self.tearBetweenLookAndWrite(lock: { _, _ in 0 }, into: &run.tally)
      run.add(rounds: 1)
    }
    // The same steps with the lock are green: the other one cannot write in between.
    var tally = MatrixRun.Tally()
    try await Self.tearBetweenLookAndWrite(lock: FileOperations.system.lock, into: &tally)
    #expect(tally.lost == 0 && tally.expected == 3)
  }

  /// Another writer that dies in the middle of its record, after this one has looked at the last byte.
  private static func tearBetweenLookAndWrite(
    lock: @escaping @Sendable (Int32, Int32) -> Int32, into tally: inout MatrixRun.Tally
  ) async throws {
    let bench = try WriterBench()
    let path = bench.path
    var operations = FileOperations.system
    operations.lock = lock
    operations.write = { descriptor, bytes in
      let other = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
      defer { close(other) }
      if flock(other, LOCK_EX | LOCK_NB) == 0 { _ = "{\"half".withCString { write(other, $0, 6) } }
      return FileOperations.system.write(descriptor, bytes)
    }
    let recorder = try bench.recorder(operations: operations)
    for number in 0..<3 { try await recorder.offer(number) }
    try bench.check(deaths: 3, into: &tally)
  }
}
