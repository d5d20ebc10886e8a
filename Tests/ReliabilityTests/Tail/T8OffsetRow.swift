import DashboardCore
import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

extension FaultMatrix {
  @Test func `T8: beyond 4 GiB the end of a file is there at once, and its holes cost nothing`() async throws
  {
    try await Self.row("T8") { run in
      var worst = 0.0
      while run.goesOn() {
        for setup in TailSetup.allCases { worst = max(worst, try Self.follow(setup, &run.tally)) }
        worst = max(worst, try Self.open(&run.tally))
      }
      // The figure of the specification, with what a debug build and a busy machine add.
      if worst > 1 { run.tally.bad += 1 }
      run.note = "first lines within \(Int(worst * 1000)) ms of the start at worst"
    }
  }

  private static let hole: off_t = 5 << 30

  private static func follow(_ setup: TailSetup, _ tally: inout MatrixRun.Tally) throws -> Double {
    let tail = try RealTail(setup.watching)
    let writer = Foundation.open(tail.path, O_WRONLY | O_CREAT, 0o644)
    defer { close(writer) }
    if setup.readsFirst { tail.start(at: .window(4 << 20)) }
    tail.write(10, on: writer)
    if setup.readsFirst { tail.settle() }
    lseek(writer, hole, SEEK_SET)
    tail.write(10, on: writer)
    let began = MonotonicInstant.now()
    if setup.readsFirst { tail.settle() } else { tail.start(at: .window(4 << 20)) }
    let time = MonotonicInstant.now() - began
    tail.write(5, on: writer)
    tail.settle()
    // The part before the hole is left to those who read the past.
    let expected = setup.readsFirst ? tail.written : Array(tail.written.dropFirst(10))
    tally.compare(written: expected, got: tail.lines)
    return time
  }

  /// The dashboard's feed: all of the file is read, its hole passed over.
  private static func open(_ tally: inout MatrixRun.Tally) throws -> Double {
    let folder = try TemporaryFolder()
    let path = folder.path("app.jsonl")
    TailProcess.append(0..<10, to: path)
    truncate(path, hole)
    TailProcess.append(10..<20, to: path)
    let ingest = Ingest(sources: [.file(path)])
    let began = MonotonicInstant.now()
    ingest.start()
    while !ingest.snapshot().status.isCaughtUp, MonotonicInstant.now() < began + 60 { usleep(1000) }
    let time = MonotonicInstant.now() - began
    while !ingest.isLoaded, MonotonicInstant.now() < began + 60 { usleep(1000) }
    // Read as a whole, 5 GiB take minutes in a debug build.
    if MonotonicInstant.now() - began > 10 { tally.bad += 1 }
    ingest.stop()
    tally.expected += 20
    tally.got += ingest.reports.first.map { $0.lines - ($0.rejected.values.reduce(0, +)) } ?? 0
    if ingest.reports.first?.lines != 20 { tally.bad += 1 }
    return time
  }
}
