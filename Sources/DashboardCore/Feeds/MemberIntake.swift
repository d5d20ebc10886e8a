import Aggregation
import History
import JSONLines
import Platform

/// The pipeline from one followed file's bytes to samples; confined to the tail's thread.
struct MemberIntake {
  let member: TailMember
  private var scanner: SampleScanner
  private var fold = SampleFold()
  private var batch = SampleBatch()
  private var collector = EngineCollector()
  private var nextOffset: UInt64 = 0
  private var accountedLines = 0
  private var accountedRejections = RejectionLog()
  /// Time of the newest sample of the last folded batch.
  private(set) var newestOfBatch = Timestamp.distantPast

  /// - Parameter mapping: How lines in other formats than MisterMetrics' are read.
  init(member: TailMember, mapping: LineMapping? = nil) {
    self.member = member
    scanner = SampleScanner(mapping: mapping)
  }

  var newest: Timestamp { fold.newest }
  /// Formats recognized in lines of other programs.
  var formats: Set<ForeignFormat> { scanner.catalogue.formats }
  /// Time of the newest sample in the batch that is no engine record; engines must have been collected.
  var newestOfOthers: Timestamp? { collector.newestOfOthers(in: batch) }
  /// Every series that the member has fed.
  var series: [SeriesID] { fold.allSeries }
  /// The offset from UTC of the stamps so far, if none of them named a zone; see ``SourceSkew/zoneOffset``.
  func zoneOffset(at now: Timestamp) -> Int? { scanner.zoneOffset(at: now) }
  /// Offset of the incomplete line's start.
  var lineStart: UInt64 { nextOffset - min(nextOffset, UInt64(scanner.waitingBytes)) }
  /// Time of the oldest sample in the batch; `nil` without any.
  var oldestOfBatch: Timestamp? { batch.samples.lazy.map(\.time).min() }
  /// True if the state has not yet taken everything.
  var hasNews: Bool { !batch.samples.isEmpty || scanner.lines > accountedLines }
  /// True if the batch is large enough to be taken now.
  var isFull: Bool { batch.samples.count >= 16_384 }

  mutating func take(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) {
    // The tail skips NUL bytes between lines.
    if offset != nextOffset { scanner.restart(offset: offset, line: scanner.nextLine) }
    scanner.scan(bytes, into: &batch)
    nextOffset = offset + UInt64(bytes.count)
  }

  mutating func restart(_ restart: TailRestart) {
    let continues = restart.reason == .cutBack || restart.reason == .continued
    scanner.restart(offset: restart.offset, line: continues ? scanner.nextLine : 1)
    nextOffset = restart.offset
  }

  /// Restarts with an empty store.
  mutating func forgetSeries() { fold = SampleFold() }

  /// Collects the engine records in the batch.
  ///
  /// - Parameter arrival: When the batch arrived; `nil` for data present at the opening.
  mutating func collectEngines(into records: inout EngineRecords, arrival: Timestamp?) {
    collector.collect(from: batch, scanner.catalogue, arrival: arrival) { records[$0].append($1) }
  }

  /// Moves the batch into a store.
  mutating func foldBatch(into store: inout SeriesStore) -> (samples: Int, lines: Int) {
    fold.fold(batch, scanner.catalogue, into: &store)
    newestOfBatch = batch.samples.lazy.map(\.time).max() ?? newestOfBatch
    let count = (batch.samples.count, scanner.lines - accountedLines)
    batch.removeAll()
    return count
  }

  /// Adds the counts since the last call to the account; returns the number of rejected lines.
  mutating func account(in account: inout FileAccount) -> Int {
    let rejected = scanner.rejections.total - accountedRejections.total
    account.read(
      to: nextOffset, lines: scanner.lines - accountedLines, rejected: scanner.rejections,
      before: accountedRejections)
    accountedLines = scanner.lines
    if rejected > 0 { accountedRejections = scanner.rejections }
    return rejected
  }
}
