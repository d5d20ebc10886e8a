import Essentials
import SimulationKit
import Sync

/// The sequence of events in a record: the engine's calls with their answers, and the acts on it.
struct RecordedCourse {
  /// One change in a request, and its outcome.
  struct Item {
    let id: String
    let entity: EntityKey
    let operation: Mutation.Operation
    /// The failure that the item was answered with.
    var verdict: SyncError?
    var isTaken = false
  }

  /// One call; times in seconds since 2001.
  struct Call {
    let sort: SimulatedCall
    let run: Int
    let start: Double
    var end: Double
    /// The failure of the call as a whole.
    var failure: SyncError?
    /// The items of a push.
    var items: [Item] = []
    /// True if the server executed the request although the engine did not learn of it.
    var isCarriedOut = false
    /// True if the page was not the last one.
    var hasMore = false
    /// True if the call was cancelled before it was answered.
    var isCutShort = false
    /// True if the call requests a cursor to skip to.
    var isSkip = false
    /// True if the device slept during the call, so that its duration is unknown.
    var isAsleep = false
  }

  /// An act on the engine.
  struct Act {
    /// Time of the act, in seconds since 2001.
    let time: Double
    var act: SimulationAct
    /// Time of the decision before it.
    var decided: Double?
  }

  /// The calls, ordered by start.
  private(set) var calls: [Call] = []
  /// The acts on the engine, in order.
  private(set) var acts: [Act] = []
  /// Owner kinds by kind, as seen when entities waited for their owner.
  private(set) var owners: [String: String] = [:]
  /// A time during which due events did not happen, in seconds since 2001.
  struct Sleep {
    let start: Double
    let end: Double
    /// Time at which a run for queued changes was due; `nil` if none was.
    let queueDue: Double?
  }

  /// The times when the device slept.
  private(set) var sleeps: [Sleep] = []
  /// Assumptions beyond the record, one sentence each.
  private(set) var assumptions: [String] = []
  /// The decisions, in order.
  private(set) var decisions: [(time: Double, transition: SyncTransition)] = []
  /// True if the first run to get past the push was a bootstrap; `nil` if none did.
  private(set) var beginsEmpty: Bool?
  /// The first constants.
  private(set) var configuration: SyncConfiguration?

  private var open: Call?
  /// Failures from the answer to a push, for the changes that the record names next.
  private var verdicts: [SyncError] = []
  private var isAnswered = false
  private var waiting: Set<String> = []
  /// Owner ids by entity, as seen when entities waited for their owner.
  private var entityOwners: [EntityKey: String] = [:]
  private var isOnline = true
  private var run = 0
  private var isLimited = false
  /// Assumed duration of a cursor request in seconds: the shortest possible one.
  private static let skipTime = 0.002
  private var awaitedResyncs = 0
  /// A gap that may be a sleep.
  private var gap: Sleep?
  /// Time at which a run for queued changes is due.
  private var due: Double?
  /// Time of the last entry.
  private var lastTime = 0.0

  init(_ entries: ArraySlice<RecordedEntry>) {
    for (place, entry) in zip(entries.indices, entries) {
      noteGap(before: entry.time)
      defer { lastTime = entry.time }
      switch entry.value {
      case .transition(let transition): take(transition, at: entry.time)
      case .mutation(let mutation):
        take(mutation, at: entry.time, in: entries, place)
      case .configuration(let new):
        if configuration == nil, decisions.isEmpty {
          configuration = new
        } else if new != configuration {
          add(.configure(new), at: entry.time)
        }
      case .conflict(let conflict): take(conflict, at: entry.time, behind: entries[(place + 1)...])
      case .breaker(let breaker): isLimited = breaker.state != "closed"
      }
    }
    close(at: entries.last?.time ?? 0)
    addOwners()
  }

  /// Adds an assumption about a moment or a period.
  private mutating func assume(_ text: String, from time: Double, to end: Double? = nil) {
    let moments = [time, end].compactMap(\.self).map { time in
      ScenarioMoment.text(ScenarioMoment.nearest(to: time))
    }
    assumptions.append("\(moments.joined(separator: " to ")): \(text)")
  }

  private mutating func add(_ act: SimulationAct, at time: Double) {
    acts.append(Act(time: time, act: act, decided: decisions.last?.time))
  }

  // MARK: Decisions

