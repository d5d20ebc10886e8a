import Aggregation
import JSONLines
import Platform

/// Everything the feed knows: the value behind the lock.
struct IngestState: Sendable {
  static let eventLimit = 200
  static let rejectionLimit = 200

  private(set) var store: SeriesStore
  /// Number of times that the store was reset.
  private(set) var beginnings = 0
  /// Truncated or recreated files without a new sample so far.
  private var rewritten: Set<Int> = []
  /// True if the remaining blocks belong to a file whose contents have changed.
  private var ignoresEarlier = false
  /// Files whose data before the tail's start is to be read.
  private var wantsEarlier: Set<Int> = []
  /// Samples older by more seconds than this are not late: the file has different contents.
  private static let lateness = 5.0
  private(set) var engines = EngineRecords()
  /// Engine records from before the tail's start, newest block first; handed over once all are read.
  private var earlierEntries: [EngineKind: [[RawEngineEntry]]] = [:]
  private(set) var accounts = FileAccounts()
  private var events: [FeedEvent] = []
  private var formats: Set<ForeignFormat> = []
  private var rate = LineRate()
  private var lag: Double?
  /// The clocks of the sources that are followed, by member.
  private var clocks = SourceClocks()
  private var progress: EarlierProgress?
  /// The time and contents of the newest event about unreadable lines.
  private var rejectedTold: (time: Timestamp, lines: Int, inPart: Int, files: Set<PathKey>) = (
    .distantPast, 0, 0, []
  )
  /// The files that are left out, by folder.
  private var leftOut: [PathKey: FolderLeftOut] = [:]
  private var pollReasons: Set<PollReason> = []
  /// The first of these reasons, as text.
  private var polling: String?
  /// True if everything present at the start has been read.
  private(set) var isCaughtUp = false

  init(limits: SeriesStore.Limits) {
    store = SeriesStore(limits: limits)
  }

  var isLoaded: Bool { isCaughtUp && progress == nil }

  // MARK: The tail

  /// Adds samples of the tail.
  mutating func take(_ intake: inout MemberIntake, at now: Timestamp) {
    beginAnewIfRewritten(&intake)
    intake.collectEngines(into: &engines, arrival: isCaughtUp ? now : nil)
    formats.formUnion(intake.formats)
    let stamp = intake.newestOfOthers
    let count = intake.foldBatch(into: &store)
    clocks.note(stamp, of: intake, at: now, isLive: isCaughtUp)
    let inPart = accounts.inPart
    let rejected = accounts.change(intake.member) { account in
      account.saw(newest: intake.newest)
      return intake.account(in: &account)
    }
    // Lines present at the opening have no arrival rate.
    if isCaughtUp { rate.count(count.lines, at: now) }
    if isCaughtUp, count.samples > 0 {
      let delay = now - intake.newestOfBatch
      lag = lag.map { $0 + (delay - $0) * 0.2 } ?? delay
    }
    if rejected > 0 { tell(rejected, inPart: accounts.inPart - inPart, of: intake.member.path, at: now) }
  }

  /// Reports unreadable lines, in the previous such event if it is at most ten seconds old.
  ///
  /// This leaves space for other events, however many files have such lines.
  private mutating func tell(_ rejected: Int, inPart: Int, of path: String, at now: Timestamp) {
    let place = events.lastIndex { $0.kind == .rejected && $0.time == rejectedTold.time }
    let isNew = place == nil || now - rejectedTold.time > 10
    if isNew { rejectedTold = (now, 0, 0, []) }
    rejectedTold.lines &+= rejected
    rejectedTold.inPart &+= inPart
    rejectedTold.files.insert(PathKey(path))
    let event = FeedEvent(
      .rejected, at: rejectedTold.time, source: path,
      text: FeedFormatter.rejected(
        lines: rejectedTold.lines, inPart: rejectedTold.inPart, files: rejectedTold.files.count))
    if let place, !isNew { events[place] = event } else { note(event) }
  }

  /// Clears the samples of a rewritten file that covers the same time again; a log rotated by copy and truncation
  /// continues.
  ///
  /// With several files it is unknown which samples to clear: they stay.
  private mutating func beginAnewIfRewritten(_ intake: inout MemberIntake) {
    let index = intake.member.index
    guard rewritten.contains(index), let oldest = intake.oldestOfBatch else { return }
    rewritten.remove(index)
    guard accounts.count == 1, let newest = accounts[index]?.report.newestTime,
      newest - oldest > Self.lateness
    else { return }
    beginAnew(&intake)
    accounts.change(intake.member) { $0.forgetNewest() }
  }

