import Foundation
import JSONLines
import TestSupport
import Testing

extension FaultMatrix {
  @Test func `T3: nothing is lost or doubled however a file is rotated, cut or replaced`() async throws {
    try await Self.row("T3") { run in
      while run.goesOn() {
        for rotation in Rotation.allCases {
          for setup in TailSetup.allCases { try rotation.run(setup, tally: &run.tally) }
        }
      }
      run.note = "\(Rotation.allCases.count) ways, each with inotify and polling, reader first and last"
    }
  }

  @Test func `T3 without the marker: a file that was written anew is taken for the old one`() async throws {
    try await Self.control("T3", without: "the marker") { run in
      let files = InjectedFileSystem()
      files.remembers = true
      let setup = TailSetup(watching: .inotify, readsFirst: false)
      try Rotation.rewrittenLonger.run(setup, files: files, tally: &run.tally)
      run.add(rounds: 1)
    }
  }
}

/// The ten cases in which other tails lose or double lines; the numbers of lines are those of the specification.
private enum Rotation: CaseIterable {
  case lateWriter, rapid, rewrittenLonger, rewrittenSame, copyTruncate, recreated, denied, link, directory,
    hole

  func run(
    _ setup: TailSetup, files: InjectedFileSystem = InjectedFileSystem(), tally: inout MatrixRun.Tally
  ) throws {
    let tail = try setup.begin(lines: 50, fileSystem: files)
    switch self {
    case .lateWriter: lateWriter(tail)
    case .rapid: rapid(tail)
    case .rewrittenLonger: rewritten(tail, lines: 200)
    case .rewrittenSame: rewritten(tail, lines: 50)
    case .copyTruncate: try copyTruncate(tail)
    case .recreated: recreated(tail)
    case .denied: denied(tail, files)
    case .link: link(tail)
    case .directory: directory(tail)
    case .hole: hole(tail)
    }
    // A link that led elsewhere and back interleaves two streams: each of them keeps its order.
    tally.compare(written: tail.written, got: tail.lines, inOrder: self != .link)
    tally.bad += tail.gaps.count
  }

  private func lateWriter(_ tail: RealTail) {
    let old = open(tail.path, O_WRONLY | O_APPEND)
    tail.move(tail.path, tail.path + ".1")
    for _ in 0..<5 {
      tail.write(20, on: old)
      tail.pass(0.1)
    }
    close(old)
    tail.write(50)
    tail.pass(3)
  }

  private func rapid(_ tail: RealTail) {
    for _ in 0..<20 {
      tail.write(100)
      tail.shiftRotated()
      tail.move(tail.path, tail.path + ".1")
    }
    tail.write(50)
    tail.pass(5)
  }

  private func rewritten(_ tail: RealTail, lines: Int) {
    truncate(tail.path, 0)
    tail.write(lines)
    tail.settle()
  }

  private func copyTruncate(_ tail: RealTail) throws {
    for round in 0..<10 {
      tail.write(150)
      tail.shiftRotated()
      try tail.copy(tail.path, tail.path + ".1")
      truncate(tail.path, 0)
      tail.write(50)
      // Every other time no one looks between one cut and the next.
      if round % 2 == 0 { tail.settle() }
    }
    tail.pass(3)
  }

  private func recreated(_ tail: RealTail) {
    for _ in 0..<10 {
      unlink(tail.path)
      tail.pass(0.01)
      tail.write(20)
      tail.pass(0.01)
    }
    tail.pass(3)
  }

  private func denied(_ tail: RealTail, _ files: InjectedFileSystem) {
    for _ in 0..<3 {
      files.denies = true
      unlink(tail.path)
      tail.write(30)
      tail.pass(0.8)
      files.denies = false
      chmod(tail.path, 0o600)
      tail.write(20)
      tail.pass(2)
    }
  }

  private func link(_ tail: RealTail) {
    let targets = ["a", "b"].map { tail.folder + "/" + $0 + "/log" }
    for target in targets { mkdir((target as NSString).deletingLastPathComponent, 0o755) }
    tail.move(tail.path, targets[0])
    _ = symlink(targets[0], tail.path)
    tail.pass(2)
    for round in 1...6 {
      tail.write(5, to: targets[(round + 1) % 2])
      tail.settle()
      _ = symlink(targets[round % 2], tail.path + ".new")
      tail.move(tail.path + ".new", tail.path)
      tail.write(5, to: targets[round % 2])
      tail.pass(round % 2 == 0 ? 0.3 : 2)
      tail.write(5, to: targets[round % 2])
      tail.settle()
    }
    tail.pass(3)
  }

  private func directory(_ tail: RealTail) {
    unlink(tail.path)
    mkdir(tail.path, 0o755)
    tail.pass(2)
    rmdir(tail.path)
    tail.write(50)
    tail.pass(2)
  }

  /// A writer without `O_APPEND` goes on where it was: what was cut becomes a hole, which is passed over.
  private func hole(_ tail: RealTail) {
    let writer = open(tail.path, O_WRONLY)
    lseek(writer, 0, SEEK_END)
    tail.write(50, on: writer)
    tail.settle()
    truncate(tail.path, 0)
    tail.settle()
    tail.write(50, on: writer)
    tail.settle()
    close(writer)
  }
}
