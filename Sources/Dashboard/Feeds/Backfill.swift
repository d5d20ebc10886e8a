import Aggregation
import CHeap
import Foundation
import History
import JSONLines
import MisterMetrics
import Platform

/// A piece of a file from before the tail's beginning, ready to be merged.
struct EarlierBlock: Sendable {
  let range: Range<UInt64>
  let store: SeriesStore
  /// What sync engines recorded in it, the newest ``SyncEntries/limit`` of them.
  var sync: [RawSyncEntry] = []
  let lines: Int
  let rejections: RejectionLog
  /// Bytes that were gone when they were to be read.
  let missing: UInt64
  let newest: Double
}

/// Reads what was in the files before their tails began, on several cores.
///
/// The pieces are taken from the end of the file to its start and merged in that order, so that the present is whole
/// first and the store's room goes to the newest samples.
final class Backfill: Sendable {
  private struct Work: Sendable {
    struct Job: Sendable {
      let number: Int
      let member: TailMember
      let range: Range<UInt64>
      /// Reads the piece.
      let read: @Sendable () -> EarlierBlock
    }

    /// Those before `nextJob` are taken: a file of ten gigabytes makes ten thousand, too many to close the gap each time.
    var jobs: [Job] = []
    var nextJob = 0
    var waiting: Int { jobs.count - nextJob }
    var nextNumber = 0
    /// Finished pieces that wait for those before them.
    var finished: [Int: (TailMember, EarlierBlock)] = [:]
    var nextToMerge = 0
    var isMerging = false
    var workers = 0
    var isCancelled = false

    /// Whether so much waits for those before it that memory would not stay bounded.
    func holdsEnough(for workers: Int) -> Bool {
      finished.count > 2 * workers || finished.values.reduce(0) { $0 + $1.1.store.count } > Self.seriesLimit
    }

    private static let seriesLimit = 10_000

    mutating func add(
      _ range: Range<UInt64>, of member: TailMember, read: @escaping @Sendable () -> EarlierBlock
    ) {
      jobs.append(Job(number: nextNumber, member: member, range: range, read: read))
      nextNumber += 1
    }
  }

  private let work = Locked(Work())
  private let limits: SeriesStore.Limits
  private let workers: Int
  let blockSize: UInt64
  private let merge: @Sendable (TailMember, EarlierBlock) -> Void

  /// - Parameter merge: called for one piece at a time, on any thread.
  init(
    limits: SeriesStore.Limits, blockSize: UInt64,
    workers: Int = max(1, ProcessInfo.processInfo.activeProcessorCount),
    merge: @escaping @Sendable (TailMember, EarlierBlock) -> Void
  ) {
    self.limits = limits
    self.workers = workers
    self.blockSize = blockSize
    self.merge = merge
  }

  /// Begins to read these pieces of the bytes.
  ///
  /// - Parameter past: what need not be read before them.
  func read(
    _ blocks: [Range<UInt64>], of bytes: EarlierBytes, _ member: TailMember, after past: HistoryPast? = nil
  ) {
    let missing = work.withLock { work in
      for range in blocks {
        work.add(range, of: member) { [limits] in Self.scan(range, of: bytes, limits) }
      }
      if let past {
        work.add(0..<past.end, of: member) { [limits] in Self.take(past, of: bytes, limits) }
      }
      let missing = max(0, min(workers, work.waiting) - work.workers)
      work.workers += missing
      return missing
    }
    for _ in 0..<missing {
      let thread = Thread { [self] in run() }
      thread.stackSize = 1 << 20
      thread.name = "earlier"
      // The tail and the screen go first.
      thread.qualityOfService = .utility
      thread.startWithoutSignals()
    }
  }

  /// Ends after the pieces that are being read.
  func cancel() {
    work.withLock { work in
      work.isCancelled = true
      (work.jobs, work.nextJob) = ([], 0)
    }
  }

  private func run() {
    while let job = nextJob() {
      finish(job, job.read())
    }
    // Scanners and stores of the pieces came and went between what stays.
    if isDone { heap_give_back() }
  }

  /// Whether nobody reads any more.
  private var isDone: Bool { work.withLock { $0.workers == 0 } }

  private func nextJob() -> Work.Job? {
    // Who is far ahead of a slow piece waits for it, so that memory stays bounded.
    while work.withLock({ $0.holdsEnough(for: workers) && !$0.isCancelled }) {
      Thread.sleep(forTimeInterval: 0.002)
    }
    return work.withLock { work in
      guard !work.isCancelled, work.waiting > 0 else {
        work.workers -= 1
        if work.waiting == 0 { (work.jobs, work.nextJob) = ([], 0) }
        return nil
      }
      defer { work.nextJob += 1 }
      return work.jobs[work.nextJob]
    }
  }

  /// What an index knows; where it does not hold after all, everything is read.
  private static func take(
    _ past: HistoryPast, of bytes: EarlierBytes, _ limits: SeriesStore.Limits
  ) -> EarlierBlock {
    guard let (store, rejections) = try? past.store(limits: limits) else {
      return scan(0..<past.end, of: bytes, limits)
    }
    return EarlierBlock(
      range: 0..<past.end, store: store, lines: past.lines, rejections: rejections, missing: 0,
      newest: store.timeRange?.upperBound ?? -.infinity)
  }

  private static func scan(
    _ range: Range<UInt64>, of bytes: EarlierBytes, _ limits: SeriesStore.Limits
  ) -> EarlierBlock {
    var store = SeriesStore(limits: limits)
    var fold = SampleFold()
    var collector = SyncCollector()
    var sync: [RawSyncEntry] = []
    let result = Result { () throws(FileFailure) in
      try bytes.scan(range) { batch, scanner in
        fold.fold(batch, scanner.catalogue, into: &store)
        sync += collector.entries(of: batch, scanner.catalogue)
      }
    }
    switch result {
    case .success(let end):
      return EarlierBlock(
        range: range, store: store, sync: sync.suffix(SyncEntries.limit), lines: end.scanner.lines,
        rejections: end.scanner.rejections,
        missing: end.missing, newest: fold.newest)
    case .failure:
      return EarlierBlock(
        range: range, store: store, lines: 0, rejections: RejectionLog(),
        missing: UInt64(range.count),
        newest: fold.newest)
    }
  }

  /// Merges all pieces whose turn has come; one thread does it for all.
  private func finish(_ job: Work.Job, _ block: EarlierBlock) {
    work.withLock { $0.finished[job.number] = (job.member, block) }
    while let (member, block) = nextToMerge() {
      merge(member, block)
      work.withLock { $0.isMerging = false }
    }
  }

  private func nextToMerge() -> (TailMember, EarlierBlock)? {
    work.withLock { work in
      guard !work.isMerging, !work.isCancelled,
        let next = work.finished.removeValue(forKey: work.nextToMerge)
      else { return nil }
      work.nextToMerge += 1
      work.isMerging = true
      return next
    }
  }
}
