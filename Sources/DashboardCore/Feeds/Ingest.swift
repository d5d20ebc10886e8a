package import Aggregation
import DeliveryCore
import Essentials
package import History
package import JSONLines
import MisterMetricsCore
package import Platform
import Sync

/// Follows files off the main thread and folds their samples into one store.
///
/// One thread follows all sources; one more per core reads the earlier part of a big file. The loop takes a
/// ``snapshot()`` when ``wakeDescriptor`` is readable. A quiet file causes no wake-ups, unless its changes send no events.
///
///     let ingest = Ingest(sources: [.file("metrics.jsonl")])
///     ingest.start()
package final class Ingest: Feed {
  /// Bytes at the end of a big file that are read first, so that the first frame has something to show.
  package static let firstWindow: UInt64 = 1 << 20

  private let sources: [TailSource]
  private let state: Locked<IngestState>
  private let wake: WakeSignal
  private let stopSignal = WakeSignal()
  private let clock: @Sendable () -> Timestamp
  private let backfill: Backfill
  private let options: TailStateMachine.Options
  private let input: Int32
  private let limits: SeriesStore.Limits
  private let index: IndexCache?
  private let mapping: LineMapping?
  private let polling: PollOptions
  /// The files of one host, followed once more and shown instead.
  private let part = Locked<(scope: HostScope, ingest: Ingest)?>(nil)

  /// - Parameters:
  ///   - firstWindow: bytes at the end of a file that are read first.
  ///   - blockSize: bytes of each block of the rest.
  ///   - input: the descriptor of standard input, if it is one of the sources.
  ///   - index: stores indexes of files; data known from them is not read again.
  ///   - mapping: how lines in other formats than MisterMetrics' are read; `nil` to recognize them.
  ///   - polling: when files are looked at whose changes send no events.
  ///   - wake: raised after changes.
  ///   - clock: the wall clock.
  package init(
    sources: [TailSource], limits: SeriesStore.Limits = SeriesStore.Limits(),
    firstWindow: UInt64 = Ingest.firstWindow, blockSize: UInt64 = EarlierBytes.blockSize, input: Int32 = 0,
    index: IndexCache? = nil, mapping: LineMapping? = nil, polling: PollOptions = PollOptions(),
    wake: WakeSignal = WakeSignal(), clock: @escaping @Sendable () -> Timestamp = { Timestamp.now() }
  ) {
    self.sources = sources
    self.clock = clock
    self.input = input
    self.limits = limits
    self.index = index
    self.mapping = mapping
    self.polling = polling
    options = TailStateMachine.Options(start: .window(firstWindow))
    let state = Locked(IngestState(limits: limits))
    self.wake = wake
    self.state = state
    backfill = Backfill(limits: limits, blockSize: blockSize, mapping: mapping) { member, block in
      state.withLock { $0.readEarlier(block, of: member, at: clock()) }
      wake.raise()
    }
  }

  deinit {
    stop()
  }

  /// Starts reading.
  package func start() {
    // The thread must not keep the feed alive: releasing the feed ends it.
    let intake = IngestThread(
      sources: sources, options: options, input: input, state: state, wake: wake, stop: stopSignal,
      backfill: backfill, clock: clock, index: index, mapping: mapping, polling: polling)
    SystemThread.start("tail", stackSize: 1 << 20) { intake.run() }
  }

  /// Stops reading; data already read stays.
  package func stop() {
    stopSignal.raise()
    backfill.cancel()
    part.withLock { $0?.ingest.stop() }
  }

  /// Reports data lost on its way into a file.
  package func tell(_ text: String, of path: String) {
    state.withLock { $0.lost(text, of: path, at: clock()) }
    wake.raise()
  }

  package var wakeDescriptor: Int32 { wake.descriptor }

  package func snapshot() -> FeedSnapshot {
    // Cleared first, so that a later change raises the signal again.
    wake.clear()
    guard let part = part.withLock({ $0 }) else { return content }
    var content = part.ingest.content
    content.scope = part.scope
    return content
  }

  /// Everything read so far.
  private var content: FeedSnapshot {
    let now = clock()
    return state.withLock { state in
      var snapshot = FeedSnapshot(
        store: state.store, status: state.status(sources: sources.map(\.name), at: now),
        engines: state.engines)
      snapshot.beginnings = state.beginnings
      snapshot.skews = state.seriesSkews
      return snapshot
    }
  }

  package func narrow(to scope: HostScope) {
    let new = scope.host.flatMap(ingest)
    new?.start()
    part.withLock { part in
      part?.ingest.stop()
      part = new.map { (scope, $0) }
    }
    wake.raise()
  }

  /// Follows the files of a host from now on; `nil` if it has none.
  private func ingest(of host: String) -> Ingest? {
    let paths = reports.map(\.name).filter { $0 != "-" }
    let own = zip(paths, HostNames.hosts(ofFiles: paths)).filter { $0.1 == host }.map {
      TailSource.file($0.0)
    }
    guard !own.isEmpty else { return nil }
    return Ingest(
      sources: own, limits: limits, index: index, mapping: mapping, polling: polling, wake: wake, clock: clock
    )
  }

  package func line(of query: LineQuery) -> RawLine? {
    if let part = part.withLock({ $0 }) { return part.ingest.line(of: query) }
    return reports.lazy.filter { $0.name != "-" }.compactMap {
      LineSearch(path: $0.name, query: query, mapping: self.mapping).find()
    }.first
  }

  package func line(of rejection: FeedRejection) -> RawLine { LineText(rejection).line }

  /// The report of each followed file.
  package var reports: [FileReport] {
    state.withLock { $0.accounts.reports }
  }

  /// True if everything present at the start has been read.
  package var isLoaded: Bool { state.withLock { $0.isLoaded } }
}

