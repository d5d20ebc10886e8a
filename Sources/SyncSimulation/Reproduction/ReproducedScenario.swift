import Essentials
import Resilience
import SimulationKit
import Sync

/// Converts a recorded course into a scenario.
struct ReproducedScenario {
  private let course: RecordedCourse
  private let part: RecordedPart
  /// Maximum deviation of a call's duration from the recorded one, in seconds.
  private let tolerance: Double
  /// The start, in seconds since 2001.
  private let start: Double
  /// The kinds, ordered by when their creates were sent.
  private let domain: SyncDomain
  private var configuration: SyncConfiguration {
    course.configuration ?? part.configuration ?? SyncConfiguration()
  }

  init(_ course: RecordedCourse, _ part: RecordedPart, tolerance: Double) {
    self.course = course
    self.part = part
    self.tolerance = tolerance
    let first = ScenarioMoment.nearest(to: part.entries.first?.time ?? 0).timeIntervalSinceReferenceDate
    start = (first * 1000).rounded(.down) / 1000
    domain = Self.domain(of: course)
  }

  func scenario(name: String, until end: Double) -> Scenario {
    let date = Date(timeIntervalSinceReferenceDate: start)
    let length = Swift.max(end, course.decisions.last?.time ?? end) - start
    var scenario = Scenario(
      name: name, title: "As recorded from \(ScenarioMoment.text(date)) on",
      story:
        "What an engine has recorded, as acts: its changes, what it was asked, and how its calls were answered.",
      seed: 1, start: date, duration: moment(start + length) + Self.leeway)
    scenario.configuration = configuration
    scenario.isSettled = course.beginsEmpty != true
    scenario.domain = domain
    scenario.content = content
    scenario.chance = chance
    let acts = answers + timedActs
    scenario.acts = acts.inOrder()
    scenario.expectedFrom = max(.zero, moment(part.from))
    return scenario
  }

  /// Maximum delay of the last decision compared with the record.
  ///
  /// Start, act and answer are each rounded to milliseconds, and acts at the same time come one after the other.
  private static let leeway = Duration.milliseconds(10)

  private func moment(_ time: Double) -> Duration {
    Duration(recorded: time - start)
  }

  private var timedActs: [TimedAct] {
    course.acts.map { act in
      if let due = dueInSleep(act) { return TimedAct(at: due, act.act) }
      var moment = moment(of: act)
      // Acts come first at any given time, so an act after a decision is moved to the next millisecond.
      if let decided = act.decided, decided <= act.time, self.moment(decided) >= moment {
        moment = self.moment(decided) + .milliseconds(1)
      }
      if case .leap = act.act, let sleep = course.sleeps.first(where: { $0.start == act.time }) {
        return TimedAct(at: moment, .leap(max(.zero, self.moment(sleep.end) - moment)))
      }
      return TimedAct(at: moment, act.act)
    }
  }

  /// Due time of an act right after a sleep, in the order in which the engine's timers were due.
  private func dueInSleep(_ act: RecordedCourse.Act) -> Duration? {
    guard let sleep = course.sleeps.first(where: { abs($0.end - act.time) < 0.0005 }) else { return nil }
    guard let decided = act.decided, decided >= sleep.end - 0.0005 else {
      return moment(sleep.start) + .milliseconds(1)
    }
    // The act is not the last event at that time: a run for queued changes comes after it.
    let last = course.decisions.last { abs($0.time - sleep.end) < 0.0005 }
    guard last?.transition.trigger == SyncTrigger.queue.rawValue, let due = sleep.queueDue else { return nil }
    return moment(due) - .milliseconds(1)
  }

  /// Time of an act; changes by others come before the request for the page that showed them.
  private func moment(of act: RecordedCourse.Act) -> Duration {
    guard case .remoteChange = act.act,
      let place = course.calls.lastIndex(where: {
        $0.start < act.time && [.pull, .bootstrap].contains($0.sort)
      })
    else { return moment(act.time) }
    return moment(switching(before: place))
  }

  // MARK: Setup

  private static func domain(of course: RecordedCourse) -> SyncDomain {
    var names: [String] = []
    func add(_ kind: String) { if !names.contains(kind) { names.append(kind) } }
    for call in course.calls { for item in call.items { add(item.entity.kind) } }
    for act in course.acts {
      switch act.act {
      case .change(let change), .remoteChange(let change): add(change.kind)
      default: break
      }
    }
    for owner in course.owners.values.sorted() { add(owner) }
    guard !names.isEmpty else { return .sample }
    let order = inOrder(names, of: course)
    return SyncDomain(
      kinds: order.enumerated().map { place, name in
        let batches = batches(of: name, in: course)
        return EntityKind(
          name: name, rank: place, batchSize: batches.size,
          batched: batches.operations.isEmpty ? [.create] : batches.operations,
          link: course.owners[name].map { .init(member: EntityKind.ownerMember, kind: $0) })
      })
  }

