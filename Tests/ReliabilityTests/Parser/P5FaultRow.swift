import JSONLines
import Platform
import TestSupport
import Testing

extension FaultMatrix {
  /// The N-th call to the file system fails, for every N and every failure: of a tail over growth and a rotation, of a
  /// writer over rotations at each durability, of a scan of a whole file.
  @Test func `P5: a call that fails once costs no line and no acknowledged record, and is told`() async throws
  {
    guard Strace.isAvailable else { return try Self.skip("P5", "needs strace") }
    try await Self.row("P5") { run in
      for failure in [FileFailure.denied, .exhausted, .other(5)] {
        var number = 1
        while Self.follow(failingAt: number, failure, &run) {
          number += 1
          run.add(rounds: 1)
        }
      }
      let tail = run.done
      let writer = try await Self.failWriterCalls(&run)
      let scan = try Self.failScanCalls(&run)
      run.note = "calls that failed: \(tail) of a tail, \(writer) of a writer, \(scan) of a scan"
    }
  }

  /// - Returns: whether the call was reached.
  private static func follow(failingAt number: Int, _ failure: FileFailure, _ run: inout MatrixRun) -> Bool {
    let files = MemoryFileSystem()
    files.makeDirectory("/")
    files.makeDirectory("/logs")
    _ = files.create("/logs/app.jsonl")
    files.append("one\n", to: "/logs/app.jsonl")
    let reader = TailReader("/logs/app.jsonl", files)
    reader.look()
    files.failingCall = (number, failure)
    files.append("two\nthr", to: "/logs/app.jsonl")
    reader.look(after: 0.1)
    files.append("ee\n", to: "/logs/app.jsonl")
    reader.look(after: 0.1)
    files.rename("/logs/app.jsonl", "/logs/app.jsonl.1")
    files.append("four\n", to: "/logs/app.jsonl.1")
    _ = files.create("/logs/app.jsonl")
    files.append("five\n", to: "/logs/app.jsonl")
    reader.look(after: 0.1)
    files.append("six\n", to: "/logs/app.jsonl")
    let wasReached = files.failingCall == nil
    files.failingCall = nil
    for _ in 0..<4 { reader.look(after: 2) }
    reader.settle()
    let expected = ["two", "three", "four", "five", "six"]
    let got = reader.lines.filter { $0 != "one" }
    run.tally.expected += expected.count
    run.tally.got += got.count
    run.tally.lost += expected.count { !got.contains($0) }
    run.tally.duplicated += got.count - Set(got).count
    if got != expected {
      run.tally.bad += 1
      Issue.record("call \(number) fails with \(failure): \(got), gaps \(reader.gaps)")
    }
    return wasReached
  }
}
