import Essentials
import SimulationKit
import Sync

/// The course read from the entries of a record: the calls of the engine with their answers, and the acts on it.
struct RecordedCourse {
  /// One change in a request, and what became of it.
  struct Item {
    let id: String
    let entity: EntityKey
    let operation: Mutation.Operation
    /// The failure that this one was answered with.
    var verdict: SyncError?
    var isTaken = false
  }

  /// One call, in seconds since 2001.
  struct Call {
    let sort: SimulatedCall
    let run: Int
    let start: Double
    var end: Double
    /// The failure of the call as a whole.
    var failure: SyncError?
    /// The items sent by a push.
    var items: [Item] = []
    /// True if the server has done what it was asked although it was not heard of.
    var isCarriedOut = false
    /// True if a page was not the last one.
    var hasMore = false
    /// True if it was cancelled before it was answered.
    var isCutShort = false
    /// True if it asks for a cursor to skip to.
    var isSkip = false
    /// True if the device slept meanwhile, so that no one knows how long it took.
    var isAsleep = false
  }

  /// Something that was done to the engine.
  struct Act {
    /// When, in seconds since 2001.
    let time: Double
    var act: SimulationAct
    /// When the decision before it was made.
    var decided: Double?
  }

  /// Calls in order of their starts.
  private(set) var calls: [Call] = []
  /// Acts on the engine, in order.
  private(set) var acts: [Act] = []
  /// By kind, the kind that its entities were seen to wait for.
  private(set) var owners: [String: String] = [:]
  /// A time in which something was due and nothing happened, in seconds since 2001.
  struct Sleep {
    let start: Double
    let end: Double
    /// When a run was due because of what was queued; `nil` for none.
    let queueDue: Double?
  }

  /// When the device slept.
  private(set) var sleeps: [Sleep] = []
  /// Assumptions beyond the record, a sentence each.
  private(set) var assumptions: [String] = []
  /// The decisions, in order.
  private(set) var decisions: [(time: Double, transition: SyncTransition)] = []
  /// True if the first run that came so far fetched everything.
  private(set) var beginsEmpty: Bool?
  /// The first constants.
  private(set) var configuration: SyncConfiguration?

  private var open: Call?
  /// The failures that the answer to a push brought, for the changes that the record names next.
  private var verdicts: [SyncError] = []
  private var isAnswered = false
  private var waiting: Set<String> = []
  /// By the kind and the id of an entity, the id of the one that it was seen to wait for.
  private var entityOwners: [EntityKey: String] = [:]
  private var isOnline = true
  private var run = 0
  private var isLimited = false
  /// How long a cursor is asked for, in seconds: the shortest time that there is.
  private static let skipTime = 0.002
  private var awaitedResyncs = 0
  /// A gap that may have been a sleep.
  private var gap: Sleep?
  /// When a run was due because of what was queued.
  private var due: Double?
  /// When the last entry was made.
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

  /// Takes note of what is assumed of a moment.
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

  /// Another engine: the app was started again, and what was on its way then was not answered any more.
  private mutating func takeRestart(at time: Double) {
    due = nil
    assume(
      "the app restarted; requests in flight are taken to be unanswered", from: lastTime, to: time
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
      // Deletions caused by that clearing are no acts of their own.
      acts.removeAll { $0.time == time && $0.act.isDelete }
      add(.clearPending, at: time)
    case .resyncForced: takeResync(transition, at: time)
    case .cursorSkipped:
      // The cursor is asked for at once, and its answer is the decision.
      add(.skipToLatest, at: time - Self.skipTime)
      var call = Call(sort: .bootstrap, run: run, start: time - Self.skipTime, end: time)
      call.isSkip = true
      calls.append(call)
    default: add(.resetStore, at: time)
    }
  }

  /// One that was asked for during a run comes again by itself when that is over.
  private mutating func takeResync(_ transition: SyncTransition, at time: Double) {
    if awaitedResyncs > 0, decisions.last?.time == time {
      if transition.rule == "18" { awaitedResyncs -= 1 }
      return
    }
    if transition.rule == "18a" { awaitedResyncs += 1 }
    add(.forceResync, at: time)
  }

  /// The network went at the latest before a decision that knows of it, and at the earliest after the one before.
  private mutating func noteNetwork(_ transition: SyncTransition, at time: Double) {
    let isReturn = transition.event == SyncEvent.Kind.networkReturned.rawValue
    guard isOnline, transition.online == false || isReturn else { return }
    isOnline = false
    assume(
      "the network is taken to have gone after the last decision that had one",
      from: decisions.last?.time ?? time)
    add(.fault(FaultSetting(.offline)), at: (decisions.last?.time).map { $0 + 0.001 } ?? time)
  }

  /// Due work was passed, and nothing happened: the device was asleep, or the app was stopped.
  private mutating func noteGap(before time: Double) {
    // One that is over without a decision found nothing to ask for.
    defer { if let due, due < time { self.due = nil } }
    guard gap == nil, time > lastTime + 2, lastTime > 0 else { return }
    let timeout = (configuration ?? SyncConfiguration()).callDeadline / .seconds(1)
    let isHeld = waiting.isEmpty || isLimited || decisions.last?.transition.floor != nil
    let queue = isHeld ? nil : due
    let moments = [queue, decisions.last?.transition.nextTry, open.map { $0.start + timeout }].compactMap(
      \.self)
    guard isOnline, let missed = moments.min(), missed < time - 2 else { return }
    gap = Sleep(start: lastTime + 0.001, end: time, queueDue: queue)
  }

  /// The next decision comes with a network: it was no lack of that.
  private mutating func noteSleep() {
    guard isOnline, let gap else { return }
    let length = Duration(recorded: gap.end - gap.start)
    let sleep = Act(time: gap.start, act: .leap(length), decided: decisions.last?.time)
    acts.insert(sleep, at: acts.firstIndex { $0.time >= gap.end } ?? acts.endIndex)
    sleeps.append(gap)
    assume(
      "something was due and nothing happened: the device is taken to have slept", from: gap.start,
      to: gap.end)
    // How long the answer took is not known.
    open?.isAsleep = true
  }

  // MARK: Calls

  private mutating func begin(_ sort: SimulatedCall, at time: Double) {
    close(at: time)
    open = Call(sort: sort, run: run, start: time, end: time)
  }

  /// The first that is heard of an answer.
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

  /// The call was not answered any more: it would have taken longer.
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
    case .queued: takeQueued(mutation, operation, entity, item, at: time)
    case .cleared: takeCleared(mutation, operation, entity, at: time, in: entries, place)
    }
  }

  /// A change that no one answered was on the server after all.
  private mutating func noteCarriedOut(_ id: String, at time: Double) {
    let place = calls.lastIndex { call in call.items.contains { $0.id == id } }
    guard let place else { return }
    if calls[place].isCutShort {
      // It was answered after all, when no one waited any more.
      (calls[place].end, calls[place].isCutShort, calls[place].failure) = (time, false, nil)
    } else if calls[place].failure != nil {
      calls[place].isCarriedOut = true
    }
  }

  /// Others had changed the same, as a page said.
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

  /// True if what is recorded at a moment came with a page.
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
    // The engine does that again by itself.
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

  /// A change goes because a delete makes it pointless; where that delete is queued itself, it is told there.
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

  /// Gives those their owners that were seen to wait for them.
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
  /// The failure, with the wait that the server asked for where the breaker tells of it.
  fileprivate var limited: SyncError? {
    guard let error, error.code == .rateLimited, let retryAfter, retryAfter > 0 else { return error }
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
