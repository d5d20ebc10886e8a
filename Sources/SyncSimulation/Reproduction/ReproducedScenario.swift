import Codecs
import Foundation
import Resilience
import Sync
import Telemetry

/// Makes a scenario of a recorded course.
struct ReproducedScenario {
  private let course: RecordedCourse
  private let part: RecordedPart
  /// How far a call may take another time than recorded, in seconds.
  private let tolerance: Double
  /// The beginning, in seconds since 2001.
  private let start: Double
  private var configuration: SyncConfiguration { course.configuration ?? part.configuration ?? SyncConfiguration() }

  init(_ course: RecordedCourse, _ part: RecordedPart, tolerance: Double) {
    self.course = course
    self.part = part
    self.tolerance = tolerance
    let first = part.entries.first?.time ?? 0
    start = (first * 1000).rounded(.down) / 1000
  }

  func scenario(name: String, until end: Double) -> Scenario {
    let date = Date(timeIntervalSinceReferenceDate: start)
    let length = Swift.max(end, course.decisions.last?.time ?? end) - start
    var scenario = Scenario(
      name: name, title: "As recorded from \(ScenarioMoment.text(date)) on",
      story: "What an engine has recorded, as acts: its changes, what it was asked, and how its calls were answered.",
      seed: 1, start: date, duration: moment(start + length) + .milliseconds(1))
    scenario.configuration = configuration
    scenario.isSettled = course.beginsEmpty != true
    scenario.domain = domain
    scenario.content = content
    scenario.chance = chance
    let acts = answers + course.acts.map { TimedAct(at: moment(of: $0), $0.act) }
    scenario.acts = acts.inOrder
    scenario.expectedFrom = max(.zero, moment(part.from))
    return scenario
  }

  private func moment(_ time: Double) -> Duration {
    max(.zero, .milliseconds(Int64(((time - start) * 1000).rounded())))
  }

  /// When an act happens: what others did before the page that told of it was asked for.
  private func moment(of act: (time: Double, act: SimulationAct)) -> Duration {
    guard case .remoteChange = act.act,
      let place = course.calls.lastIndex(where: { $0.start < act.time && [.pull, .bootstrap].contains($0.sort) })
    else { return moment(act.time) }
    return moment(switching(before: place))
  }

  // MARK: What there is

  /// The kinds in the order in which their creates went out.
  private var domain: SyncDomain {
    var names: [String] = []
    func add(_ kind: String) { if !names.contains(kind) { names.append(kind) } }
    for call in course.calls { for item in call.items { add(item.entity.kind) } }
    for (_, act) in course.acts {
      switch act {
      case .change(let change), .remoteChange(let change): add(change.kind)
      default: break
      }
    }
    for owner in course.owners.values.sorted() { add(owner) }
    guard !names.isEmpty else { return .sample }
    let order = names.sorted { isBefore($0, $1) }
    return SyncDomain(
      kinds: order.enumerated().map { place, name in
        let batches = batches(of: name)
        return EntityKind(
          name: name, rank: place, batchSize: batches.size,
          batched: batches.operations.isEmpty ? [.create] : batches.operations,
          link: course.owners[name].map { .init(member: EntityKind.ownerMember, kind: $0) })
      })
  }

  /// Whether changes of one kind were seen to go out before those of another one, in a run that had both.
  private func isBefore(_ one: String, _ other: String) -> Bool {
    if course.owners[other] == one { return true }
    if course.owners[one] == other { return false }
    for operation in Mutation.Operation.allCases {
      var last: (run: Int, kind: String)?
      for call in course.calls {
        guard let item = call.items.first, item.operation == operation, [one, other].contains(item.entity.kind)
        else { continue }
        if let last, last.run == call.run, last.kind != item.entity.kind {
          return (last.kind == one) != (operation == .delete)
        }
        last = (call.run, item.entity.kind)
      }
    }
    return one < other
  }

  /// How many changes of a kind go together, as far as that was seen.
  private func batches(of kind: String) -> (size: Int, operations: Set<Mutation.Operation>) {
    let requests = course.calls.filter { $0.items.first?.entity.kind == kind }
    let size = requests.map(\.items.count).max() ?? 1
    guard size > 1 else { return (1, []) }
    // Where a full one was followed by another one of the same sort, there was no room for more.
    let isLimit = zip(course.calls, course.calls.dropFirst()).contains { one, next in
      one.items.count == size && one.run == next.run && one.items.first?.entity.kind == kind
        && next.items.first?.entity.kind == kind && one.items.first?.operation == next.items.first?.operation
    }
    let operations = requests.filter { $0.items.count > 1 }.compactMap(\.items.first?.operation)
    return (isLimit ? size : max(size, 50), Set(operations))
  }

