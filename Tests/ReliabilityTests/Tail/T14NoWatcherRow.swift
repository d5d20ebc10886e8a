import Foundation
import TestSupport
import Testing

extension FaultMatrix {
  @Test func `T14: without a watcher files are looked at five times a second`() async throws {
    let words = TailProcess.withoutWatcher("instances") + ["true"]
    guard try ChildProcess(words[0], Array(words.dropFirst())).wait() == .exited(0) else {
      return try Self.skip("T14", "needs user namespaces with limits of their own")
    }
    try await Self.row("T14") { run in
      var lags: [Double] = []
      while run.goesOn() {
        for limit in ["instances", "watches"] {
          for readsFirst in [true, false] {
            lags += try Self.follow(without: limit, readsFirst: readsFirst, &run.tally)
          }
        }
      }
      lags.sort()
      let (median, worst) = (lags[lags.count / 2], lags.last ?? 0)
      // The promise holds for a machine that has time; a busy one must not be behind for long.
      if median > 0.3 || worst > 3 { run.tally.bad += 1 }
      run.note = "lag \(Int(median * 1000)) ms in the middle, \(Int(worst * 1000)) ms at worst"
    }
  }

  private static func follow(
    without limit: String, readsFirst: Bool, _ tally: inout MatrixRun.Tally
  ) throws -> [Double] {
    let folder = try TemporaryFolder()
    let path = folder.path("app.jsonl")
    if !readsFirst { TailProcess.append(0..<1, to: path) }
    let tail = try TailProcess([path], wrap: TailProcess.withoutWatcher(limit), output: folder.path("out"))
    if readsFirst {
      if !tail.waits(until: { $0.text.contains("not there yet") }) { tally.bad += 1 }
      TailProcess.append(0..<1, to: path)
    }
    if !tail.waits(until: { $0.numbers == [0] }) { tally.bad += 1 }
    var lags: [Double] = []
    for number in 1...6 {
      if number == 4 { rename(path, path + ".1") }
      let began = ContinuousClock.now
      TailProcess.append(number..<number + 1, to: path)
      if !tail.waits(until: { $0.numbers.last == number }) { tally.bad += 1 }
      // After a rotation the old file is held for a second first.
      if number != 4 { lags.append(began.duration(to: .now) / .seconds(1)) }
    }
    tally.compare(written: (0...6).map { "\($0)" }, got: tail.numbers.map { "\($0)" })
    return lags
  }
}
