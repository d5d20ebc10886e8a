import Aggregation
package import DashboardCore
import MisterMetricsCore
package import Platform
package import Sync
package import SyncSimulation

/// The subject of a line in the timeline of a sync engine.
package enum SyncHappening: EngineEntry {
  package typealias Formatter = SyncTimelineFormatter

  /// The machine decided, or refused.
  case decision(SyncTransition)
  /// The app changed something, or a change came to its end without a request.
  case change(SyncMutation)
  case request(SyncRequest)
  case conflict(SyncConflictRecord)
  /// A fault of a simulation was set.
  case fault(SyncFault)
  /// A line of a scenario's story.
  case story(String)
  /// Other constants of the engine, in words.
  case constants(String)

  /// True if it is done to the engine, as against what the engine does.
  var isCause: Bool {
    switch self {
    case .fault, .constants: true
    case .decision(let decision): decision.byHand
    case .story, .change, .request, .conflict: false
    }
  }
}

/// A change on its way to the server, and what came of it.
package struct SyncRequest: Sendable, Equatable {
  /// The outcome of a request.
  package enum Outcome: Sendable, Equatable {
    case open, taken
    case failed(String)
  }

  /// The last record of the change, before or after its answer.
  package internal(set) var change: SyncMutation
  package internal(set) var outcome = Outcome.open
  /// How long the answer took, in seconds.
  package internal(set) var seconds = 0.0
}

extension SyncHappening {
  package func lineQuery(at time: Timestamp) -> LineQuery {
    let (name, typeName, holding): (String, String, [String]) =
      switch self {
      case .decision(let decision): ("transition", "SyncTransition", ["\"sequence\":\(decision.sequence)"])
      case .change(let change):
        ("mutation", "SyncMutation", ["\"id\":\"\(change.id)\"", "\"state\":\"\(change.state)\""])
      case .request(let request):
        ("mutation", "SyncMutation", ["\"id\":\"\(request.change.id)\"", "\"state\":\"sent\""])
      case .conflict(let conflict): ("conflict", "SyncConflictRecord", ["\"entity\":\"\(conflict.entity)\""])
      case .fault(let fault): ("fault", "SyncFault", ["\"fault\":\"\(fault.fault)\""])
      case .story: ("caption", "SyncCaption", [])
      case .constants: ("configuration", "SyncConfiguration", [])
      }
    let identity = SeriesIdentity(bucket: SyncMetric.bucket.id, name: name, typeName: typeName)
    return LineQuery(identity: identity, time: time, holding: holding)
  }
}
