import Codecs
import DeliveryCore
public import Essentials
// Tests use scenarios and errors of this module.
@_exported public import SimulationKit

extension DeliveryScenario {
  /// Reads a scenario from JSON5.
  ///
  /// - Throws: ``ScenarioError`` with the location of the problem.
  public init(json5 data: Data) throws(ScenarioError) { try self.init(reading: data) }

  /// The scenario as readable JSON5; ``init(json5:)`` reads it back to the same value.
  ///
  /// Only what files cannot express is lost: fractions of milliseconds, and a missing duration, which the reader
  /// requires.
  public var json5: String { text }

  /// Plays the scenario and compares the decisions with the ``expected`` ones.
  ///
  /// - Returns: Descriptions of the first differences; empty if there are none.
  /// - Throws: The error of a malformed entry.
  public func differences() throws -> [String] { differences(of: try course()) }
}

extension DeliveryWorld: ScenarioWorld {
  package static let engine = ScenarioEngine(
    name: "delivery", title: "delivery client", isWritten: true,
    comment: "A scenario of the delivery client; `mistertop simulate --delivery FILE` plays it.",
    hasCaptions: false, module: "DeliverySimulation", scenario: "DeliveryScenario", line: "line",
    lines: "decisions")

  package typealias Formatter = DecisionFormatter

  /// The names of acts in scenarios.
  package enum Verb: String, CaseIterable {
    case fault, clearFaults, offline, online
    case track, identify, group, screen, page, alias, generate
    case flush, sendRefusedAgain, background, foreground, reset, start, terminate, kill, leap, configure
  }

  package static func setup(_ reader: inout ScenarioReader) throws(ScenarioError) -> DeliverySetup {
    var setup = DeliverySetup()
    if let value = reader.value("options") { setup.options = try DeliveryConstants(value, at: "options") }
    return setup
  }

  package static func lines(of setup: DeliverySetup) -> [String] {
    setup.options.json5.map { ["  options: \($0),"] } ?? []
  }

  package static func act(
    _ verb: Verb, _ reader: inout ScenarioReader, in setup: DeliverySetup
  ) throws(ScenarioError) -> DeliverySimulationAct {
    switch verb {
    case .fault: .fault(try EndpointFaultSetting(&reader))
    case .clearFaults: .clearFaults
    case .offline: .fault(EndpointFaultSetting(.offline))
    case .online: .fault(EndpointFaultSetting(.offline, isOn: false))
    case .track: .event(try SimulatedEvent(.track, &reader))
    case .identify: .event(try SimulatedEvent(.identify, &reader))
    case .group: .event(try SimulatedEvent(.group, &reader))
    case .screen: .event(try SimulatedEvent(.screen, &reader))
    case .page: .event(try SimulatedEvent(.page, &reader))
    case .alias: .event(try SimulatedEvent(.alias, &reader))
    case .generate:
      .generate(perMinute: try reader.number("perMinute", in: DeliverySimulationAct.rates) ?? 60)
    case .flush: .flush
    case .sendRefusedAgain: .sendRefusedAgain
    case .background: .background
    case .foreground: .foreground
    case .reset: .reset
    case .start: .start
    case .terminate: .terminate
    case .kill: .kill
    case .leap: .leap(try reader.seconds("seconds", in: DeliverySimulationAct.leaps) ?? .seconds(3_600))
    case .configure:
      .configure(
        try reader.value("options").map { value throws(ScenarioError) in
          try DeliveryConstants(value, at: reader.place(of: "options"))
        } ?? DeliveryConstants())
    }
  }

  package static func members(of act: DeliverySimulationAct) -> (verb: Verb, others: [String]) { act.members }

  package var outcome: String? { DecisionFormatter.end(of: self) }
}

extension DeliveryConstants {
  static let intervals: ClosedRange<Int64> = 1...86_400
  static let sizes: ClosedRange<Int64> = 1...1_000_000
  static let diskSizes: ClosedRange<Int64> = 0...1_000_000
  static let batchSizes: ClosedRange<Int64> = 1...10_000
  static let failures: ClosedRange<Int64> = 1...1_000

  fileprivate init(_ value: JSONValue, at place: String) throws(ScenarioError) {
    var reader = try ScenarioReader(value, at: place)
    self.init()
    func read(_ name: String, in range: ClosedRange<Int64>, else standard: Int) throws(ScenarioError) -> Int {
      try reader.whole(name, in: range).map { Int($0) } ?? standard
    }
    flushIntervalSeconds = try read(
      "flushIntervalSeconds", in: Self.intervals, else: flushIntervalSeconds)
    maxQueueEvents = try read("maxQueueEvents", in: Self.sizes, else: maxQueueEvents)
    maxDiskEvents = try read("maxDiskEvents", in: Self.diskSizes, else: maxDiskEvents)
    diskFlushEvents = try read("diskFlushEvents", in: Self.sizes, else: diskFlushEvents)
    batchSize = try read("batchSize", in: Self.batchSizes, else: batchSize)
    breakerFailures = try read("breakerFailures", in: Self.failures, else: breakerFailures)
    breakerSeconds = try read("breakerSeconds", in: Self.intervals, else: breakerSeconds)
    trackLifecycleEvents = try reader.bool("trackLifecycleEvents", else: trackLifecycleEvents)
    try reader.finish()
  }
}

extension SimulatedEvent {
  fileprivate init(_ kind: EventDraft.Kind, _ reader: inout ScenarioReader) throws(ScenarioError) {
    let range = Int64(Self.counts.lowerBound)...Int64(Self.counts.upperBound)
    self.init(
      kind, name: try reader.optionalText("name"),
      count: try reader.whole("count", in: range).map { Int($0) } ?? 1)
  }
}
