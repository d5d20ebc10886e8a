import Codecs
package import DashboardCore
package import Platform

/// All that is known of an engine at one moment, folded from its record and from nothing else.
///
/// The same entries give the same value, whoever wrote them and whenever they are read: live, in the past, or from
/// another program's file.
package protocol FoldedEngine: Sendable, Equatable {
  associatedtype Record: EngineRecord
  /// An entry listed in its timeline.
  associatedtype Entry: EngineEntry

  /// An engine of which nothing was recorded.
  init()
  /// The part that is folded in the same way for all engines.
  var basics: EngineBasics<Record, Entry> { get }
  /// True if nothing was ever recorded of it.
  var isEmpty: Bool { get }
  /// True if its process runs, as far as that was recorded.
  var isRunning: Bool { get }
  /// The end of a wait that is counted down on the screen, as it was recorded last.
  var waitEnd: Timestamp? { get }
  /// The last words of its scenario's story; `nil` if there were none.
  var story: String? { get }
  /// The progress of its queue from this state on.
  var progress: EngineProgress { get }

  /// Folds one entry.
  mutating func handle(_ record: Record, at time: Timestamp)
  /// Folds one entry into the progress of a queue.
  static func fold(_ record: Record, at time: Timestamp, into progress: inout EngineProgress)
  /// The manual act that the next entry reports; `nil` where it reports none.
  ///
  /// - Parameter isDue: Whether something was due at its moment, which comes by itself.
  func deed(in record: Record, isDue: Bool) -> EngineDeed?
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
  associatedtype Breaker: BreakerStatement

  /// `nil` for an entry whose value is not what its metric promises.
  init?(_ raw: RawEngineEntry)
  /// The branch that the entry belongs to; `nil` for what does not say.
  var branch: Int? { get }
  /// The simulation's statement about itself; `nil` for everything else.
  var simulation: Simulation? { get }
}

extension RawEngineEntry {
  /// The value as a record; `nil` where it is not what its metric promises.
  func decoded<Value: Decodable, Record>(_ make: (Value) -> Record) -> Record? {
    FlatDecoder.decode(Value.self, from: json).map(make)
  }
}

/// A simulation's statement about itself, made whenever something about it changed.
package protocol SimulationStatement: Sendable, Equatable {
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
