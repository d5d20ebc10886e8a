import Foundation
import JSONLines
import TestSupport
import Testing

extension FaultMatrix {
  @Test func `T11: a file that is cut while it is read ends nobody`() async throws {
    try await Self.row("T11") { run in
      while run.goesOn(by: 50) {
        for setup in TailSetup.allCases { try await Self.truncate(setup, rounds: 50, run: &run) }
      }
      run.note = "the tail, what was before it and a whole scan read at once; times four ways"
    }
  }

  private static func truncate(_ setup: TailSetup, rounds: Int, run: inout MatrixRun) async throws {
    let tail = try setup.begin(lines: 500, at: .window(20_000))
    let (path, seed) = (tail.path, run.seed)
    let done = Recorder<Int>()
    let cutter = Thread {
      var random = SeededGenerator(seed: seed)
      let noise = [UInt8](repeating: UInt8(ascii: "x"), count: 300_000)
      for round in 0..<rounds {
        let file = open(path, O_WRONLY | O_APPEND)
        _ = write(file, noise, Int(random.next() % 300_000))
        ftruncate(file, off_t(random.next() % 100_000))
        close(file)
        done.append(round)
      }
    }
    cutter.start()
    while done.all.count < rounds {
      tail.settle()
      let scan = FileScan(path: path, bytes: 0..<200_000)
      try await scan.run(workers: 1, initial: 0, fold: { state, batch, _ in state += batch.samples.count }) {
        _ in
      }
      for part in tail.earlier {
        _ = try part.scan(0..<part.end) { _, _ in }
      }
    }
    Foundation.truncate(path, 0)
    tail.pass(3)
    let before = tail.lines.count
    tail.write(5)
    tail.pass(3)
    run.tally.expected += 5
    let news = tail.lines.dropFirst(before).suffix(5)
    run.tally.got += news.count
    if Array(news) != Array(tail.written.suffix(5)) { run.tally.bad += 1 }
  }
}