/// The state of the tail's thread.
private struct IngestThread: Sendable {
  let sources: [TailSource]
  let options: TailStateMachine.Options
  let input: Int32
  let state: Locked<IngestState>
  let wake: WakeSignal
  let stop: WakeSignal
  let backfill: Backfill
  let clock: @Sendable () -> Timestamp
  let index: IndexCache?
  let mapping: LineMapping?
  let polling: PollOptions

  /// Bytes before the first window that are read sample by sample, even if an index knows them.
  private static let rawBytes: UInt64 = 7 << 20
  /// The same for files with engine records: an index does not contain single decisions.
  private static let rawEngineBytes: UInt64 = 64 << 20
  /// Maximum seconds that earlier data waits until the newest part has been read.
  private static let patience = 0.2

  func run() {
    var intakes: [Int: MemberIntake] = [:]
    /// Members with new data since the last round.
    var fed: Set<Int> = []
    var known = 0
    var leftOut: [FolderLeftOut] = []
    // Earlier parts wait until the newest one has been read: the first frame needs the processor.
    var earlier: [() -> Void] = []
    var waitingSince: MonotonicInstant?
    let set = TailSet(sources: sources, polling: polling, options: options, input: input)
    TailLoop(set: set, stop: stop).run { member, output in
      // All together, since a folder may contain thousands.
      if set.members.count > known {
        state.withLock { $0.found(set.members[known...]) }
        known = set.members.count
      }
      var intake = intakes.removeValue(forKey: member.index) ?? MemberIntake(member: member, mapping: mapping)
      if let reading = deliver(output, to: &intake) {
        earlier.append(reading)
        waitingSince = waitingSince ?? MonotonicInstant.now()
      }
      intakes[member.index] = intake
      fed.insert(member.index)
    } afterRound: {
      for index in fed.sorted() {
        if var intake = intakes.removeValue(forKey: index) {
          take(&intake)
          intakes[index] = intake
        }
      }
      fed.removeAll(keepingCapacity: true)
      if set.leftOut != leftOut {
        leftOut = set.leftOut
        state.withLock { $0.saw(leftOut, at: clock()) }
        wake.raise()
      }
      // Completion is news too: it settles the order of the lists.
      if !set.isBusy, state.withLock({ $0.caughtUp() }) { wake.raise() }
      // A file that is written faster than it is read never reaches its end.
      if let since = waitingSince, !set.isBusy || MonotonicInstant.now() - since > Self.patience {
        for reading in earlier { reading() }
        (earlier, waitingSince) = ([], nil)
      }
    }
  }

  /// - Returns: starts the reading of data before the tail's start, if there is any.
  private func deliver(_ output: TailOutput, to intake: inout MemberIntake) -> (() -> Void)? {
    let member = intake.member
    if case .bytes(let bytes, let offset) = output {
      intake.take(bytes, at: offset)
      if intake.isFull { take(&intake) }
      return nil
    }
    defer { wake.raise() }
    // Data read before an event must be reported before it.
    take(&intake)
    switch output {
    case .bytes:
      break
    case .restarted(let restart):
      state.withLock { $0.saw(restart, of: &intake, at: clock()) }
      intake.restart(restart)
    case .gap(let gap):
      state.withLock { $0.saw(gap, of: member, at: clock()) }
    case .state(let new):
      state.withLock { $0.saw(new, of: member, at: clock()) }
    case .polled(let reason, let seconds):
      state.withLock { $0.saw(reason, every: seconds, of: member, at: clock()) }
    case .earlier(let bytes):
      guard state.withLock({ $0.takesEarlier(of: member) }) else { return nil }
      // Taken once: holes in a sparse file may be filled in the meantime.
      let past = past(of: member, before: bytes.end)
      let blocks = bytes.blocks(of: backfill.blockSize, from: past?.end ?? 0)
      let all = blocks + (past.map { [0..<$0.end] } ?? [])
      state.withLock { $0.willRead(all, of: member, at: clock()) }
      return { backfill.read(blocks, of: bytes, member, after: past) }
    }
    return nil
  }

  /// The history of a file from an index, so that it need not be read.
  private func past(of member: TailMember, before end: UInt64) -> HistoryPast? {
    guard let index else { return nil }
    func past(_ raw: UInt64) -> HistoryPast? {
      HistoryPast(of: member.path, mapping: mapping, before: end - min(end, raw), cache: index)
    }
    let usual = past(Self.rawBytes)
    let buckets = [SyncMetric.bucket.id, DeliveryMetrics.bucket.id]
    guard let usual, buckets.contains(where: usual.hasMetrics) else { return usual }
    return past(Self.rawEngineBytes)
  }

  private func take(_ intake: inout MemberIntake) {
    guard intake.hasNews else { return }
    state.withLock { $0.take(&intake, at: clock()) }
    wake.raise()
  }
}

extension TailSource {
  fileprivate var name: String {
    switch self {
    case .file(let path), .folder(let path): path
    case .standardInput: "-"
    }
  }
}
