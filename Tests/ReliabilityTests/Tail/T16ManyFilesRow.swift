import Foundation
import TestSupport
import Testing

extension FaultMatrix {
  /// Not in every run: it takes its minute, and says something after many.
  @Test(.enabled(if: MatrixPace().isLong))
  func `T16: two hundred files, each rotated every second, cost neither descriptors nor memory`() async throws
  {
    try await Self.row("T16") { run in
      var files = try ManyFiles()
      while run.goesOn() {
        // After a stall of the machine no second is made up for: files that come and go at once are another matter.
        let next = ContinuousClock.now + .seconds(1)
        try files.rotateAll()
        try await Task.sleep(until: next, clock: .continuous)
        files.measure()
      }
      run.note = files.finish(&run.tally)
    }
  }
}

/// A folder that is followed, and what following it takes.
private struct ManyFiles {
  private static let count = 200
  /// The memory it may take at any moment, however short the run, in KiB.
  private static let memoryBar = 64.0 * 1024

  private let folder: TemporaryFolder
  private let tail: TailProcess
  private var next = 0
  private var descriptors: [Int] = []
  private let descriptorsAtStart: Int
  /// Resident memory after each second, in KiB.
  private var memory: [Double] = []

  init() throws {
    folder = try TemporaryFolder()
    let logs = folder.path("logs")
    mkdir(logs, 0o755)
    for file in 0..<Self.count { TailProcess.append(file..<file + 1, to: "\(logs)/\(file).jsonl") }
    next = Self.count
    tail = try TailProcess([logs], output: folder.path("out"))
    // A file rotated away before it was opened is not of the stream.
    _ = tail.waits { $0.numbers.count == Self.count }
    descriptorsAtStart = Self.descriptors(of: tail)
  }

  mutating func rotateAll() throws {
    for file in 0..<Self.count {
      let path = folder.path("logs/\(file).jsonl")
      TailProcess.append(next..<next + 2, to: path)
      // Two are kept, as somewhere else more are: what is gone when a busy machine comes to look, no one can read.
      rename(path + ".1", path + ".2")
      rename(path, path + ".1")
      TailProcess.append(next + 2..<next + 3, to: path)
      next += 3
    }
  }

  mutating func measure() {
    descriptors.append(Self.descriptors(of: tail))
    memory.append(Double(ProcessFacts(tail.process.identifier).memory) / 1024)
  }

  private static func descriptors(of tail: TailProcess) -> Int {
    ProcessFacts(tail.process.identifier).descriptors
  }

  /// Judges descriptors at the end, when nothing is rotated any more, and memory in the second half of the run; the first
  /// is there to warm up.
  func finish(_ tally: inout MatrixRun.Tally) -> String {
    _ = tail.waits(seconds: 60) { $0.numbers.count >= next }
    tally.compare(
      written: (0..<next).map { "\($0)" }, got: tail.numbers.map { "\($0)" }, inOrder: false)
    let most = descriptors.max() ?? 0
    if most > 3 * Self.count + 20 { tally.bad += 1 }
    // A rotated file is held until nothing came to it for a minute.
    if !tail.waits(seconds: 90, until: { Self.descriptors(of: $0) <= descriptorsAtStart }) { tally.bad += 1 }
    let slope = Self.slope(Array(memory[(memory.count / 2)...])) * 3600 / 1024
    // Pages come in steps: in less than five minutes a single one looks like a leak.
    if memory.count >= 300, slope > 1 { tally.bad += 1 }
    if memory.max() ?? 0 > Self.memoryBar { tally.bad += 1 }
    return
      "at most \(most) descriptors, memory \(Int(memory.last ?? 0) >> 10) MiB, \(String(format: "%+.2f", slope)) MiB/h"
  }

  /// The growth from one value to the next, by least squares.
  private static func slope(_ values: [Double]) -> Double {
    let count = Double(values.count)
    guard count > 1 else { return 0 }
    let (middle, mean) = ((count - 1) / 2, values.reduce(0, +) / count)
    var (above, below) = (0.0, 0.0)
    for (index, value) in values.enumerated() {
      above += (Double(index) - middle) * (value - mean)
      below += (Double(index) - middle) * (Double(index) - middle)
    }
    return above / below
  }
}
