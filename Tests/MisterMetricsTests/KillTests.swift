import Foundation
import MisterMetrics
import TestSupport
import Testing

@Suite("Killed processes", .serialized)
struct KillTests {
  /// As `metric-writer` records it.
  struct Sample: MetricValue {
    let writer: String
    let number: Int
    let payload: String
  }

  static let kills = 200

  @Test("two writers killed 200 times at random lose no acknowledged record and tear none but their last")
  func writers() throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 2_026)
    var running: [WriterProcess] = []
    for kill in 0..<Self.kills {
      let size = [80, 300, 4_000, 20_000][kill % 4]
      running.append(
        try WriterProcess(
          "record", folder.file().path, folder.file("ack\(kill)").path, "w\(kill)", "\(size)"))
      guard running.count == 2 else { continue }
      usleep(UInt32.random(in: 3_000...16_000, using: &generator))
      running.remove(at: Int.random(in: 0...1, using: &generator)).kill()
    }
    for process in running { process.kill() }
    try expectComplete(folder)
  }

  @Test("a compaction killed 30 times loses no line")
  func compaction() throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 30)
    var content = ""
    for number in 0..<4_000 {
      content += try Samples.line(Double(number), at: number % 2 == 0 ? 10 : 1_000)
      if number % 100 == 0 { content += "unknown \(number)\n" }
    }
    for _ in 0..<30 {
      try Data(content.utf8).write(to: folder.file())
      let process = try WriterProcess("optimize", folder.file().path, "500")
      usleep(UInt32.random(in: 2_000...60_000, using: &generator))
      process.kill()
      let found = lines(of: folder.file())
      #expect(found.filter { $0.hasPrefix("unknown") }.count == 40)
      #expect(found.filter { $0.contains(#""timestamp":1000,"#) }.count == 2_000)
      #expect([2_040, 4_040].contains(found.count))
    }
  }

  @Test("a process that ends normally loses none of its fire-and-forget records")
  func normalEnd() throws {
    let folder = try TemporaryFolder()
    for round in 0..<5 {
      let file = folder.file("exit\(round)")
      #expect(try WriterProcess("exit", file.path, "2000").waitForEnd() == 0)
      #expect(lines(of: file).count == 2_000)
    }
  }

  private func expectComplete(_ folder: TemporaryFolder) throws {
    let decoder = JSONDecoder()
    var numbers: [String: [Int]] = [:]
    var torn = 0
    for line in lines(of: folder.file()) {
      #expect(!line.isEmpty)
      guard let entry = try? decoder.decode(MetricEntry.self, from: Data(line.utf8)) else {
        torn += 1
        continue
      }
      let sample = try entry.decode(Sample.self)
      numbers[sample.writer, default: []].append(sample.number)
    }
    var acknowledged = 0
    for kill in 0..<Self.kills {
      // A process killed before its first record has no acknowledgement file.
      let count = ((try? Data(contentsOf: folder.file("ack\(kill)")))?.count ?? 0) / MemoryLayout<Int>.size
      acknowledged += count
      let written = numbers["w\(kill)"] ?? []
      // Each record once and in order; at most one more than was acknowledged.
      let isInOrder = written == Array(0..<written.count)
      #expect(isInOrder, "writer \(kill)")
      #expect(written.count == count || written.count == count + 1)
    }
    print("kill test:", torn, "torn,", acknowledged, "acknowledged")
    #expect(torn <= Self.kills)
    #expect(acknowledged > Self.kills)
  }
}