  /// What the server has to hold so that what was done to it could be done.
  private var content: [Scenario.Content] {
    var made: Set<EntityKey> = []
    var needed: [String: [String]] = [:]
    for (_, act) in course.acts {
      guard case .change(let change) = act, let id = change.id else { continue }
      let key = EntityKey(kind: change.kind, id: id)
      if made.insert(key).inserted, change.operation != .create { needed[change.kind, default: []].append(id) }
    }
    return needed.sorted { $0.key < $1.key }.map { .init(kind: $0.key, ids: $0.value) }
  }

  // MARK: Chance

  /// What the waits have drawn, in order: what became known of it, and the middle where nothing did.
  private var chance: [Double] {
    let retry = configuration.retry
    guard retry.jitter > 0 else { return [] }
    var draws: [Double] = []
    var floor: Double?
    let decisions = course.decisions
    for (place, (time, transition)) in decisions.enumerated() {
      defer { floor = transition.floor }
      if let new = transition.floor, new != floor, transition.failure != nil {
        draws.append(draw(new - time))
      } else if transition.event == "rateLimited", ["9", "10"].contains(transition.rule) {
        let later = decisions[place...].first { $0.transition.phase == nil }?.transition
        draws.append(later?.nextTry.map { draw($0 - time) } ?? 0.5)
      }
    }
    while draws.last == 0.5 { draws.removeLast() }
    return draws
  }

  /// Where in its range a wait is.
  private func draw(_ wait: Double) -> Double {
    let retry = configuration.retry
    let (base, longest) = (retry.base / .seconds(1), retry.maximum / .seconds(1))
    guard base > 0 else { return 0.5 }
    var multiplier = 1.0
    for _ in 0..<64 {
      let shift = wait / (base * multiplier)
      if abs(shift - 1) <= retry.jitter + 1e-6 {
        return min(max((shift - 1 + retry.jitter) / (2 * retry.jitter), 0), 1)
      }
      if base * multiplier * (1 - retry.jitter) > longest { return 1 }
      multiplier = retry.multiplier(after: multiplier)
    }
    return wait >= longest - 1e-6 ? 1 : 0.5
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
      let moment = moment(switching(before: place))
      let answer = self.answer(to: call, beside: shown[call.sort])
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

  /// The usual answer to calls of a sort: after half of all successful ones.
  private func usual(_ sort: SimulatedCall) -> SimulatedAnswer? {
    let calls = course.calls.filter { $0.sort == sort }
    guard !calls.isEmpty else { return nil }
    let delays = calls.filter { $0.failure == nil && !$0.isAsleep }.map { delay(of: $0) }.sorted()
    let usual = delays.isEmpty ? nil : delays[delays.count / 2]
    return SimulatedAnswer(
      sort, delay: usual.map { .milliseconds($0) }, hasMore: sort == .pull ? false : nil)
  }

  /// How long one call of an exchange takes, in milliseconds.
  private func delay(of call: RecordedCourse.Call) -> Int64 {
    let length = call.end - call.start
    let parts = call.sort == .bootstrap && call.failure == nil ? 1 + Double(domain.kinds.count) : 1
    return Int64((length / parts * 1000).rounded())
  }

  private func answer(to call: RecordedCourse.Call, beside shown: SimulatedAnswer?) -> SimulatedAnswer {
    var needed = call.isAsleep ? shown?.delay ?? .milliseconds(80) : .milliseconds(delay(of: call))
    if let known = shown?.delay, abs((known - needed) / .seconds(1)) <= tolerance { needed = known }
    return SimulatedAnswer(
      call.sort, delay: needed, failure: call.failure, isCarriedOut: call.isCarriedOut, hasMore: call.sort == .pull ? call.hasMore : nil)
  }

  /// When the answer to a call is set: while the call before is under way, or a little before this one begins.
  private func switching(before place: Int) -> Double {
    let call = course.calls[place]
    guard place > 0 else { return start }
    let last = course.calls[place - 1]
    if call.start - last.end >= 0.02 { return call.start - 0.01 }
    return last.start + (last.end - last.start) * 0.75
  }
}
