import DashboardCore
import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

extension FaultMatrix {
  @Test func `T10: a line without end takes no memory, holds nobody up, and the next line is read`()
    async throws
  {
    try await Self.row("T10") { run in
      var figures: [String] = []
      // The longest takes half a minute in a debug build: it is left to whole counts.
      for line in LongLine.allCases where run.count >= 3 || line != .gigabyte {
        figures.append("\(line): \(try line.check(&run.tally))")
        run.add(rounds: 1)
      }
      run.note = figures.joined(separator: "; ")
    }
  }
}

/// A line that no reader may keep in memory, or descend into.
private enum LongLine: CaseIterable {
  case hundredMegabytes, nested, gigabyte

  /// The memory it may take, in KiB.
  private static let limit = 64 << 10

  private var length: Int {
    switch self {
    case .hundredMegabytes: 100_000_000
    case .nested: 1_000_000
    case .gigabyte: 1_000_000_000
    }
  }

  private func write(to path: String) {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
    defer { close(descriptor) }
    let block = [UInt8](repeating: UInt8(ascii: self == .nested ? "[" : "x"), count: 1_000_000)
    for _ in 0..<length / block.count { _ = Foundation.write(descriptor, block, block.count) }
    _ = Foundation.write(descriptor, "\n", 1)
  }

  /// - Returns: What it took, in words.
  func check(_ tally: inout MatrixRun.Tally) throws -> String {
    let folder = try TemporaryFolder()
    let path = folder.path("app.jsonl")
    let tail = try follow(path, folder, &tally)
    let stats = try count(path, folder, &tally)
    let frame = try draw(path, &tally)
    return "tail +\(tail >> 10) MiB, stats +\(stats >> 10) MiB, snapshot \(Int(frame * 1000)) ms"
  }

  /// It is written while `tail` follows the file.
  private func follow(_ path: String, _ folder: TemporaryFolder, _ tally: inout MatrixRun.Tally) throws -> Int
  {
    TailProcess.append(0..<1, to: path)
    let tail = try TailProcess([path], output: folder.path("tail"))
    if !tail.waits(until: { $0.numbers == [0] }) { tally.bad += 1 }
    let before = Self.peak(tail.process)
    write(to: path)
    TailProcess.append(1..<2, to: path)
    let isRead = tail.waits(seconds: 600) { $0.numbers == [0, 1] }
    tally.expected += 2
    tally.got += tail.numbers.count
    if !isRead { tally.bad += 1 }
    if !tail.text.contains(self == .nested ? "is nested more than 512 levels deep" : "is longer than 16 MiB")
    {
      tally.bad += 1
    }
    let grown = Self.peak(tail.process) - before
    if grown > Self.limit { tally.bad += 1 }
    return grown
  }

  /// `stats` reads the file as it is then.
  private func count(_ path: String, _ folder: TemporaryFolder, _ tally: inout MatrixRun.Tally) throws -> Int
  {
    TailProcess.append(0..<2, to: folder.path("small.jsonl"))
    let program = try ChildProcess.program("mistertop")
    var peaks: [Int] = []
    for file in [folder.path("small.jsonl"), path] {
      let output = folder.path("stats\(peaks.count)")
      let stats = try ChildProcess(program, ["stats", "--format", "csv", file], output: output)
      var peak = 0
      while stats.isRunning { peak = max(peak, Self.peak(stats)) }
      peaks.append(peak)
      tally.expected += 1
      let text = try String(contentsOfFile: output, encoding: .utf8)
      if text.contains("app,number,Int,2,0,1,") { tally.got += 1 } else { tally.lost += 1 }
    }
    if peaks[1] - peaks[0] > Self.limit { tally.bad += 1 }
    return max(0, peaks[1] - peaks[0])
  }

  /// The dashboard's feed reads the file; what a frame is drawn from has to be there at any moment.
  private func draw(_ path: String, _ tally: inout MatrixRun.Tally) throws -> Double {
    let ingest = Ingest(sources: [.file(path)])
    ingest.start()
    let began = MonotonicInstant.now()
    var worst = 0.0
    while !ingest.isLoaded, MonotonicInstant.now() < began + 600 {
      let start = MonotonicInstant.now()
      _ = ingest.snapshot()
      worst = max(worst, MonotonicInstant.now() - start)
      usleep(5_000)
    }
    ingest.stop()
    // A tenth of a second is promised; a debug build on a busy machine gets more.
    if worst > 1 || ingest.reports.first?.lines != 3 { tally.bad += 1 }
    return worst
  }

  /// The most memory that a process has held, in KiB.
  private static func peak(_ process: ChildProcess) -> Int {
    let status = (try? String(contentsOfFile: "/proc/\(process.identifier)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? 0
  }
}
