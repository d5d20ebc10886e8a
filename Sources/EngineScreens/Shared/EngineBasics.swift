package import Platform

/// The part of an engine's state that all engines fold in the same way.
package struct EngineBasics<Record: EngineRecord, Entry: EngineEntry>: Sendable, Equatable {
  /// Maximum length of the lists; older values remain in the file.
  private static var listLimit: Int { 500 }

  /// The simulation's last statement about itself; `nil` for an app's engine.
  var simulation: Record.Simulation?
  /// The time of the newest entry, in the order of the record.
  var lastTime: Timestamp?
  private(set) var breaker: RecordedValue<Record.Breaker>?
  private(set) var opens = 0
  /// All faults ever set, in order of their first entry.
  private(set) var faults: [RecordedFault] = []
  private(set) var incidents: [RecordedValue<EngineIncident>] = []
  var timeline = EngineTimeline<Entry>()

  mutating func handle(_ breaker: Record.Breaker, at time: Timestamp) {
    if breaker.isOpen, self.breaker?.value.isOpen != true {
      opens += 1
      Self.append(.breakerOpened, at: time, to: &incidents)
    }
    self.breaker = RecordedValue(time: time, value: breaker)
  }

  mutating func handle(_ fault: RecordedFault, at time: Timestamp) {
    if fault.isOn { Self.append(.faultOn, at: time, to: &incidents) }
    // Faults are unique: a new amount or scope replaces the previous setting.
    if let place = faults.firstIndex(where: { $0.fault == fault.fault }) {
      faults[place] = fault
    } else if faults.count < Self.listLimit {
      faults.append(fault)
    }
  }

  /// Appends to a list of the latest values.
  static func append<Value>(_ value: Value, at time: Timestamp, to list: inout [RecordedValue<Value>]) {
    list.append(RecordedValue(time: time, value: value))
    // Removal in pieces, so that a long record does not move the whole list for every entry.
    if list.count > 2 * listLimit { list.removeFirst(list.count - listLimit) }
  }
}

extension FoldedEngine {
  package var simulation: Record.Simulation? { basics.simulation }
  package var lastTime: Timestamp? { basics.lastTime }
  package var breaker: RecordedValue<Record.Breaker>? { basics.breaker }
  /// Number of times the breaker opened.
  package var opens: Int { basics.opens }
  /// All faults ever set, in order of their first entry.
  package var faults: [RecordedFault] { basics.faults }
  /// Times at which the breaker opened or faults were switched on, oldest first: the marks on the rail.
  package var incidents: [RecordedValue<EngineIncident>] { basics.incidents }
  /// The timeline of its events, oldest first.
  package var timeline: EngineTimeline<Entry> { basics.timeline }
  package var story: String? { nil }

  /// When the next step of a simulation is due.
  var nextStepAt: Timestamp? { simulation?.nextAt.map { Timestamp($0) } }

  /// The sleep of a simulated device, during which nothing is recorded.
  func sleep(at now: Timestamp) -> Range<Timestamp>? {
    guard let words = simulation?.next, let begin = nextStepAt, words.hasPrefix(Self.asleep),
      let seconds = Double(words.dropFirst(Self.asleep.count).dropLast(2)), seconds > 0
    else { return nil }
    let sleep = begin..<begin + seconds
    return sleep.contains(now) ? sleep : nil
  }

  private static var asleep: String { "asleep for " }

  /// The recorded end of the breaker's cooldown.
  var openUntil: Timestamp? { breaker?.value.until.map { Timestamp($0) } }

  /// True if the breaker is open at a moment.
  package func isBreakerOpen(at now: Timestamp) -> Bool {
    guard isRunning, let breaker = breaker?.value, breaker.isOpen else { return false }
    return breaker.until.map { Timestamp($0) > now } ?? true
  }

  /// Seconds until the breaker's cooldown ends; `nil` unless it is open.
  func countdown(at now: Timestamp) -> Double? {
    guard isBreakerOpen(at: now), let openUntil else { return nil }
    return max(0, openUntil - now)
  }

  /// `closed`, `open`, `half-open`, or `cooldown over` while nothing is recorded after it: the next call is the probe.
  func breakerName(at now: Timestamp) -> String {
    guard let breaker = breaker?.value else { return "closed" }
    if isBreakerOpen(at: now) { return "open" }
    return breaker.isOpen ? "cooldown over" : breaker.isHalfOpen ? "half-open" : breaker.state
  }
}

/// A recorded breaker.
package protocol BreakerStatement: Sendable, Equatable {
  var state: String { get }
  /// End of the cooldown, in seconds since 2001.
  var until: Double? { get }
}

extension BreakerStatement {
  package var isOpen: Bool { state == "open" }
  package var isHalfOpen: Bool { state == "halfOpen" }
}