  private mutating func beginAnew(_ intake: inout MemberIntake) {
    store = SeriesStore(limits: store.limits)
    (engines, earlierEntries) = (EngineRecords(), [:])
    clocks = SourceClocks()
    beginnings += 1
    ignoresEarlier = progress != nil
    intake.forgetSeries()
  }

  /// Adds files that are followed from now on.
  mutating func found(_ files: some Sequence<TailMember>) { accounts.begin(files) }

  mutating func saw(_ state: TailState, of member: TailMember, at now: Timestamp) {
    let previous = accounts[member.index]?.report.state ?? .starting
    accounts.change(member) { $0.saw(state) }
    switch state {
    case .following where previous != .starting:
      note(FeedEvent(.appeared, at: now, source: member.path, text: "is read again"))
    case .missing where previous == .following:
      note(FeedEvent(.removed, at: now, source: member.path, text: "is gone; waiting for a new one"))
    case .noPermission, .notAFile, .failing:
      let text = FeedFormatter.problem(state) ?? "cannot be read"
      note(FeedEvent(.failed, at: now, source: member.path, text: text))
    case .starting, .following, .missing, .ended:
      break
    }
  }

  /// Handles a tail that continues elsewhere; called before the intake's handler.
  mutating func saw(_ restart: TailRestart, of intake: inout MemberIntake, at now: Timestamp) {
    let member = intake.member
    let takesBack = restart.reason == .cutBack && restart.offset < intake.lineStart && progress == nil
    if takesBack, accounts.count == 1 {
      // Samples were taken back: the rest is read again.
      beginAnew(&intake)
      accounts.change(member) { $0 = FileAccount(name: member.path) }
      wantsEarlier.insert(member.index)
    }
    if restart.reason == .began { wantsEarlier.insert(member.index) }
    accounts.change(member) { $0.saw(restart) }
    if [.truncated, .recreated].contains(restart.reason) { rewritten.insert(member.index) }
    guard let event = FeedFormatter.event(restart) else { return }
    note(FeedEvent(event.kind, at: now, source: member.path, text: event.text))
  }

  mutating func saw(_ gap: TailGap, of member: TailMember, at now: Timestamp) {
    accounts.change(member) { $0.saw(gap) }
    note(FeedEvent(.gap, at: now, source: member.path, text: FeedFormatter.text(gap)))
  }

  /// A file is looked at by size and time from now on; the first one of each reason is an event.
  mutating func saw(_ reason: PollReason, every seconds: Double, of member: TailMember, at now: Timestamp) {
    let text = FeedFormatter.polling(reason, every: seconds)
    accounts.change(member) { $0.saw(polling: text) }
    guard pollReasons.insert(reason).inserted else { return }
    polling = polling ?? text
    note(FeedEvent(.noted, at: now, source: member.path, text: text))
  }

  /// Files of followed folders are left out.
  mutating func saw(_ folders: [FolderLeftOut], at now: Timestamp) {
    for folder in folders where leftOut[PathKey(folder.folder)] != folder {
      leftOut[PathKey(folder.folder)] = folder
      guard let text = FeedFormatter.leftOut(folder) else { continue }
      // One event for each folder, however often its contents change.
      events.removeAll { $0.kind == .noted && PathKey($0.source) == PathKey(folder.folder) }
      note(FeedEvent(.noted, at: now, source: folder.folder, text: text))
    }
  }

  mutating func lost(_ text: String, of path: String, at now: Timestamp) {
    note(FeedEvent(.gap, at: now, source: path, text: text))
  }

  /// Marks everything present at the start as read; returns whether that is new.
  mutating func caughtUp() -> Bool {
    defer { isCaughtUp = true }
    return !isCaughtUp
  }

  /// Arrival minus stamp of the series of sources with another clock.
  var seriesSkews: [SeriesID: Double] { clocks.seriesSkews }

  private mutating func note(_ event: FeedEvent) {
    events.append(event)
    events.removeFirst(max(0, events.count - Self.eventLimit))
  }

  // MARK: Earlier data

  /// True if data before the tail's start is to be read; clears the request.
  mutating func takesEarlier(of member: TailMember) -> Bool { wantsEarlier.remove(member.index) != nil }