  /// The kinds, each after those that were seen to be sent before it.
  private static func inOrder(_ names: [String], of course: RecordedCourse) -> [String] {
    var (rest, order) = (names.sorted(), [String]())
    while !rest.isEmpty {
      let place =
        rest.firstIndex { name in !rest.contains { $0 != name && isBefore($0, name, in: course) } } ?? 0
      order.append(rest.remove(at: place))
    }
    return order
  }

  /// True if changes of one kind were sent before those of another in a run with both.
  private static func isBefore(_ one: String, _ other: String, in course: RecordedCourse) -> Bool {
    if course.owners[other] == one { return true }
    if course.owners[one] == other { return false }
    for operation in Mutation.Operation.allCases {
      var last: (run: Int, kind: String)?
      for call in course.calls {
        guard let item = call.items.first, item.operation == operation,
          [one, other].contains(item.entity.kind)
        else { continue }
        if let last, last.run == call.run, last.kind != item.entity.kind {
          return (last.kind == one) != (operation == .delete)
        }
        last = (call.run, item.entity.kind)
      }
    }
    return false
  }

  /// The batch size of a kind and the batched operations, as far as the record shows.
  private static func batches(of kind: String, in course: RecordedCourse) -> (
    size: Int, operations: Set<Mutation.Operation>
  ) {
    let requests = course.calls.filter { $0.items.first?.entity.kind == kind }
    let size = requests.map(\.items.count).max() ?? 1
    guard size > 1 else { return (1, []) }
    // A full batch followed by another one of the same type shows that there was no room for more.
    let isLimit = zip(course.calls, course.calls.dropFirst()).contains { one, next in
      one.items.count == size && one.run == next.run && one.items.first?.entity.kind == kind
        && next.items.first?.entity.kind == kind && one.items.first?.operation == next.items.first?.operation
    }
    let operations = requests.filter { $0.items.count > 1 }.compactMap(\.items.first?.operation)
    return (isLimit ? size : max(size, 50), Set(operations))
  }

  /// The initial server content that the acts require.
  private var content: [Scenario.Content] {
    var made: Set<EntityKey> = []
    var needed: [String: [String]] = [:]
    for act in course.acts {
      guard case .change(let change) = act.act, let id = change.id else { continue }
      let key = EntityKey(kind: change.kind, id: id)
      if made.insert(key).inserted, change.operation != .create {
        needed[change.kind, default: []].append(id)
      }
    }
    return needed.sorted { $0.key < $1.key }.map { .init(kind: $0.key, ids: $0.value) }
  }

  // MARK: Random draws

  /// The draws of the waits, in order, with 0.5 for unknown ones.
  private var chance: [Double] {
    let retry = configuration.retry
    guard retry.jitter > 0 else { return [] }
    var draws: [Double] = []
    var floor: Double?
    let decisions = course.decisions
    for (place, (time, transition)) in decisions.enumerated() {
      defer { floor = transition.floor }
      if let new = transition.floor, new != floor, transition.failure != nil {
        draws.append(draw(new - time) ?? 0.5)
      } else if transition.event == "rateLimited", ["9", "10"].contains(transition.rule) {
        draws.append(heldBack(by: place).flatMap { draw($0) } ?? 0.5)
      }
    }
    while draws.last == 0.5 { draws.removeLast() }
    return draws
  }

  /// Wait of a change after a 429 that did not open the breaker, in seconds; `nil` if the record does not show it.
  private func heldBack(by place: Int) -> Double? {
    let (time, limit) = course.decisions[place]
    let rest = course.decisions[place...].prefix {
      $0.transition.run == limit.run || $0.transition.phase == nil
    }
    return rest.lazy.compactMap(\.transition.wake).first.map { $0 - time }
  }

  /// The wait requested by a 429, in seconds, if it was longer than the engine's own.
  private func asked(by call: RecordedCourse.Call) -> Double? {
    guard call.failure?.code == .rateLimited, call.failure?.retryAfter == nil,
      let place = course.decisions.firstIndex(where: {
        $0.time == call.end && $0.transition.event == "rateLimited"
      })
    else { return nil }
    let floor = course.decisions[place].transition.floor.map { $0 - call.end }
    guard let wait = floor ?? heldBack(by: place), draw(wait) == nil else { return nil }
    return wait
  }

  /// The position of a wait within its random range.
  ///
  /// - Returns: `nil` if no draw results in this wait.
  private func draw(_ wait: Double) -> Double? {
    let retry = configuration.retry
    let (base, longest) = (retry.base / .seconds(1), retry.maximum / .seconds(1))
    guard base > 0, wait <= longest + 1e-3 else { return nil }
    var multiplier = 1.0
    for _ in 0..<64 {
      let shift = wait / (base * multiplier)
      if abs(shift - 1) <= retry.jitter + 1e-6 {
        return min(max((shift - 1 + retry.jitter) / (2 * retry.jitter), 0), 1)
      }
      if base * multiplier * (1 - retry.jitter) > longest { return 1 }
      multiplier = retry.multiplier(after: multiplier)
    }
    return wait >= longest - 1e-6 ? 1 : nil
  }

