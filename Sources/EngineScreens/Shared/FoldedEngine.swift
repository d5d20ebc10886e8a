import Codecs
package import DashboardCore
package import Platform

/// The known state of an engine at one moment, folded only from its record.
///
/// The same entries yield the same value, regardless of their writer and of the time of reading: live, in the past, or
/// from another program's file.
package protocol FoldedEngine: Sendable, Equatable {
  associatedtype Record: EngineRecord
  /// An entry listed in its timeline.
  associatedtype Entry: EngineEntry

  /// An engine without any entry.
  init()
  /// The part that all engines fold in the same way.
  var basics: EngineBasics<Record, Entry> { get }
  /// True if no entry of it was ever recorded.
  var isEmpty: Bool { get }
  /// True if its process is running, according to the record.
  var isRunning: Bool { get }
  /// The last recorded end of a wait that the screen counts down.
  var waitEnd: Timestamp? { get }
  /// The latest line of its scenario's story; `nil` if there was none.
  var story: String? { get }
  /// The progress of its queue, starting from this state.
  var progress: EngineProgress { get }

  /// Folds one entry.
  mutating func handle(_ record: Record, at time: Timestamp)
  /// Folds one entry into the progress of a queue.
  static func fold(_ record: Record, at time: Timestamp, into progress: inout EngineProgress)
  /// The manual act that the next entry reports; `nil` if it reports none.
  ///
  /// - Parameter isDue: True if an event was due at its moment, which happens by itself.
  func deed(in record: Record, isDue: Bool) -> EngineDeed?
}

/// An incident of an engine.
package enum EngineIncident: Hashable, Sendable {
  case breakerOpened, faultOn
}

/// A value with the time of its record.
package struct RecordedValue<Value: Sendable & Equatable>: Sendable, Equatable {
  package let time: Timestamp
  package let value: Value
}

/// The content of one recorded entry about an engine.
package protocol EngineRecord: Sendable {
  associatedtype Simulation: SimulationStatement
  associatedtype Breaker: BreakerStatement

  /// `nil` for an entry whose value does not match its metric.
  init?(_ raw: RawEngineEntry)
  /// The branch of the entry; `nil` if it names none.
  var branch: Int? { get }
  /// The simulation's statement about itself; `nil` for all other entries.
  var simulation: Simulation? { get }
}

extension RawEngineEntry {
  /// The value as a record; `nil` if it does not match its metric.
  func decoded<Value: Decodable, Record>(_ make: (Value) -> Record) -> Record? {
    FlatDecoder.decode(Value.self, from: json).map(make)
  }
}

/// A simulation's statement about itself, written whenever any part of it has changed.
package protocol SimulationStatement: Sendable, Equatable {
  var scenario: String? { get }
  var seed: Int { get }
  /// Number of steps taken.
  var step: Int { get }
  /// The branch; 0 is the main branch.
  var branch: Int { get }
  /// The parent of the branch.
  var parent: Int? { get }
  /// The pace of its time; 1 is real time.
  var speed: Double { get }
  /// True if it runs by itself.
  var running: Bool { get }
  /// The next event.
  var next: String? { get }
  /// The time of the next event, in seconds since 2001.
  var nextAt: Double? { get }
}

/// A description of a manual act.
package enum EngineDeed: Hashable, Sendable {
  /// A single act.
  case once(String)
  /// Acts of one kind, to be counted.
  case counted(String)
}

/// The last setting of a fault.
package struct RecordedFault: Hashable, Sendable {
  /// The name of the fault.
  let fault: String
  let amount: Double
  let probability: Double
  let scope: String
  let isOn: Bool
  let isByHand: Bool
}
