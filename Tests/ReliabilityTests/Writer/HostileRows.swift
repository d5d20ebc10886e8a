import DashboardCore
import Foundation
import MisterMetricsCore
import Platform
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// W17, W18: what another account on the machine may do to whoever writes.
extension FaultMatrix {
  @Test func `W17: a link, a FIFO, a folder or a second name in a place that is written to leads nowhere`()
    async throws
  {
    try await Self.row("W17") { run in
      while run.goesOn() {
        for planted in Planted.allCases {
          for writing in Self.writings { try await Self.attempt(writing, over: planted, into: &run.tally) }
        }
      }
      run.note = "\(Planted.allCases.count) things in \(Self.writings.count) places"
    }
  }

  @Test func `W17 is red without the refusal to follow`() async throws {
    try await Self.control("W17", without: "the refusal to follow") { run in
      let naive = Writing(place: { $0.path("index") }) { folder in
        let descriptor = open(folder.path("index"), O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK, 0o600)
        defer { close(descriptor) }
        try FileHandle(fileDescriptor: descriptor).write(contentsOf: Data("new".utf8))
      }
      for planted in Planted.allCases { try await Self.attempt(naive, over: planted, into: &run.tally) }
    }
  }

  /// Something that is written, and where another account may have been before.
  private struct Writing: Sendable {
    let place: @Sendable (TemporaryFolder) -> String
    let write: @Sendable (TemporaryFolder) async throws -> Void
  }

  private static let writings: [Writing] = [
    Writing(place: { $0.path(".metrics.jsonl.lock") }) { folder in
      let store = try MetricFileStore(file: URL(fileURLWithPath: folder.path("metrics.jsonl")))
      try await store.record(Metric<Int>(name: "n", in: Bucket("b")), value: 1)
      try await store.optimize(removingBefore: .distantFuture)
    },
    Writing(place: { $0.path("key.json") }) { folder in
      var notes = HistoryNotes()
      notes.set(HistoryNotes.Mark(time: Timestamp(1), text: "new"), letter: "a")
      _ = NotesFolder(folder: folder.url.path).save(notes, "key")
    },
    Writing(place: { $0.path("preferences.json") }) { folder in
      try KeyedFile<String>(path: folder.path("preferences.json")).update { $0["new"] = "new" }
    },
    Writing(place: { $0.path(".preferences.json.optimizing") }) { folder in
      try KeyedFile<String>(path: folder.path("preferences.json")).update { $0["new"] = "new" }
    },
    Writing(place: { $0.path("index") }) { folder in
      let file = try ReplacementFile(for: folder.path("index"))
      try file.write(Array("new".utf8))
      try file.putInPlace()
    },
  ]

  private static func attempt(
    _ writing: Writing, over planted: Planted, into tally: inout MatrixRun.Tally
  ) async throws {
    let folder = try TemporaryFolder()
    let victim = try folder.write("keys", to: "victim")
    try planted.put(at: writing.place(folder), victim: victim)
    // Refused or done: what counts is what became of the other's file.
    try? await writing.write(folder)
    let isWhole =
      (try? String(contentsOfFile: victim, encoding: .utf8)) == "keys" && !Posix.isTaken(victim + "-new")
    tally.expected += 1
    tally.got += isWhole ? 1 : 0
    tally.bad += isWhole ? 0 : 1
  }

  @Test
  func `W18: a writer that keeps the lock is told and loses nobody anything, a reader's holds nobody up`()
    async throws
  {
    try await Self.row("W18") { run in
      while run.goesOn() {
        try await Self.keepLock(of: .writer, limit: .milliseconds(20), into: &run.tally)
        try await Self.keepLock(of: .reader, limit: .milliseconds(20), into: &run.tally)
      }
    }
  }

  @Test func `W18 is red without the limit`() async throws {
    try await Self.control("W18", without: "the limit") { run in
      try await Self.keepLock(of: .writer, limit: .seconds(3600), patience: .seconds(2), into: &run.tally)
    }
  }

  @Test func `W18 is red without a lock that only writers can take`() async throws {
    try await Self.control("W18", without: "a lock of writers alone") { run in
      try await Self.keepLock(of: .reader, limit: .milliseconds(20), isTaken: true, into: &run.tally)
    }
  }

  private enum LockKeeper {
    case writer, reader
  }

  /// - Parameters:
  ///   - patience: after which an answer is taken for none; a busy machine needs a while.
  ///   - isTaken: whether something else has the name of the writers' lock.
  private static func keepLock(
    of keeper: LockKeeper, limit: Duration, patience: Duration = .seconds(20), isTaken: Bool = false,
    into tally: inout MatrixRun.Tally
  ) async throws {
    let folder = try TemporaryFolder()
    var options = MetricFileOptions()
    options.lockTimeout = limit
    options.gathering = .milliseconds(5)
    let path = Posix.place(of: try folder.write("", to: "metrics.jsonl"))
    let place = WriterLock.place(for: path)
    if isTaken { try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false) }
    let store = try MetricFileStore(file: URL(fileURLWithPath: path), options: options)
    let metric = Metric<Int>(name: "n", in: Bucket("b"))
    try await store.record(metric, value: 0)
    let kept = try keeper == .writer ? Posix.open(place, flags: O_WRONLY) : Posix.open(path)
    guard try Posix.lock(kept) else { return }
    for number in 1..<20 { metric.record(number, in: AnyMetricStore(store)) }
    let answer = Locked(Bool?.none)
    let waiting = Task {
      do {
        try await store.record(metric, value: 99)
        answer.withLock { $0 = true }
      } catch let error as MetricError {
        answer.withLock { $0 = error.code == .fileLocked ? false : nil }
      }
    }
    let deadline = ContinuousClock.now + patience
    while answer.withLock({ $0 }) == nil, ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(1))
    }
    // Behind a writer it has to be refused, behind a reader to be written.
    let isRight = answer.withLock { $0 } == (keeper == .reader)
    tally.bad += isRight ? 0 : 1
    let staysLocked = keeper == .reader && isRight
    if !staysLocked { Posix.close(kept) }
    _ = await waiting.result
    while store.counts.written < 20, ContinuousClock.now < deadline + .seconds(20) {
      try await Task.sleep(for: .milliseconds(1))
    }
    if staysLocked { Posix.close(kept) }
    let values = try await store.retrieveAll(for: metric).map(\.value)
    tally.expected += 20
    tally.got += values.filter { $0 < 20 }.count
    tally.lost += values.filter { $0 < 20 } == Array(0..<20) ? 0 : 1
  }
}
