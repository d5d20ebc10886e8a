import Foundation
import JSONLines
import TestSupport
import Testing

extension FaultMatrix {
  @Test func `T5: a new file under an old inode is read from its start`() async throws {
    try await Self.row("T5") { run in
      var reused = 0
      while run.goesOn() {
        for setup in TailSetup.allCases {
          reused += try Self.recreate(setup, round: run.done, tally: &run.tally)
          reused += try Self.pingPong(setup, round: run.done, tally: &run.tally)
        }
      }
      run.note = "\(reused) inodes came again"
      guard reused == 0 else { return }
      // Where the system gives an inode twice, the files of the row must have met with that.
      if try Self.givesInodesAgain() {
        run.tally.bad += 1
      } else {
        run.note = "not testable here: this file system gives no inode twice"
      }
    }
  }

  private static func givesInodesAgain() throws -> Bool {
    let folder = try TemporaryFolder()
    var seen: Set<UInt64> = []
    for _ in 0..<100 {
      let path = try folder.write("x", to: "app.jsonl")
      guard seen.insert(inode(path)).inserted else { return true }
      unlink(path)
    }
    return false
  }

  /// Deleted and made again once the tail has let go of the old file, with the same first line.
  private static func recreate(
    _ setup: TailSetup, round: Int, tally: inout MatrixRun.Tally
  ) throws -> Int {
    let tail = try setup.begin(lines: 3 + round % 5)
    let first = tail.written[0]
    var reused = 0
    for generation in 0..<4 {
      let old = inode(tail.path)
      unlink(tail.path)
      // Seen and let go of; seen too late; not seen at all.
      tail.pass(generation % 2 == 0 ? 2 : 0)
      let descriptor = open(tail.path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
      tail.put(first + "\n", on: descriptor)
      tail.wroteAgain(first)
      tail.write(2 + (round + generation) % 7, on: descriptor)
      close(descriptor)
      if inode(tail.path) == old { reused += 1 }
      tail.pass(2)
    }
    tally.compare(written: tail.written, got: tail.lines)
    tally.bad += tail.gaps.count
    return reused
  }

  /// A temporary file is moved over the path again and again: two inodes take turns.
  private static func pingPong(
    _ setup: TailSetup, round: Int, tally: inout MatrixRun.Tally
  ) throws -> Int {
    let tail = try setup.begin(lines: 3 + round % 5)
    let first = tail.written[0]
    var seen: Set = [inode(tail.path)]
    var reused = 0
    for generation in 0..<4 {
      let temporary = tail.folder + "/new"
      let descriptor = open(temporary, O_WRONLY | O_APPEND | O_CREAT, 0o644)
      tail.put(first + "\n", on: descriptor)
      tail.wroteAgain(first)
      tail.write(2 + (round + generation) % 7, on: descriptor)
      close(descriptor)
      tail.move(temporary, tail.path)
      if !seen.insert(inode(tail.path)).inserted { reused += 1 }
      tail.pass(2)
    }
    tally.compare(written: tail.written, got: tail.lines)
    tally.bad += tail.gaps.count
    return reused
  }

  private static func inode(_ path: String) -> UInt64 {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
  }
}