  private mutating func take(_ transition: SyncTransition, at time: Double) {
    noteNetwork(transition, at: time)
    if let last = decisions.last?.transition, transition.sequence <= last.sequence {
      takeRestart(at: time)
    } else {
      noteSleep()
    }
    gap = nil
    defer { decisions.append((time, transition)) }
    guard let event = SyncEvent.Kind(rawValue: transition.event) else { return }
    switch event {
    case .syncRequested: takeRequest(transition, at: time)
    case .probeSucceeded:
      close(at: time)
    case .probeFailed where transition.isCancelled, .pushInterrupted where transition.isCancelled:
      cutShort(at: time)
    case .probeFailed, .rateLimited, .pushInterrupted, .batchFailed:
      answer(at: time)
      if open?.items.contains(where: { $0.isTaken || $0.verdict != nil }) != true {
        open?.failure = transition.limited
      }
      if event != .batchFailed || open == nil { close(at: time) }
    case .pushFailed, .pushConflicted:
      answer(at: time)
      if let error = transition.error { verdicts.append(error) }
    case .pushAcknowledged: answer(at: time)
    case .pushDuplicated: takeDuplicate(at: time)
    case .pushFinished:
      close(at: time)
      let isBootstrap = transition.phase == SyncStateMachine.ActiveRun.Phase.bootstrapping.rawValue
      if beginsEmpty == nil { beginsEmpty = isBootstrap }
      begin(isBootstrap ? .bootstrap : .pull, at: time)
    case .pageApplied:
      open?.hasMore = transition.rule == "12a"
      close(at: time)
      if transition.rule == "12a" { begin(.pull, at: time) }
    case .bootstrapApplied: close(at: time)
    case .runFailed: takeFailure(transition, at: time)
    case .runCancelled: takeCancellation(at: time)
    case .backoffElapsed, .retryElapsed: break
    case .networkReturned, .breakerReset, .pendingCleared, .resyncForced, .cursorSkipped, .storeReset:
      takeCommand(event, transition, at: time)
    }
  }

  private mutating func takeFailure(_ transition: SyncTransition, at time: Double) {
    if open.map({ $0.sort != .pull && $0.sort != .bootstrap }) ?? true {
      assume("a run failed, which no answer of a server does: \(transition.reason ?? "")", from: time)
    }
    open?.failure = transition.error
    if transition.reason?.contains("the run took longer") == true { open?.failure = nil }
    close(at: time)
    if transition.rule == "14a" { begin(.bootstrap, at: time) }
  }

  private mutating func takeCancellation(at time: Double) {
    let isReset = decisions.last.map { $0.time == time && $0.transition.event == "storeReset" } ?? false
    if !isReset { assume("a run was cancelled, and the scenario does not say by whom", from: time) }
    cutShort(at: time)
  }

  /// A new engine: the app restarted, and the call in flight was never answered.
  private mutating func takeRestart(at time: Double) {
    due = nil
    assume(
      "the app restarted; assumed: requests in flight were not answered", from: lastTime, to: time
    )
    guard var call = open else { return add(.powerCut, at: lastTime + 0.001) }
    add(.powerCut, at: time - 0.001)
    if !isAnswered { (call.failure, call.end) = (SyncError(.timeout), time + 1) }
    calls.append(call)
    (open, isAnswered, verdicts) = (nil, false, [])
  }

  private mutating func takeRequest(_ transition: SyncTransition, at time: Double) {
    if !transition.refused || transition.trigger == SyncTrigger.queue.rawValue { due = nil }
    let isApp = transition.trigger == nil || transition.trigger == SyncTrigger.app.rawValue
    let follows = decisions.last.map { $0.time == time && $0.transition.event == "resyncForced" } ?? false
    if isApp, !follows { add(.requestSync, at: time) }
    guard !transition.refused else { return }
    run += 1
    begin(.probe, at: time)
  }

  private mutating func takeCommand(_ event: SyncEvent.Kind, _ transition: SyncTransition, at time: Double) {
    switch event {
    case .networkReturned:
      add(.fault(FaultSetting(.offline, isOn: false)), at: time)
      isOnline = true
    case .breakerReset: add(.resetBreaker, at: time)
    case .pendingCleared:
      // Deletes caused by the clearing are not separate acts.
      acts.removeAll { $0.time == time && $0.act.isDelete }
      add(.clearPending, at: time)
    case .resyncForced: takeResync(transition, at: time)
    case .cursorSkipped:
      // The cursor is requested immediately, and its answer is the decision.
      add(.skipToLatest, at: time - Self.skipTime)
      var call = Call(sort: .bootstrap, run: run, start: time - Self.skipTime, end: time)
      call.isSkip = true
      calls.append(call)
    default: add(.resetStore, at: time)
    }
  }

  /// A resync requested during a run repeats by itself when the run is over.
  private mutating func takeResync(_ transition: SyncTransition, at time: Double) {
    if awaitedResyncs > 0, decisions.last?.time == time {
      if transition.rule == "18" { awaitedResyncs -= 1 }
      return
    }
    if transition.rule == "18a" { awaitedResyncs += 1 }
    add(.forceResync, at: time)
  }

