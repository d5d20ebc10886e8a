import Essentials
package import MisterMetricsCore
package import Sync

/// One entry in an engine's record, of an app or of a simulation.
package struct RecordedEntry: Sendable {
  /// The recorded value.
  package enum Value: Sendable {
    case transition(SyncTransition)
    case mutation(SyncMutation)
    case breaker(SyncBreaker)
    case conflict(SyncConflictRecord)
    case configuration(SyncConfiguration)
  }

  /// Time of the entry, in seconds since 2001.
  package let time: Double
  package let value: Value

  package init(time: Double, _ value: Value) {
    self.time = time
    self.value = value
  }

  /// An entry of the main branch; `nil` if it is irrelevant to an engine's decisions.
  package init?(_ entry: MetricEntry) {
    guard let value = Value(entry), value.isOfMainBranch else { return nil }
    self.init(time: entry.timestamp.timeIntervalSinceReferenceDate, value)
  }

  var transition: SyncTransition? { if case .transition(let value) = value { value } else { nil } }
}

extension RecordedEntry.Value {
  fileprivate init?(_ entry: MetricEntry) {
    func decoded<Record: MetricValue>(_ make: (Record) -> Self) -> Self? {
      (try? entry.decode(Record.self)).map(make)
    }
    let value: Self? =
      switch entry.metric {
      case AnyMetric(SyncMetric.transition): decoded { .transition($0) }
      case AnyMetric(SyncMetric.mutation): decoded { .mutation($0) }
      case AnyMetric(SyncMetric.breaker): decoded { .breaker($0) }
      case AnyMetric(SyncMetric.conflict): decoded { .conflict($0) }
      case AnyMetric(SyncMetric.configuration): decoded { .configuration($0) }
      default: nil
      }
    guard let value else { return nil }
    self = value
  }

  /// True for events of the main branch, as opposed to those of other branches.
  package var isOfMainBranch: Bool {
    switch self {
    case .transition(let record): record.branch == 0
    case .mutation(let record): record.branch == 0
    case .breaker(let record): record.branch == 0
    case .conflict(let record): record.branch == 0
    case .configuration: true
    }
  }
}

extension SyncTransition {
  /// The decision without its time and wording.
  var decision: String {
    var parts = [from, to, event, refused ? "refused" : "", rule ?? "", failure ?? "", trigger ?? ""]
    parts.append(httpStatus.map(String.init) ?? "")
    if to == SyncState.Kind.syncing.rawValue { parts.append("\(synced ?? 0)/\(total ?? 0)") }
    return parts.joined(separator: " ") + " \(pending)"
  }

  /// The failure described by the transition; `nil` if there is none.
  var error: SyncError? {
    guard let failure, let code = SyncError.Code(rawValue: failure) else { return nil }
    let bare = SyncError(code, status: httpStatus).text + ": "
    let text = reason ?? ""
    let detail = text.hasPrefix(bare) ? String(text.dropFirst(bare.count)) : ""
    return SyncError(code, status: httpStatus, detail: detail)
  }
}
