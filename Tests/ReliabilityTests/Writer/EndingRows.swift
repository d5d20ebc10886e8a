import Foundation
import MisterMetricsCore
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// W15: every way a process ends.
extension FaultMatrix {
  @Test func `W15: an orderly end loses nothing, any other only what was not acknowledged and is young`()
    async throws
  {
    try await Self.row("W15") { run in
      var worst = 0.0
      while run.goesOn() {
        // All at a time: each mostly waits.
        let bench = try WriterBench()
        let endings = try ProcessEnding.all.map { try EndingProcess($0, bench: bench) }
        for process in endings { run.tally.bad += process.endsAsExpected() ? 0 : 1 }
        let found = try bench.numbers()
        for process in endings {
          worst = max(worst, process.compare(found, latest: Self.latest(run), into: &run.tally))
        }
        try bench.check(deaths: ProcessEnding.all.count, into: &run.tally)
      }
      run.note = String(format: "%d ways; oldest record lost %.0f ms", ProcessEnding.all.count, worst)
    }
  }

  @Test func `W15 is red for a writer that does not know that it was forked`() async throws {
    try await Self.control("W15", without: "the look at forks") { run in
      let bench = try WriterBench()
      _ = try bench.start("count=50", "end=twin", action: "foreign").process.wait()
      try bench.check(deaths: 0, foreign: true, into: &run.tally)
    }
  }
}

/// A way in which a process ends.
private enum ProcessEnding: Equatable {
  case returns, exits, child
  /// It forks while records wait, and parent and child both end in order.
  case twin
  /// A signal that the program answers with `exit`.
  case handled(Int32)
  /// A signal that ends it at once.
  case unhandled(Int32)
  case trap
  /// Killed while it waits for each record.
  case killed

  static let all: [Self] = [
    .returns, .exits, .child, .twin, .handled(SIGTERM), .handled(SIGHUP), .handled(SIGINT),
    .unhandled(SIGTERM), .unhandled(SIGHUP), .unhandled(SIGINT), .trap, .killed,
  ]

  /// Nothing may be lost, although no one was told that it was stored.
  var isOrderly: Bool {
    switch self {
    case .returns, .exits, .child, .twin, .handled: true
    case .unhandled, .trap, .killed: false
    }
  }

  var word: String {
    switch self {
    case .returns: "return"
    case .exits: "exit"
    case .child: "fork"
    case .twin: "twin"
    case .handled: "signal"
    case .unhandled, .killed: "wait"
    case .trap: "trap"
    }
  }
}

/// A process that ends in one of these ways.
private struct EndingProcess {
  private let ending: ProcessEnding
  private let writer: RunningWriter
  private let bench: WriterBench

  init(_ ending: ProcessEnding, bench: WriterBench) throws {
    self.ending = ending
    self.bench = bench
    // The crash handler of the language would hold up a trap by its report.
    let quiet = ["SWIFT_BACKTRACE": "enable=no"]
    if ending == .killed {
      writer = try bench.start("pause=500", environment: quiet)
    } else {
      writer = try bench.start(
        "count=400", "pause=800", "end=\(ending.word)", action: "gather", environment: quiet)
    }
  }

  /// Brings it to its end.
  func endsAsExpected() -> Bool {
    switch ending {
    case .returns, .exits, .child, .twin, .trap: break
    case .handled(let signal):
      writer.wait { writer.table.isReady }
      writer.process.send(signal)
    case .unhandled(let signal):
      writer.waitForRecords(300)
      writer.process.send(signal)
    case .killed:
      writer.waitForRecords(50)
      writer.process.send(SIGKILL)
    }
    return isExpected(writer.process.wait())
  }

  /// Looks at what is in the file.
  ///
  /// - Returns: The age of the oldest record that was lost, in milliseconds.
  func compare(_ found: [String: Set<Int>], latest: Double, into tally: inout MatrixRun.Tally) -> Double {
    let found = found[writer.name] ?? []
    let offered = writer.table.offered
    let missing = (0..<offered).filter { !found.contains($0) }
    tally.bad += offered > 40 ? 0 : 1
    if ending.isOrderly {
      tally.expected += offered
      tally.got += offered - missing.count
      tally.lost += missing.count
    }
    guard let oldest = missing.map({ writer.table.offeredAt($0) }).min() else { return 0 }
    // It was at work to its end: the last record tells when that was.
    let age = Double(writer.table.offeredAt(offered - 1) - oldest) / 1e6
    tally.bad += age > latest ? 1 : 0
    return age
  }

  private func isExpected(_ result: ChildProcess.Ending) -> Bool {
    switch ending {
    case .returns, .exits, .child, .twin, .handled: result == .exited(0)
    case .unhandled(let signal): result == .killed(signal)
    case .trap: result == .killed(SIGILL) || result == .killed(SIGTRAP)
    case .killed: result == .killed(SIGKILL)
    }
  }
}

extension WriterBench {
  /// The records that stand whole in the file, by their writers.
  func numbers() throws -> [String: Set<Int>] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    var numbers: [String: Set<Int>] = [:]
    for line in data.split(separator: UInt8(ascii: "\n")) {
      guard let line = WrittenLine(line), line.isWhole, let number = line.number else { continue }
      numbers[line.writer, default: []].insert(number)
    }
    return numbers
  }
}
