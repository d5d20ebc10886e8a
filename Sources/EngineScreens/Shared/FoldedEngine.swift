package import DashboardCore
package import Platform

/// All that is known of an engine at one moment, folded from its record and from nothing else.
///
/// The same entries give the same value, whoever wrote them and whenever they are read: live, in the past, or from
/// another program's file.
package protocol FoldedEngine: Sendable, Equatable {
  associatedtype Record: EngineRecord
  associatedtype Course: EngineCourse where Course.Record == Record
  /// An entry listed in its timeline.
  associatedtype Entry: Sendable & Equatable

  /// An engine of which nothing was recorded.
  init()
  /// The simulation's last statement about itself; `nil` for an app's engine.
  var simulation: Record.Simulation? { get }
  /// The time of the newest entry, in the order of the record.
  var lastTime: Timestamp? { get }
  /// The end of a wait that is counted down on the screen, as it was recorded last.
  var waitEnd: Timestamp? { get }
  /// The faults that were ever set, in order of their first entry.
  var faultSettings: [RecordedFault] { get }
  /// The last words of its scenario's story; `nil` if there were none.
  var story: String? { get }
  /// The timeline of its events.
  var timeline: EngineTimeline<Entry> { get }
  /// Incidents, in order of time.
  var incidents: [RecordedValue<EngineIncident>] { get }
  /// The engine's actions from this state on, as far as two branches are compared.
  var course: Course { get }

  /// Folds one entry.
  mutating func handle(_ record: Record, at time: Timestamp)
  /// The manual act that the next entry reports; `nil` where it reports none.
  ///
  /// - Parameter isDue: Whether something was due at its moment, which comes by itself.
  func deed(in record: Record, isDue: Bool) -> EngineDeed?
}

extension FoldedEngine {
  package var story: String? { nil }

  /// When something is due next in a simulation.
  var nextStepAt: Timestamp? { simulation?.nextAt.map { Timestamp($0) } }
}

/// A failure of an engine at a moment.
package enum EngineIncident: Hashable, Sendable {
  case breakerOpened, faultOn
}

/// Something with the moment at which it was recorded.
package struct RecordedValue<Value: Sendable & Equatable>: Sendable, Equatable {
  package let time: Timestamp
  package let value: Value
}

/// The content of one recorded entry about an engine.
package protocol EngineRecord: Sendable {
  associatedtype Simulation: SimulationStatement

  /// `nil` for an entry whose value is not what its metric promises.
  init?(_ raw: RawEngineEntry)
  /// The branch that the entry belongs to; `nil` for what does not say.
  var branch: Int? { get }
  /// The simulation's statement about itself; `nil` for everything else.
  var simulation: Simulation? { get }
}

/// A simulation's statement about itself, made whenever something about it changed.
package protocol SimulationStatement: Sendable {
  var scenario: String? { get }
  var seed: Int { get }
  /// How many steps were taken.
  var step: Int { get }
  /// 0 is the main branch.
  var branch: Int { get }
  /// The branch that this one began in.
  var parent: Int? { get }
  /// How fast its time goes; 1 is as fast as ours.
  var speed: Double { get }
  /// True if it runs on by itself.
  var running: Bool { get }
  /// The next event.
  var next: String? { get }
  /// When that comes, in seconds since 2001.
  var nextAt: Double? { get }
}

/// Something done by hand, in words.
package enum EngineDeed: Hashable, Sendable {
  /// It stands for itself.
  case once(String)
  /// Some of one sort are counted.
  case counted(String)
}

/// A fault as it was set last.
package struct RecordedFault: Hashable, Sendable {
  /// The name of the fault.
  let fault: String
  let amount: Double
  let probability: Double
  let scope: String
  let isOn: Bool
  let isByHand: Bool
}

/// The actions of one branch from a moment on, as far as two branches are compared.
package protocol EngineCourse: Sendable {
  associatedtype Record

  /// How much waits.
  var pending: Int { get }
  /// How often the breaker opened.
  var opens: Int { get }
  /// How much the server took.
  var acknowledged: Int { get }
  /// The longest wait that is over, in seconds.
  var longestWait: Double { get }
  /// The lengths of the queue, oldest first, and when they began.
  var depths: [(time: Timestamp, pending: Int)] { get }

  mutating func handle(_ record: Record, at time: Timestamp)
  /// How long what waits longest has waited at a moment, in seconds.
  func longestWaiting(at moment: Timestamp) -> Double
}
