import Foundation
import TerminalUI
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// X4 and X12: a terminal whose size changes all the time, and one that is slow.
extension FaultMatrix {
  @Test func `X4: a storm of size changes leaves the program alive and the picture right`() async throws {
    try await Self.row("X4") { run in
      var slowest = 0.0
      while run.goesOn(by: 250) {
        var generator = SeededGenerator(seed: run.seed)
        let terminal = try TerminalBench().dashboard()
        guard terminal.waitFor("probe") else { return run.judge(terminal, faults: ["no picture"], "start") }
        for step in 0..<250 {
          terminal.resize(to: Self.size(step, &generator))
          // Some are drawn, and most of them are overtaken by the next one.
          if step % 7 == 0 { terminal.pump(milliseconds: 1) }
        }
        // The terminal and the program did not always agree on the size.
        let last = Size(width: 90, height: 30)
        terminal.resize(to: last)
        let start = ContinuousClock.now
        let isThere = terminal.wait { terminal.screen.contains("probe") && Self.isWhole(terminal.screen) }
        slowest = max(slowest, start.duration(to: .now) / .seconds(1))
        terminal.forgetViolations(containing: "")
        terminal.send("r")
        run.judge(
          terminal, faults: isThere && terminal.process.isRunning ? [] : ["picture \(terminal.screen.rows)"],
          "storm")
        terminal.send("q")
        run.judge(terminal, endsBy: [.exited(0)], within: 10, "q")
      }
      try Self.resizeInEditor(&run)
      run.noteSlowest(slowest)
    }
  }

  /// The window becomes smaller while the person's editor has the terminal.
  private static func resizeInEditor(_ run: inout MatrixRun) throws {
    let bench = try TerminalBench()
    let (begun, over) = (bench.folder.path("begun"), bench.folder.path("over"))
    let editor = try bench.editor(begun, then: "while [ ! -e '\(over)' ]; do sleep 0.01; done")
    let terminal = try bench.dashboard(environment: ["EDITOR": editor], size: Size(width: 160, height: 50))
    let isLent = TerminalBench.openEditor(begun, in: terminal) != nil
    terminal.resize(to: Size(width: 90, height: 30))
    _ = try bench.folder.write("", to: "over")
    let isThere = terminal.wait {
      terminal.screen.row(0).contains("2 Hist")
    }
    run.judge(
      faults: (isLent ? [] : ["no editor"]) + (isThere ? [] : ["picture \(terminal.screen.rows)"])
        + (try bench.reports.isEmpty ? [] : ["crashed"]), "editor")
    terminal.send("Q")
    run.judge(terminal, endsBy: [.exited(0)], within: 10, "q after the editor")
  }

  private static func size(_ step: Int, _ generator: inout SeededGenerator) -> Size {
    let edges = [
      Size(width: 1, height: 1), Size(width: 0, height: 0), Size(width: 500, height: 1),
      Size(width: 1, height: 500),
      Size(width: 1000, height: 1000), Size(width: 2, height: 3), Size(width: 0, height: 40),
      // Where a short integer ends.
      Size(width: 32_768, height: 2), Size(width: 2, height: 65_535), Size(width: 65_535, height: 65_535),
    ]
    if step % 10 == 0 { return edges[step / 10 % edges.count] }
    return Size(
      width: Int.random(in: 1...500, using: &generator), height: Int.random(in: 1...500, using: &generator))
  }

  /// True if the first row ends and the last one begins as they do in a picture of this size.
  private static func isWhole(_ screen: EmulatedScreen) -> Bool {
    screen.row(0).contains("? help") && screen.row(screen.size.height - 1).contains("Space freeze")
  }

  @Test func `X12: a terminal that does not read holds up no data, and shows the newest when it reads`()
    async throws
  {
    try await Self.row("X12") { run in
      // The specification has ten seconds without reading and then 1 kB a second; evenly scaled down here.
      let seconds = run.pace.isLong ? 10.0 : 1.0
      var most = 0
      while run.goesOn() {
        let bench = try TerminalBench()
        let path = try bench.folder.write(TerminalBench.line(1), to: "busy.jsonl")
        let terminal = try bench.dashboard([path], size: Size(width: 200, height: 60))
        guard terminal.waitFor("probe"), let program = terminal.descendants.first else {
          return run.judge(terminal, faults: ["no picture"], "start")
        }
        let before = ProcessFacts(program).memory
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
        let value = try Self.writeOn(file, for: seconds)
        let silentGrowth = ProcessFacts(program).memory - before
        let slowUntil = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < slowUntil {
          terminal.pump(milliseconds: 1, limit: 100)
          usleep(10_000)
        }
        let growth = max(silentGrowth, ProcessFacts(program).memory - before)
        try file.write(contentsOf: Data(TerminalBench.line(424_242, name: "newest", time: Self.now).utf8))
        terminal.send("/newest\r")
        let isThere = terminal.waitFor("newest") && terminal.wait { terminal.screen.contains("424k") }
        most = max(most, growth)
        var faults = isThere ? [] : ["the newest is not there: \(terminal.screen.rows.prefix(5))"]
        if growth > 32 << 20 { faults.append("grew by \(growth >> 20) MiB") }
        run.judge(terminal, faults: faults, "slow")
        terminal.forgetOutput()
        // The first one takes back the filter.
        terminal.send("qq")
        run.judge(terminal, endsBy: [.exited(0)], within: 10, "end")
        // The first line, those of the silence, and the newest.
        let samples = "\(value + 1) samples"
        run.judge(
          faults: terminal.text.contains(samples) ? [] : ["not \(samples): \(terminal.text)"], "count")
      }
      if !run.pace.isLong { run.note += "silent for \(seconds) s, then 10 kB/s; " }
      run.note += "grew by \(most >> 20) MiB"
    }
  }

  /// Appends lines for some seconds.
  ///
  /// - Returns: The value of the last one; the first is 2.
  private static func writeOn(_ file: FileHandle, for seconds: Double) throws -> Int {
    let start = ContinuousClock.now
    var value = 1
    while start.duration(to: .now) < .seconds(seconds) {
      for _ in 0..<20 {
        value += 1
        try file.write(
          contentsOf: Data(TerminalBench.line(value, name: "m\(value % 300)", time: now).utf8))
      }
      usleep(10_000)
    }
    return value
  }

  /// Seconds since 2001.
  private static var now: Double { Date().timeIntervalSinceReferenceDate }
}