  /// The network was lost after the previous decision and before the first one that knows of the loss.
  private mutating func noteNetwork(_ transition: SyncTransition, at time: Double) {
    let isReturn = transition.event == SyncEvent.Kind.networkReturned.rawValue
    guard isOnline, transition.online == false || isReturn else { return }
    isOnline = false
    assume(
      "assumed: the network failed after the last online decision",
      from: decisions.last?.time ?? time)
    add(.fault(FaultSetting(.offline)), at: (decisions.last?.time).map { $0 + 0.001 } ?? time)
  }

  /// Due work was skipped: the device was asleep, or the app was not running.
  private mutating func noteGap(before time: Double) {
    // A due time that passes without a decision had nothing to request.
    defer { if let due, due < time { self.due = nil } }
    guard gap == nil, time > lastTime + 2, lastTime > 0 else { return }
    let timeout = (configuration ?? SyncConfiguration()).callDeadline / .seconds(1)
    let isHeld = waiting.isEmpty || isLimited || decisions.last?.transition.floor != nil
    let queue = isHeld ? nil : due
    let next = decisions.last.flatMap { $0.transition.nextTry ?? $0.transition.wake }
    let moments = [queue, next, open.map { $0.start + timeout }].compactMap(\.self)
    guard isOnline, let missed = moments.min(), missed < time - 2 else { return }
    // A timer whose run is refused leaves no record: it fired before the device slept.
    let refused = decisions.last?.transition.wake.flatMap { $0 < missed ? $0 : nil }
    gap = Sleep(start: max(lastTime, refused ?? lastTime) + 0.001, end: time, queueDue: queue)
  }

  /// The next decision has a network, so the gap was not an outage.
  private mutating func noteSleep() {
    guard isOnline, let gap else { return }
    let length = Duration(recorded: gap.end - gap.start)
    let sleep = Act(time: gap.start, act: .leap(length), decided: decisions.last?.time)
    acts.insert(sleep, at: acts.firstIndex { $0.time >= gap.end } ?? acts.endIndex)
    sleeps.append(gap)
    assume(
      "something was due and nothing happened; assumed: the device slept", from: gap.start,
      to: gap.end)
    // The duration of the answer is unknown.
    open?.isAsleep = true
  }

  // MARK: Calls

  private mutating func begin(_ sort: SimulatedCall, at time: Double) {
    close(at: time)
    open = Call(sort: sort, run: run, start: time, end: time)
  }

  /// Marks the first sign of an answer.
  private mutating func answer(at time: Double) {
    guard !isAnswered else { return }
    isAnswered = true
    open?.end = time
  }

  private mutating func close(at time: Double) {
    guard var call = open else { return }
    if !isAnswered { call.end = time }
    calls.append(call)
    (open, isAnswered, verdicts) = (nil, false, [])
  }

  /// Ends a call without an answer: it would have taken longer.
  private mutating func cutShort(at time: Double) {
    guard !isAnswered else { return close(at: time) }
    open?.isCutShort = true
    if open?.sort == .push { open?.failure = SyncError(.timeout) }
    close(at: time)
  }

  private mutating func takeDuplicate(at time: Double) {
    answer(at: time)
    guard
      let place = open?.items.lastIndex(where: { $0.isTaken && $0.operation == .create && $0.verdict == nil })
    else { return }
    open?.items[place].verdict = SyncError(.duplicate, status: 409)
  }

  // MARK: Changes

  private mutating func take(
    _ mutation: SyncMutation, at time: Double, in entries: ArraySlice<RecordedEntry>, _ place: Int
  ) {
    guard let operation = Mutation.Operation(rawValue: mutation.operation) else { return }
    let entity = EntityKey(kind: mutation.kind, id: mutation.entity)
    let item = open?.items.firstIndex { $0.id == mutation.id }
    switch mutation.state {
    case .sent:
      if open?.sort != .push || isAnswered || open?.start != time { begin(.push, at: time) }
      open?.items.append(Item(id: mutation.id, entity: entity, operation: operation))
    case .acknowledged:
      if let item {
        answer(at: time)
        open?.items[item].isTaken = true
      } else {
        noteCarriedOut(mutation.id, at: time)
      }
      waiting.remove(mutation.id)
    case .dead:
      if let item { takeVerdict(item, at: time) }
      waiting.remove(mutation.id)
    case .superseded, .erased: waiting.remove(mutation.id)
    case .queued: takeQueued(mutation, operation, entity, item, at: time)
    case .cleared: takeCleared(mutation, operation, entity, at: time, in: entries, place)
    }
  }

