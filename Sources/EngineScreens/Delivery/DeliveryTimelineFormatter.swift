package import Codecs
import DashboardCore
import DeliveryCore
import DeliverySimulation
import Platform

/// Formats the timeline entries of a delivery client.
package struct DeliveryTimelineFormatter: EntryFormatter {
  package let zone: ClockZone

  package init(zone: ClockZone, arrow: String) { self.zone = zone }

  /// The kind of entry: `batch 12`, `breaker`, `client`.
  package func subject(_ entry: DeliveryEntry) -> String {
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

  /// Descriptions of the event, from the longest to the shortest wording.
  package static func wordings(_ happening: ClientState.Happening) -> [String] {
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
    if breaker.isOpen {
      guard let until = breaker.until, until.isFinite else { return ["open"] }
      let wait = DurationFormat.text(max(0, Timestamp(until) - time))
      return ["open for \(wait)", "open \(wait)"]
    }
    if breaker.isHalfOpen { return ["half-open: the next batch is the probe", "half-open"] }
    guard breaker.failures > 0 else { return [breaker.state] }
    let failures = EngineFormatter.count(breaker.failures, "failure")
    return ["\(breaker.state), \(failures) in a row", "\(breaker.state), \(failures)", breaker.state]
  }

  private static func words(_ record: DeliveryLifecycle) -> String {
    if record.refused { return "\(record.event) is refused while \(record.from)" }
    return record.from == record.to ? "network \(record.network)" : "\(record.from) -> \(record.to)"
  }

  private static func wordings(_ drop: DeliveryDrop) -> [String] {
    let count = EngineFormatter.count(drop.count, "event")
    let status = drop.status.map { " (\($0))" } ?? ""
    return [
      "\(count) \(DropCause(rawValue: drop.cause)?.sentence(drop.count) ?? drop.cause)\(status)",
      "\(count): \(drop.cause)", count,
    ]
  }

  package static func searched(_ happening: ClientState.Happening) -> String {
    let subject = Self(zone: .utc, arrow: "->").subject(happening.entry)
    return "\(subject) \(wordings(happening)[0])\(happening.isFailure ? " failure" : "")"
  }

  // MARK: Details of an entry

  package func facts(of happening: ClientState.Happening) -> [EngineFact] {
    let common: (step: Int, by: DeliveryInitiator, cause: String?)
    var facts: [EngineFact]
    switch happening.entry {
    case .batch(let batch):
      facts = Self.facts(batch)
      common = (batch.step, batch.by, batch.cause)
    case .breaker(let breaker):
      facts = EngineFact.list([
        "breaker": Self.wordings(happening)[0], "failures": "\(breaker.failures) in a row",
        "growth": "tripped \(breaker.growth) times in a row",
      ])
      common = (breaker.step, breaker.by, breaker.cause)
    case .lifecycle(let lifecycle):
      facts = EngineFact.list([
        "change": Self.words(lifecycle), "event": lifecycle.event, "network": lifecycle.network,
      ])
      facts += DebugFacts(lifecycle.debug).facts
      common = (lifecycle.step, lifecycle.by, lifecycle.cause)
    case .drop(let drop):
      facts = EngineFact.list([
        "dropped": Self.wordings(happening)[0], "answer": drop.answer,
        "set aside": drop.setAside.map { "\(NumberFormat.count($0)) with this one" },
      ])
      common = (drop.step, drop.by, nil)
    case .act(let act):
      facts = EngineFact.list(["act": DeliveryFormatter.act(act)])
      common = (act.step, act.by, nil)
    case .fault(let fault):
      facts = EngineFact.list([
        "fault": DeliveryFormatter.deed(fault), "strikes": EndpointFault.scopeWords(fault.scope),
      ])
      common = (fault.step, fault.by, nil)
    case .queue, .simulation, .configuration: return []
    }
    let by = common.by.rawValue + (common.cause.map { ", on \($0)" } ?? "")
    return facts + EngineFact.list(["by": by, "step": "\(common.step) of the client"])
  }

  private static func facts(_ batch: DeliveryBatch) -> [EngineFact] {
    let answer = batch.status.map { "\($0)" } ?? "none: \(DeliveryFormatter.error(batch.error))"
    let detail = batch.detail.flatMap { $0.isEmpty ? nil : $0 }
    return EngineFact.list([
      "answer": "\(answer); \(DeliveryFormatter.consequence(batch))",
      "events": "\(NumberFormat.count(batch.size)) from \(batch.source), of at most "
        + NumberFormat.count(batch.maxBatchSize),
      "ids": batch.size == 1 ? batch.first : "\(batch.first) to \(batch.last)",
      "attempt": "\(batch.attempt)",
      "exchange": "\(duration(batch)), \(ValueUnit.bytes.text(Double(batch.bytes)))B sent",
      "asked for": batch.retryAfter.map { "\(DurationFormat.text($0)) without a request" },
      (batch.error == nil ? "it said" : "why"): detail,
    ])
  }
}
