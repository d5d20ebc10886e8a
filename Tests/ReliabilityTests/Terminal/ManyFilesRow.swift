import Foundation
import History
import TerminalUI
import TestSupport
import Testing

/// X16: a folder of thousands of small files.
extension FaultMatrix {
  /// Descriptors besides those of the files: the terminal's, pipes, the watcher's, and those that questions share.
  private static let descriptorsBeside = 64 + SharedDescriptors.limit
  /// The memory a thousand files may take besides the program's own memory, in MiB.
  private static let memoryBar = 64

  @Test
  func `X16: thousands of files are all read, and cost one descriptor each and nothing while they rest`()
    async throws
  {
    try await Self.row("X16") { run in
      let count = run.count
      while run.goesOn(by: count) {
        let bench = try TerminalBench()
        let folder = try Self.folder(of: count, in: bench)
        let terminal = try bench.dashboard([folder], size: Size(width: 120, height: 36))
        // Each file has a sample of the one metric; the list says how many there are.
        let isShown = terminal.waitFor("+\(count - 1)", 60)
        var faults = isShown ? [] : ["not all are shown"]
        // The dashboard itself: the process that the terminal runs only guards it.
        let program = ProcessFacts(terminal.descendants.first ?? 0)
        Self.settle(program, terminal)
        let descriptors = program.descriptors
        if descriptors > count + Self.descriptorsBeside { faults.append("\(descriptors) descriptors") }
        let memory = program.memory >> 20
        if memory > max(1, count / 1000) * Self.memoryBar { faults.append("\(memory) MiB") }
        let before = program.seconds
        _ = terminal.wait(3) { false }
        let work = program.seconds - before
        // The kernel counts in hundredths; a look at the terminal may take one.
        if work > 0.03 { faults.append("\(work) s of work while nothing happens") }
        run.note = "\(descriptors) descriptors, \(memory) MiB, \(Int(work * 1000)) ms of work in 3 s"
        run.judge(terminal, faults: faults, "rest")
        terminal.send("q")
        run.judge(terminal, endsBy: [.exited(0)], "quit")
      }
      try Self.judgeHistory(&run)
    }
  }

  @Test func `X16 is red where the history holds every file`() async throws {
    try await Self.control("X16", without: "shared descriptors") { run in
      _ = run.goesOn(by: 1000)
      let open: @Sendable (HistoryName) throws -> any HistoryBytes = { try OpenFile(path: $0.path) }
      try Self.judgeHistory(&run, open: open)
    }
  }

  /// Counts the descriptors that a history of a thousand files holds.
  private static func judgeHistory(
    _ run: inout MatrixRun, open: (@Sendable (HistoryName) throws -> any HistoryBytes)? = nil
  ) throws {
    let bench = try TerminalBench()
    let maintainer = IndexMaintainer(paths: [try folder(of: 1000, in: bench)], cache: nil, open: open)
    let own = ProcessFacts(getpid())
    let before = own.descriptors
    _ = maintainer.refresh()
    let held = own.descriptors - before
    #expect(maintainer.history.files.count == 1000)
    run.judge(faults: held <= SharedDescriptors.limit ? [] : ["\(held) descriptors"], "history")
  }

  private static func folder(of count: Int, in bench: TerminalBench) throws -> String {
    let folder = bench.folder.path("logs")
    mkdir(folder, 0o755)
    for file in 0..<count {
      let lines = (0..<8).map { TerminalBench.line($0, time: 730_987_200 + Double($0)) }
      _ = try bench.folder.write(lines.joined(), to: "logs/\(file).jsonl")
    }
    return folder
  }

  /// Waits until the program has worked no more for half a second.
  private static func settle(_ program: ProcessFacts, _ terminal: PseudoTerminal) {
    var last = -1.0
    for _ in 0..<60 {
      let now = program.seconds
      if now == last { return }
      last = now
      _ = terminal.wait(0.5) { false }
    }
  }
}
