import DeliveryCore
public import Essentials
public import SimulationKit

extension DeliveryScenario {
  /// Reads a scenario from JSON5.
  ///
  /// - Throws: ``ScenarioError`` for what is no scenario, with the place.
  public init(json5 data: Data) throws(ScenarioError) {
    do throws(ScenarioError) {
      var reader = try ScenarioReader(json5: data)
      try self.init(&reader)
      try reader.finish()
    } catch {
      throw error.located(in: data)
    }
  }

  private init(_ reader: inout ScenarioReader) throws(ScenarioError) {
    let head = try reader.head(of: "delivery")
    self.init(
      name: head.name, title: head.title, story: head.story, seed: head.seed, start: head.start,
      duration: head.duration)
    if let value = reader.value("options") { options = try DeliveryConstants(value, at: "options") }
    for (index, value) in try reader.list("acts").enumerated() {
      let act = try DeliveryTimedAct(value, at: "acts[\(index)]")
      try ScenarioReader.check(act.at, isBeforeEnd: duration, at: "acts[\(index)]")
      acts.append(act)
    }
    acts = acts.inOrder
    expectedFrom = try reader.seconds("expectedFrom", in: ScenarioReader.moments) ?? .zero
    expected = try reader.lines("expected")
  }
}

extension DeliveryConstants {
  static let intervals: ClosedRange<Int64> = 1...86_400
  static let sizes: ClosedRange<Int64> = 1...1_000_000
  static let diskSizes: ClosedRange<Int64> = 0...1_000_000
  static let batchSizes: ClosedRange<Int64> = 1...10_000
  static let failures: ClosedRange<Int64> = 1...1_000

  fileprivate init(_ value: JSON5Value, at place: String) throws(ScenarioError) {
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

extension DeliveryTimedAct {
  /// Reads an act from an element of a scenario's list.
  fileprivate init(_ value: JSON5Value, at place: String) throws(ScenarioError) {
    var reader = try ScenarioReader(value, at: place)
    let (moment, verb) = try reader.act(Verb.self)
    self.init(at: moment, try verb.act(&reader), isByHand: try reader.bool("byHand", else: false))
    try reader.finish()
  }

  /// The acts as scenarios name them.
  private enum Verb: String, CaseIterable {
    case fault, clearFaults, offline, online
    case track, identify, group, screen, page, alias, generate
    case flush, background, foreground, reset, start, terminate, kill, leap, configure

    func act(_ reader: inout ScenarioReader) throws(ScenarioError) -> DeliverySimulationAct {
      switch self {
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
