package import Codecs
import Platform
import Sync
import SyncSimulation

/// Formats the timeline entries of a sync engine.
package struct SyncTimelineFormatter: EntryFormatter {
  package let zone: ClockZone
  let arrow: String

  package init(zone: ClockZone, arrow: String) { (self.zone, self.arrow) = (zone, arrow) }

  /// The kind of entry; for a decision, its transition.
  package func subject(_ entry: SyncHappening) -> String {
    switch entry {
    case .decision(let decision): SyncFormatter.way(decision, arrow: arrow)
    case .change(let change):
      change.state == .queued && change.attempts == 0 && change.rewritten != true ? "app" : "queue"
    case .request: "request"
    case .conflict: "conflict"
    case .fault(let fault): fault.byHand ? "you" : "fault"
    case .story: "story"
    case .constants: "constants"
    }
  }

  /// Descriptions of the event, from the longest to the shortest wording.
  package static func wordings(_ happening: EngineHappening<SyncHappening>) -> [String] {
    switch happening.entry {
    case .decision(let decision):
      [
        "\(decision.byHand ? "you: " : "")\(SyncFormatter.event(decision.event))  "
          + SyncFormatter.detail(decision)
      ]
    case .change(let change):
      [
        "\(words(change)) \(name(change))\(reason(change))",
        "\(words(change)) \(shortName(change))\(reason(change))",
      ]
    case .request(let request):
      [
        "\(name(request.change))  \(bytes(request.change))\(outcome(request))",
        "\(shortName(request.change))  \(outcome(request))",
        "\(request.change.operation) \(request.change.entity.suffix(5)) \(shortOutcome(request))",
      ]
    case .conflict(let conflict):
      ["\(conflict.kind) \(conflict.entity)  \(conflict.cause): \(resolution(conflict))"]
    case .fault(let fault): [EngineState.words(fault)]
    case .story(let words), .constants(let words): [words]
    }
  }

  private static func words(_ change: SyncMutation) -> String {
    switch change.state {
    case .queued where change.rewritten == true: "goes on as"
    case .queued: change.attempts > 0 ? "puts back" : "changes:"
    case .sent: "sends"
    case .acknowledged: "done without a request:"
    case .dead: "drops"
    case .cleared: "clears"
    case .superseded: "superseded:"
    case .erased: "erases"
    }
  }

  private static func reason(_ change: SyncMutation) -> String {
    if let parent = change.waitsFor { return "  waits for \(parent)" }
    guard change.state != .queued || change.attempts > 0, let error = change.lastError else { return "" }
    return "  \(error)"
  }

  private static func name(_ change: SyncMutation) -> String {
    "\(change.operation) \(change.kind) \(change.entity)"
  }

  /// Long ids differ at the end.
  private static func shortName(_ change: SyncMutation) -> String {
    "\(change.operation) \(change.kind) \(change.entity.suffix(5))"
  }

  private static func bytes(_ change: SyncMutation) -> String {
    "\(ValueUnit.bytes.text(Double(change.bytes)))B  "
  }

  private static func outcome(_ request: SyncRequest) -> String {
    let time = DurationFormat.text(request.seconds)
    return switch request.outcome {
    case .open: "no answer yet"
    case .taken: "accepted in \(time)"
    case .failed(let reason): "failed in \(time): \(reason)"
    }
  }

  private static func shortOutcome(_ request: SyncRequest) -> String {
    if case .failed(let reason) = request.outcome { "failed: \(reason)" } else { outcome(request) }
  }

  private static func resolution(_ conflict: SyncConflictRecord) -> String {
    switch conflict.resolution {
    case "keepLocal": "keeps what was changed here"
    case "takeRemote": "takes what the server has"
    case "merge": "merges both"
    default: conflict.resolution
    }
  }

  package static func searched(_ happening: EngineHappening<SyncHappening>) -> String {
    let plain = SyncTimelineFormatter(zone: .utc, arrow: "->")
    var words = [plain.subject(happening.entry), wordings(happening)[0]]
    switch happening.entry {
    case .decision(let decision):
      words += [decision.refused ? "refused" : "", decision.failure ?? "", decision.trigger ?? ""]
      words += decision.httpStatus.map { ["\($0)"] } ?? []
    case .change(let change): words.append(change.id)
    case .request(let request): words.append(request.change.id)
    case .conflict, .fault, .story, .constants: break
    }
    return (words + [happening.isFailure ? "failure" : ""]).joined(separator: " ")
  }

  package func text(_ happening: EngineHappening<SyncHappening>) -> String {
    guard case .decision(let decision) = happening.entry else { return rowText(happening) }
    return "\(zone.time(happening.time, .milliseconds)) \(SyncFormatter.sentence(decision))"
  }

  // MARK: Details of an entry

  package func facts(of happening: EngineHappening<SyncHappening>) -> [EngineFact] {
    switch happening.entry {
    case .decision(let decision): facts(of: decision)
    case .change(let change): facts(of: change)
    case .request(let request): EngineFact.list(["answer": Self.outcome(request)]) + facts(of: request.change)
    case .conflict(let conflict):
      EngineFact.list([
        "entity": "\(conflict.kind) \(conflict.entity)", "cause": conflict.cause,
        "outcome": Self.resolution(conflict), "members": conflict.members,
      ])
    case .fault(let fault):
      EngineFact.list([
        "fault": EngineState.words(fault), "strikes": SimulatedFault.scopeWords(fault.scope),
        "by": fault.byHand ? "you" : "the scenario",
      ])
    case .story(let words): EngineFact.list(["story": words])
    case .constants(let words): EngineFact.list(["constants": words])
    }
  }

  private func facts(of decision: SyncTransition) -> [EngineFact] {
    let progress = decision.synced.flatMap { synced in decision.total.map { "\(synced) of \($0)" } }
    let run = decision.run.map { run in
      let trigger = decision.trigger.flatMap(SyncTrigger.init)?.words ?? decision.trigger
      return "\(run)\(trigger.map { ", asked for by: \($0)" } ?? "")\(decision.phase.map { ", \($0)" } ?? "")"
    }
    let next = decision.nextTry.map {
      "\(zone.time(Timestamp($0), .tenths))\(decision.nextTrigger.map { " (\($0))" } ?? "")"
    }
    return EngineFact.list([
      "decision": "\(decision.sequence): \(SyncFormatter.sentence(decision))",
      "failure": decision.failure.map { $0 + (decision.httpStatus.map { ", HTTP \($0)" } ?? "") },
      "rule": decision.rule.map { "row \($0) of the table" },
      "by": decision.byHand ? "you" : decision.origin, "run": run, "progress": progress,
      "waiting": "\(decision.pending)", "next try": next,
      "network": decision.online.map { $0 ? "online" : "offline" },
    ])
  }

  private func facts(of change: SyncMutation) -> [EngineFact] {
    EngineFact.list([
      "change": "\(change.operation) \(change.kind) \(change.entity)", "state": change.state.rawValue,
      "attempts": "\(change.attempts) that counted", "last error": change.lastError,
      "waits for": change.waitsFor,
      "not before": change.notBefore.map { zone.time(Timestamp($0), .tenths) },
      "made at": zone.time(Timestamp(change.createdAt), .tenths), "payload": "\(change.bytes) bytes",
      "id": change.id,
    ])
  }
}
