import Foundation
import TestSupport
import Testing

extension FaultMatrix {
  @Test func `T6: permission lost and regained doubles nothing, is shown, and costs no second`() async throws
  {
    guard getuid() == 0, ChildProcess.isInstalled("setpriv"), let programs = Unprivileged() else {
      return try Self.skip("T6", "needs root, setpriv and libraries that any user may read")
    }
    try await Self.row("T6") { run in
      var worst = 0.0
      while run.goesOn() {
        for setup in TailSetup.allCases {
          worst = max(worst, try Self.loseAndRegain(setup, programs, &run.tally))
        }
      }
      run.note = "first new line after \(Int(worst * 1000)) ms at worst"
    }
  }

  private static func loseAndRegain(
    _ setup: TailSetup, _ programs: Unprivileged, _ tally: inout MatrixRun.Tally
  ) throws -> Double {
    let folder = try TemporaryFolder()
    chmod(folder.url.path, 0o755)
    // Whoever runs the tests may keep what is new from everybody else.
    let mask = umask(0o022)
    defer { umask(mask) }
    let path = folder.path("app.jsonl")
    TailProcess.append(0..<5, to: path)
    if !setup.readsFirst { chmod(path, 0o600) }
    let tail = try TailProcess(
      [path], wrap: programs.wrap(polls: setup.watching == .polling), program: programs.program,
      output: folder.path("out"))
    let blind = "permission denied"
    if setup.readsFirst {
      if !tail.waits(until: { $0.numbers.count == 5 }) { tally.bad += 1 }
      // A file that is held is read on; the next one may not be opened.
      chmod(path, 0)
      TailProcess.append(5..<10, to: path)
      if !tail.waits(until: { $0.numbers.count == 10 }) { tally.bad += 1 }
      rename(path, path + ".1")
      umask(0o077)
      TailProcess.append(10..<15, to: path)
      umask(0o022)
    } else {
      TailProcess.append(5..<15, to: path)
    }
    if !tail.waits(until: { $0.text.contains(blind) }) { tally.bad += 1 }
    TailProcess.append(15..<20, to: path)
    let began = ContinuousClock.now
    chmod(path, 0o644)
    TailProcess.append(20..<21, to: path)
    if !tail.waits(until: { $0.numbers.contains(20) }) { tally.bad += 1 }
    let time = began.duration(to: .now) / .seconds(1)
    // A second is promised; a machine that does much else at the same time may take longer.
    if time > 3 { tally.bad += 1 }
    tally.compare(written: (0...20).map { "\($0)" }, got: tail.numbers.map { "\($0)" })
    return time
  }
}

/// The program where a user without rights can run it.
private struct Unprivileged {
  let program: String
  private let folder: TemporaryFolder

  /// `nil` if it does not run for that user.
  init?() {
    guard let folder = try? TemporaryFolder(), let built = try? ChildProcess.program("mistertop") else {
      return nil
    }
    self.folder = folder
    program = folder.path("mistertop")
    chmod(folder.url.path, 0o755)
    guard (try? FileManager.default.copyItem(atPath: built, toPath: program)) != nil else { return nil }
    let words = wrap(polls: true) + [program, "--version"]
    guard let trial = try? ChildProcess(words[0], Array(words.dropFirst())), trial.wait() == .exited(0) else {
      return nil
    }
  }

  /// The launcher of a program as the user without rights; without a watcher too, if it is to poll.
  func wrap(polls: Bool) -> [String] {
    ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
      + (polls ? TailProcess.withoutWatcher("instances") : [])
  }
}