  // MARK: Answers

  private var answers: [TimedAct] {
    var acts: [TimedAct] = []
    var shown: [SimulatedCall: SimulatedAnswer] = [:]
    var verdicts: [EntityKey: SyncError] = [:]
    for sort in SimulatedCall.allCases {
      guard let usual = usual(sort) else { continue }
      shown[sort] = usual
      acts.append(TimedAct(at: .zero, .answer(usual)))
    }
    for (place, call) in course.calls.enumerated() {
      let moment = moment(awake(switching(before: place)))
      var answer = self.answer(to: call, beside: shown[call.sort])
      if let rest = restOfBootstrap(call) {
        let first = rest.first
        answer = SimulatedAnswer(.bootstrap, delay: first)
        if first != rest.others {
          acts.append(TimedAct(at: moment, .answer(answer)))
          answer = SimulatedAnswer(.bootstrap, delay: rest.others)
          acts.append(TimedAct(at: self.moment(call.start) + first / 2, .answer(answer)))
          shown[call.sort] = answer
        }
      }
      if answer != shown[call.sort] {
        shown[call.sort] = answer
        acts.append(TimedAct(at: moment, .answer(answer)))
      }
      for item in call.items where verdicts[item.entity] != item.verdict {
        verdicts[item.entity] = item.verdict
        acts.append(TimedAct(at: moment, .answer(.init(.push, entity: item.entity, failure: item.verdict))))
      }
    }
    return acts
  }

  /// The default answer to a type of call, with the median duration of the successful ones.
  private func usual(_ sort: SimulatedCall) -> SimulatedAnswer? {
    let calls = course.calls.filter { $0.sort == sort && !$0.isSkip }
    guard !calls.isEmpty else { return nil }
    let delays = calls.filter { $0.failure == nil && $0.isTimed }.map { delay(of: $0) }.sorted()
    let usual = delays.isEmpty ? nil : delays[delays.count / 2]
    return SimulatedAnswer(
      sort, delay: usual, hasMore: sort == .pull ? false : nil)
  }

  /// Duration of one call of an exchange.
  private func delay(of call: RecordedCourse.Call) -> Duration {
    if call.isCutShort { return Duration(recorded: call.end - call.start) + .seconds(1) }
    let length = call.end - call.start
    let parts =
      call.sort == .bootstrap && call.failure == nil && !call.isSkip ? 1 + Double(domain.kinds.count) : 1
    return Duration(recorded: length / parts)
  }

  /// Durations of the first and the other calls of a successful bootstrap.
  private func restOfBootstrap(_ call: RecordedCourse.Call) -> (
    first: Duration, others: Duration
  )? {
    guard call.sort == .bootstrap, call.failure == nil, !call.isSkip, call.isTimed else { return nil }
    let whole = Duration(recorded: call.end - call.start)
    let others = delay(of: call)
    let first = whole - others * domain.kinds.count
    let shortest = Duration.milliseconds(2)
    if abs((first - others) / .seconds(1)) <= tolerance || first < shortest { return (others, others) }
    return (first, others)
  }

  private func answer(to call: RecordedCourse.Call, beside shown: SimulatedAnswer?) -> SimulatedAnswer {
    var needed = call.isAsleep ? shown?.delay ?? .milliseconds(80) : delay(of: call)
    if let known = shown?.delay, abs((known - needed) / .seconds(1)) <= tolerance { needed = known }
    var failure = call.failure
    if let error = failure, let wait = asked(by: call) {
      failure = SyncError(
        error.code, status: error.status, detail: error.detail,
        retryAfter: .seconds(wait).bounded(to: SyncError.waits))
    }
    return SimulatedAnswer(
      call.sort, delay: needed, failure: failure, isCarriedOut: call.isCarriedOut,
      hasMore: call.sort == .pull ? call.hasMore : nil)
  }

  /// A moment, or the start of the sleep that contains it.
  private func awake(_ time: Double) -> Double {
    course.sleeps.first { $0.start < time && time <= $0.end }?.start ?? time
  }

  /// Time at which the answer to a call is set: during the previous call, or just before this one starts.
  private func switching(before place: Int) -> Double {
    let call = course.calls[place]
    guard place > 0 else { return start }
    guard !call.isSkip, let last = course.calls[..<place].last(where: { !$0.isSkip }) else {
      return call.start - 0.001
    }
    if call.start - last.end >= 0.02 { return call.start - 0.01 }
    return last.start + (last.end - last.start) * 0.75
  }
}

extension RecordedCourse.Call {
  /// True if its duration is known.
  fileprivate var isTimed: Bool { !isAsleep && !isCutShort }
}
