import Foundation
package import MisterMetrics
package import Sync

/// One entry of the record of an engine, be it of an app or of a simulation.
package struct RecordedEntry: Sendable {
  /// What is recorded.
  package enum Value: Sendable {
    case transition(SyncTransition)
    case mutation(SyncMutation)
    case breaker(SyncBreaker)
    case conflict(SyncConflictRecord)
    case configuration(SyncConfiguration)
  }

  /// When, in seconds since 2001.
  package let time: Double
  package let value: Value

  package init(time: Double, _ value: Value) {
    self.time = time
    self.value = value
  }

  /// An entry of the main branch; `nil` for what says nothing of an engine's decisions.
  package init?(_ entry: MetricEntry) {
    let time = entry.timestamp.timeIntervalSinceReferenceDate
    switch entry.metric {
    case AnyMetric(SyncMetric.transition):
      guard let value = try? entry.decode(SyncTransition.self), value.branch == 0 else { return nil }
      self.init(time: time, .transition(value))
    case AnyMetric(SyncMetric.mutation):
      guard let value = try? entry.decode(SyncMutation.self), value.branch == 0 else { return nil }
      self.init(time: time, .mutation(value))
    case AnyMetric(SyncMetric.breaker):
      guard let value = try? entry.decode(SyncBreaker.self), value.branch == 0 else { return nil }
      self.init(time: time, .breaker(value))
    case AnyMetric(SyncMetric.conflict):
      guard let value = try? entry.decode(SyncConflictRecord.self), value.branch == 0 else { return nil }
      self.init(time: time, .conflict(value))
    case AnyMetric(SyncMetric.configuration):
      guard let value = try? entry.decode(SyncConfiguration.self) else { return nil }
      self.init(time: time, .configuration(value))
    default: return nil
    }
  }

  var transition: SyncTransition? { if case .transition(let value) = value { value } else { nil } }
}

extension Duration {
  /// A time of a record, in whole milliseconds: what is in a file may be any number.
  init(recorded seconds: Double) {
    let milliseconds = (seconds * 1000).rounded()
    self = .milliseconds(milliseconds > 0 ? Int64(min(milliseconds, 1e15)) : 0)
  }
}

extension SyncTransition {
  /// What was decided, without when and without the words.
  var decision: String {
    var parts = [from, to, event, refused ? "refused" : "", rule ?? "", failure ?? "", trigger ?? ""]
    parts.append(httpStatus.map(String.init) ?? "")
    if to == SyncState.Kind.syncing.rawValue { parts.append("\(synced ?? 0)/\(total ?? 0)") }
    return parts.joined(separator: " ") + " \(pending)"
  }

  /// The failure that it tells of; `nil` where it tells of none.
  var error: SyncError? {
    guard let failure, let code = SyncError.Code(rawValue: failure) else { return nil }
    let bare = SyncError(code, status: httpStatus).text + ": "
    let text = reason ?? ""
    let detail = text.hasPrefix(bare) ? String(text.dropFirst(bare.count)) : ""
    return SyncError(code, status: httpStatus, detail: detail)
  }
}