  mutating func willRead(_ blocks: [Range<UInt64>], of member: TailMember, at now: Timestamp) {
    accounts.change(member) { $0.willRead(blocks: blocks.count) }
    let bytes = blocks.reduce(0) { $0 + Double($1.count) }
    if progress == nil { progress = EarlierProgress(startedAt: now) }
    progress?.total += bytes
  }

  mutating func readEarlier(_ block: EarlierBlock, of member: TailMember, at now: Timestamp) {
    if !ignoresEarlier { merge(block) }
    accounts.change(member) { account in
      account.readEarlier(block.range, lines: block.lines, rejected: block.rejections)
      if !ignoresEarlier { account.saw(newest: block.newest) }
    }
    if block.missing > 0 { saw(TailGap(reason: .truncated, bytes: block.missing), of: member, at: now) }
    progress?.done += Double(block.range.count)
    if let current = progress, current.done >= current.total {
      (progress, ignoresEarlier) = (nil, false)
      for (kind, pieces) in earlierEntries { engines[kind].prepend(Array(pieces.reversed().joined())) }
      earlierEntries = [:]
    }
  }

  private mutating func merge(_ block: EarlierBlock) {
    store.merge(older: block.store)
    formats.formUnion(block.formats)
    for (kind, entries) in block.engines {
      let known = earlierEntries[kind, default: []].reduce(0) { $0 + $1.count }
      if !entries.isEmpty, known < EngineEntries.limit { earlierEntries[kind, default: []].append(entries) }
    }
  }

  // MARK: Status

  func status(sources: [String], at now: Timestamp) -> FeedStatus {
    var status = FeedStatus()
    status.sources = accounts.count == 0 ? sources : accounts.names
    status.progress = progress.map { $0.report(at: now) }
    status.linesPerSecond = rate.perSecond(at: now)
    status.lag = lag
    (status.skews, status.hasPunctualSource) = clocks.report(at: now)
    status.formats = formats.sorted { $0.rawValue < $1.rawValue }
    status.rejected = accounts.rejected
    status.inPart = accounts.inPart
    status.rejections = rejections()
    status.events = events
    status.problem = accounts.firstWithProblem.flatMap {
      FeedFormatter.problem(
        $0.state, of: FileNames(accounts.names).short($0.name), count: accounts.unreadCount)
    }
    if status.problem == nil, accounts.count == 0, let folder = leftOut.values.first {
      status.problem = FeedFormatter.leftOut(folder).map { "\(PathParts.end(of: folder.folder)) \($0)" }
    }
    status.polling = polling
    status.unreadFiles = accounts.unreadCount
    status.isLoaded = isLoaded
    status.isCaughtUp = isCaughtUp
    status.isFollowing = accounts.isFollowing
    return status
  }

  private func rejections() -> [FeedRejection] {
    let all = accounts.rejecting.flatMap { account in
      account.rejections(limit: Self.rejectionLimit).map { rejection, line in
        FeedRejection(
          source: account.report.name, line: line, offset: rejection.offset, reason: rejection.reason.text,
          excerpt: rejection.excerpt)
      }
    }
    return all.suffix(Self.rejectionLimit)
  }
}

/// Progress of the reading of earlier data.
struct EarlierProgress: Sendable {
  let startedAt: Timestamp
  var done = 0.0
  var total = 0.0

  init(startedAt: Timestamp) {
    self.startedAt = startedAt
  }

  func report(at now: Timestamp) -> FeedProgress {
    let time = now - startedAt
    return FeedProgress(done: done, total: total, perSecond: time > 0.05 && done > 0 ? done / time : nil)
  }
}

/// Lines per second over the last five seconds.
struct LineRate: Sendable {
  private var bins: [(second: Int, lines: Int)] = []

  mutating func count(_ lines: Int, at now: Timestamp) {
    let second = Int(now.seconds.rounded(.down))
    if bins.last?.second == second, let last = bins.indices.last {
      bins[last].lines += lines
    } else {
      bins.append((second, lines))
      bins.removeFirst(max(0, bins.count - 6))
    }
  }

  func perSecond(at now: Timestamp) -> Double {
    let recent = bins.filter { Double($0.second) > now.seconds - 6 }
    guard let first = recent.first else { return 0 }
    let time = max(1, min(5, now.seconds - Double(first.second)))
    return Double(recent.reduce(0) { $0 + $1.lines }) / time
  }
}