  /// An unanswered change turns out to have reached the server.
  private mutating func noteCarriedOut(_ id: String, at time: Double) {
    let place = calls.lastIndex { call in call.items.contains { $0.id == id } }
    guard let place else { return }
    if calls[place].isCutShort {
      // The answer came after all, when it was no longer awaited.
      (calls[place].end, calls[place].isCutShort, calls[place].failure) = (time, false, nil)
    } else if calls[place].failure != nil {
      calls[place].isCarriedOut = true
    }
  }

  /// A page showed that others had changed the same entity.
  private mutating func take(
    _ conflict: SyncConflictRecord, at time: Double, behind: ArraySlice<RecordedEntry>
  ) {
    if conflict.resolution == "merge" {
      assume(
        "two edits of \(conflict.kind) \(conflict.entity) were merged; the scenario keeps the local one",
        from: time)
    }
    guard Self.isOfPage(behind, at: time) else { return }
    let operation: Mutation.Operation = conflict.cause == "remoteDelete" ? .delete : .update
    let change = SimulatedChange(
      operation, kind: conflict.kind, id: conflict.entity, localWins: conflict.resolution != "takeRemote")
    add(.remoteChange(change), at: time)
  }

  /// True if the entries of a moment came with a page.
  private static func isOfPage(_ behind: ArraySlice<RecordedEntry>, at time: Double) -> Bool {
    behind.prefix { $0.time == time }.contains {
      ["pageApplied", "bootstrapApplied"].contains($0.transition?.event)
    }
  }

  private mutating func takeVerdict(_ item: Int, at time: Double) {
    answer(at: time)
    if !verdicts.isEmpty { open?.items[item].verdict = verdicts.removeFirst() }
  }

  private mutating func takeQueued(
    _ mutation: SyncMutation, _ operation: Mutation.Operation, _ entity: EntityKey, _ item: Int?,
    at time: Double
  ) {
    // The engine repeats this by itself.
    if mutation.rewritten == true { return }
    if let parent = mutation.waitsFor {
      let words = parent.split(separator: " ", maxSplits: 1).map(String.init)
      guard words.count == 2 else { return }
      owners[entity.kind] = words[0]
      entityOwners[entity] = words[1]
      return
    }
    if let item, isAnswered, !verdicts.isEmpty { return takeVerdict(item, at: time) }
    let settings = configuration ?? SyncConfiguration()
    if !isLimited, decisions.last?.transition.floor == nil, let delay = settings.queueDelay {
      due = due ?? time + delay / .seconds(1)
    }
    let isNew = waiting.insert(mutation.id).inserted
    let change = isNew ? operation : operation == .create ? .update : operation
    add(.change(SimulatedChange(change, kind: entity.kind, id: entity.id)), at: time)
  }

  /// A change was cleared because a delete made it pointless; if that delete is queued itself, it is handled there.
  private mutating func takeCleared(
    _ mutation: SyncMutation, _ operation: Mutation.Operation, _ entity: EntityKey, at time: Double,
    in entries: ArraySlice<RecordedEntry>, _ place: Int
  ) {
    waiting.remove(mutation.id)
    let behind = entries[(place + 1)...].prefix { $0.time == time }
    if Self.isOfPage(behind, at: time) { return }
    let isTold = behind.contains { next in
      guard case .mutation(let other) = next.value else { return false }
      return other.entity == mutation.entity && other.kind == mutation.kind
    }
    if !isTold { add(.change(SimulatedChange(.delete, kind: entity.kind, id: entity.id)), at: time) }
  }

  /// Sets the owners of creates that were seen to wait for them.
  private mutating func addOwners() {
    for place in acts.indices {
      guard case .change(let change) = acts[place].act, change.operation == .create, let id = change.id,
        let owner = entityOwners[EntityKey(kind: change.kind, id: id)]
      else { continue }
      acts[place].act = .change(SimulatedChange(.create, kind: change.kind, id: id, owner: owner))
    }
  }
}

extension SyncTransition {
  /// The failure, including the wait requested by the server if the breaker shows it.
  ///
  /// Records with the network's state also tell that wait from the breaker's own.
  fileprivate var limited: SyncError? {
    guard let error, error.code == .rateLimited, let retryAfter, retryAfter > 0, limit != nil || online == nil
    else { return error }
    return SyncError(
      error.code, status: error.status, detail: error.detail,
      retryAfter: Duration(recorded: retryAfter))
  }
}

extension SyncTransition {
  fileprivate var isCancelled: Bool { failure == SyncError.Code.cancelled.rawValue }
}

extension SimulationAct {
  fileprivate var isDelete: Bool {
    if case .change(let change) = self { change.operation == .delete } else { false }
  }
}
