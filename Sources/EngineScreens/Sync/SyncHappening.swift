import Aggregation
package import DashboardCore
import MisterMetricsCore
package import Platform
package import Sync
package import SyncSimulation

/// The subject of a line in the timeline of a sync engine.
package enum SyncHappening: EngineEntry {
  package typealias Formatter = SyncTimelineFormatter

  /// A decision or refusal of the machine.
  case decision(SyncTransition)
  /// A change by the app, or a change that ended without a request.
  case change(SyncMutation)
  case request(SyncRequest)
  case conflict(SyncConflictRecord)
  /// A change to a fault of a simulation.
  case fault(SyncFault)
  /// A line of a scenario's story.
  case story(String)
  /// A description of changed constants.
  case constants(String)

  /// True for an action on the engine, as opposed to an action of the engine.
  var isCause: Bool {
    switch self {
    case .fault, .constants: true
    case .decision(let decision): decision.byHand
    case .story, .change, .request, .conflict: false
    }
  }
}

/// A change sent to the server, and the outcome.
package struct SyncRequest: Sendable, Equatable {
  /// The outcome of a request.
  package enum Outcome: Sendable, Equatable {
    case open, taken
    case failed(String)
  }

  /// The last record of the change, before or after its answer.
  package internal(set) var change: SyncMutation
  package internal(set) var outcome = Outcome.open
  /// The time until the answer, in seconds.
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
