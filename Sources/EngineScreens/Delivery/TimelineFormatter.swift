import Codecs
import DashboardCore
import DeliveryCore
import DeliverySimulation
import Platform

/// The entries of the timeline as text.
struct TimelineFormatter {
  let zone: ClockZone

  typealias Fact = EngineFact

  /// The kind of entry: `batch 12`, `breaker`, `client`.
  static func subject(_ entry: DeliveryEntry) -> String {
    switch entry {
    case .batch(let batch): "batch \(batch.sequence)"
    case .breaker: "breaker"
    case .lifecycle: "client"
    case .drop: "drop"
    case .act(let act): act.by == .person ? "you" : "app"
    case .fault: "fault"
    case .queue: "queue"
    case .simulation: "simulation"
    case .configuration: "constants"
    }
  }

  /// A description of the event.
  static func words(_ happening: ClientState.Happening) -> String { wordings(happening)[0] }

  /// Descriptions of the event, from the longest to the shortest wording.
  static func wordings(_ happening: ClientState.Happening) -> [String] {
    switch happening.entry {
    case .batch(let batch): wordings(batch)
    case .breaker(let breaker): wordings(breaker, at: happening.time)
    case .lifecycle(let lifecycle): [words(lifecycle)]
    case .drop(let drop): wordings(drop)
    case .act(let act): [DeliveryFormatter.act(act)]
    case .fault(let fault):
      [(fault.by == .person ? "you: " : "") + DeliveryFormatter.deed(fault), DeliveryFormatter.deed(fault)]
    case .queue, .simulation, .configuration: [""]
    }
  }

  private static func wordings(_ batch: DeliveryBatch) -> [String] {
    let answer = DeliveryFormatter.shortOutcome(batch)
    let events =
      "\(answer.padding(to: max(5, answer.count + 1)))\(EngineFormatter.count(batch.size, "event"))"
    let attempt = batch.attempt > 1 ? ", attempt \(batch.attempt)" : ""
    let sent = "\(events) from \(batch.source)\(attempt)  \(duration(batch))"
    let bytes = "  \(ValueUnit.bytes.text(Double(batch.bytes)))B"
    let consequence = DeliveryFormatter.consequence(batch)
    return [
      "\(sent)\(bytes)  \(consequence)", "\(sent)  \(consequence)", "\(events)\(attempt)  \(consequence)",
      "\(events)\(attempt)", events, answer,
    ]
  }

  private static func duration(_ batch: DeliveryBatch) -> String {
    DurationFormat.text(batch.latencyMs / 1000)
  }

  private static func wordings(_ breaker: DeliveryBreaker, at time: Timestamp) -> [String] {
    switch breaker.state {
    case CircuitState.open:
      guard let until = breaker.until, until.isFinite else { return ["open"] }
      let wait = DurationFormat.text(max(0, Timestamp(until) - time))
      return ["open for \(wait)", "open \(wait)"]
    case CircuitState.halfOpen: return ["half-open: the next batch is the probe", "half-open"]
    default:
      guard breaker.failures > 0 else { return [breaker.state] }
      let failures = EngineFormatter.count(breaker.failures, "failure")
      return ["\(breaker.state), \(failures) in a row", "\(breaker.state), \(failures)", breaker.state]
    }
  }

  private static func words(_ record: DeliveryLifecycle) -> String {
    if record.refused { return "\(record.event) is refused while \(record.from)" }
    return record.from == record.to ? "network \(record.network)" : "\(record.from) -> \(record.to)"
  }

  private static func wordings(_ drop: DeliveryDrop) -> [String] {
    let count = EngineFormatter.count(drop.count, "event")
    return [
      "\(count) \(DropCause(rawValue: drop.cause)?.sentence ?? drop.cause)", "\(count): \(drop.cause)", count,
    ]
  }

  /// The text that the filter searches.
  static func searched(_ happening: ClientState.Happening) -> String {
    let failure = happening.isFailure ? " failure" : ""
    return "\(subject(happening.entry)) \(words(happening))\(failure)"
  }

  /// A row of the timeline.
  func text(_ happening: ClientState.Happening) -> String {
    "\(zone.time(happening.time, .milliseconds)) \(Self.subject(happening.entry))  \(Self.words(happening))"
  }

  // MARK: All about an entry

  /// Everything that its record tells, in the order in which it is asked for.
  func facts(of happening: ClientState.Happening) -> [Fact] {
    let common: (step: Int, by: DeliveryInitiator, cause: String?)
    var facts: [Fact]
    switch happening.entry {
    case .batch(let batch):
      facts = Self.facts(batch)
      common = (batch.step, batch.by, batch.cause)
    case .breaker(let breaker):
      facts = [
        Fact(name: "breaker", value: Self.words(happening)),
        Fact(name: "failures", value: "\(breaker.failures) in a row"),
        Fact(name: "growth", value: "tripped \(breaker.growth) times in a row"),
      ]
      common = (breaker.step, breaker.by, breaker.cause)
    case .lifecycle(let lifecycle):
      facts = [
        Fact(name: "change", value: Self.words(lifecycle)), Fact(name: "event", value: lifecycle.event),
        Fact(name: "network", value: lifecycle.network),
      ]
      facts += DebugFacts(lifecycle.debug).facts
      common = (lifecycle.step, lifecycle.by, lifecycle.cause)
    case .drop(let drop):
      facts = [Fact(name: "dropped", value: Self.words(happening))]
      common = (drop.step, drop.by, nil)
    case .act(let act):
      facts = [Fact(name: "act", value: DeliveryFormatter.act(act))]
      common = (act.step, act.by, nil)
    case .fault(let fault):
      facts = [
        Fact(name: "fault", value: DeliveryFormatter.deed(fault)),
        Fact(name: "strikes", value: EndpointFault.scopeWords(fault.scope)),
      ]
      common = (fault.step, fault.by, nil)
    case .queue, .simulation, .configuration: return []
    }
    facts.append(Fact(name: "by", value: common.by.rawValue + (common.cause.map { ", on \($0)" } ?? "")))
    facts.append(Fact(name: "step", value: "\(common.step) of the client"))
    return facts
  }

  private static func facts(_ batch: DeliveryBatch) -> [Fact] {
    let answer = batch.status.map { "\($0)" } ?? "none: \(DeliveryFormatter.error(batch.error))"
    var facts = [
      Fact(name: "answer", value: "\(answer); \(DeliveryFormatter.consequence(batch))"),
      Fact(
        name: "events",
        value: "\(NumberFormat.count(batch.size)) from \(batch.source), of at most "
          + NumberFormat.count(batch.maxBatchSize)),
      Fact(name: "ids", value: batch.size == 1 ? batch.first : "\(batch.first) to \(batch.last)"),
      Fact(name: "attempt", value: "\(batch.attempt)"),
      Fact(
        name: "exchange",
        value: "\(duration(batch)), \(ValueUnit.bytes.text(Double(batch.bytes)))B sent"),
    ]
    if let asked = batch.retryAfter {
      facts.append(Fact(name: "asked for", value: "\(DurationFormat.text(asked)) without a request"))
    }
    if let detail = batch.detail, !detail.isEmpty {
      facts.append(Fact(name: batch.error == nil ? "it said" : "why", value: detail))
    }
    return facts
  }
}
