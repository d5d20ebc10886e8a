import Foundation
import TestSupport
import Testing

extension FaultMatrix {
  @Test func `T15: what is missing or no file is told, and costs no time`() async throws {
    // Not installed, or not granted by the system.
    let canPoll = (try? ChildProcess("unshare", ["-Ur", "true"]).wait()) == .exited(0)
    try await Self.row("T15") { run in
      var (worst, unwatched) = (0.0, 0)
      while run.goesOn() {
        let wrap = run.done % 2 == 0 && canPoll ? TailProcess.withoutWatcher("instances") : []
        unwatched += wrap.isEmpty ? 0 : 1
        worst = max(worst, try Self.strangePaths(wrap, &run.tally))
        try Self.missingFolder(wrap, &run.tally)
      }
      run.note =
        "at most \(Int(worst * 100)) % of a core; \(unwatched) of \(run.done) rounds without a watcher"
        + (canPoll ? "" : ", which unshare does not allow here")
    }
  }

  /// Everything that is no file, one process each, all at once.
  private static func strangePaths(_ wrap: [String], _ tally: inout MatrixRun.Tally) throws -> Double {
    let folder = try TemporaryFolder()
    let (fifo, socket, missing) = (folder.path("fifo"), folder.path("socket"), folder.path("missing"))
    mkfifo(fifo, 0o644)
    makeSocket(socket)
    mkdir(folder.path("folder"), 0o755)
    let cases = [
      (fifo, "is a FIFO"), (socket, "is a socket"), ("/dev/zero", "is a device"),
      ("/proc/uptime", "is made up by the system"), (missing, "is not there yet"),
      (folder.path("folder"), ""),
    ]
    let tails = try cases.enumerated().map { index, strange in
      try TailProcess([strange.0], wrap: wrap, output: folder.path("out\(index)"))
    }
    for (tail, strange) in zip(tails, cases) {
      tally.expected += 1
      if strange.1.isEmpty || tail.waits(until: { $0.text.contains(strange.1) }) {
        tally.got += 1
      } else {
        tally.lost += 1
      }
    }
    let before = tails.map(\.seconds)
    usleep(1_000_000)
    let used = zip(tails, before).map { max(0, $0.seconds - $1) }.max() ?? 0
    if used > 0.05 { tally.bad += 1 }
    // What was missing appears, in the folder as well.
    for (number, path) in [(4, missing), (5, folder.path("folder/new.jsonl"))] {
      TailProcess.append(0..<100, to: path)
      tally.expected += 100
      _ = tails[number].waits(until: { $0.numbers.count >= 100 })
      tally.got += tails[number].numbers.count
      if tails[number].numbers != Array(0..<100) { tally.bad += 1 }
    }
    if tails.contains(where: { !$0.process.isRunning }) { tally.bad += 1 }
    return used
  }

  /// The folder of the file goes and comes again, with the file in it.
  private static func missingFolder(_ wrap: [String], _ tally: inout MatrixRun.Tally) throws {
    let folder = try TemporaryFolder()
    let (inner, away) = (folder.path("deep/inner"), folder.path("away"))
    let tail = try TailProcess([inner + "/app.jsonl"], wrap: wrap, output: folder.path("out"))
    if !tail.waits(until: { $0.text.contains("not there yet") }) { tally.bad += 1 }
    for round in 0..<2 {
      try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
      TailProcess.append(round * 10..<round * 10 + 10, to: inner + "/app.jsonl")
      _ = tail.waits(until: { $0.numbers.count >= round * 10 + 10 })
      rename(folder.path("deep"), away + "\(round)")
    }
    tally.compare(written: (0..<20).map { "\($0)" }, got: tail.numbers.map { "\($0)" })
  }

  private static func makeSocket(_ path: String) {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    _ = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
