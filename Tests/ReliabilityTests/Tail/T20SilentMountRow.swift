import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

extension FaultMatrix {
  @Test func `T20: what changes behind a mount, where no event tells of it, is read within two seconds`()
    async throws
  {
    guard let mount = try BehindMount() else { return try Self.skip("T20", "needs FUSE and bindfs") }
    try await Self.row("T20") { run in
      var lags: [Double] = []
      while run.goesOn() { lags += try Self.followBehind(mount, round: run.done, &run.tally) }
      lags.sort()
      let (median, worst) = (lags[lags.count / 2], lags.last ?? 0)
      // The promise holds for a machine that has time; a busy one must not be behind for long.
      if median > 2 || worst > 5 { run.tally.bad += 1 }
      run.note = "lag \(Int(median * 1000)) ms in the middle, \(Int(worst * 1000)) ms at worst"
    }
  }

  @Test func `T20 is red where size and time are not looked at`() async throws {
    try await Self.control("T20", without: "the look by size and time") { run in
      let files = MemoryFileSystem()
      files.makeDirectory("/")
      files.mount = MountKind(name: "NFS", events: .none)
      files.append("1\n", to: "/app.jsonl")
      var polling = PollOptions()
      polling.isOn = false
      let tail = MemoryTail([.file("/app.jsonl")], in: files, polling)
      files.append("2\n", to: "/app.jsonl")
      tail.pass(600)
      run.tally.compare(written: ["1", "2"], got: tail.lines)
      run.add(rounds: 1)
    }
  }

  /// Appended to, rotated, truncated, and a file that appears in a folder.
  private static func followBehind(
    _ mount: BehindMount, round: Int, _ tally: inout MatrixRun.Tally
  ) throws -> [Double] {
    let folder = try TemporaryFolder()
    let name = "/\(round)"
    mkdir(mount.behind + name, 0o755)
    let path = mount.behind + name + "/app.jsonl"
    // In every second round, the file is missing at first.
    if round % 2 == 0 { TailProcess.append(0..<1, to: path) }
    let operand = round % 4 < 2 ? name : name + "/app.jsonl"
    let tail = try TailProcess([mount.mount + operand], output: folder.path("out"))
    if round % 2 == 0 {
      if !tail.waits(until: { $0.numbers == [0] }) { tally.bad += 1 }
    } else {
      usleep(500_000)
      TailProcess.append(0..<1, to: path)
      if !tail.waits(until: { $0.numbers == [0] }) { tally.bad += 1 }
    }
    var lags: [Double] = []
    for number in 1...6 {
      if number == 3 { rename(path, path + ".1") }
      if number == 5 { truncate(path, 0) }
      let began = ContinuousClock.now
      TailProcess.append(number..<number + 1, to: path)
      if !tail.waits(until: { $0.numbers.last == number }) { tally.bad += 1 }
      // After a rotation the old file is held for a second first.
      if number != 3 { lags.append(began.duration(to: .now) / .seconds(1)) }
    }
    tally.compare(written: (0...6).map { "\($0)" }, got: tail.numbers.map { "\($0)" })
    return lags
  }
}
