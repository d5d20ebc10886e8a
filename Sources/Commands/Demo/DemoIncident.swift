import TelemetryCore

/// Something that goes wrong in the sample app for a while.
package struct DemoIncident: Equatable, Sendable {
  /// What goes wrong.
  package enum Kind: String, CaseIterable, Sendable {
    /// Requests take six times as long.
    case latencySpike
    /// Half of all requests fail, and the breaker opens.
    case errorBurst
    /// Queries take eight times as long, frames drop.
    case slowDisk
    /// The app is in the background and records nothing.
    case suspended
    /// Memory grows until the system warns.
    case memoryPressure
  }

  package let kind: Kind
  /// Seconds since the start of the demo.
  package let start: Double
  /// Seconds since the start of the demo.
  package let end: Double
}

/// When which incident happens: one per slot of a minute, in an order that repeats.
struct DemoSchedule: Sendable {
  static let slot = 60.0

  private let seed: UInt64

  init(seed: UInt64) {
    self.seed = seed
  }

  /// The incident of the slot that a moment is in, if there is one and it is on at that moment.
  ///
  /// - Parameter time: Seconds since the start of the demo.
  func incident(at time: Double) -> DemoIncident? {
    guard let incident = incident(inSlot: Int(time / Self.slot)) else { return nil }
    return incident.start <= time && time < incident.end ? incident : nil
  }

  /// The incident of a slot; every sixth slot is quiet.
  func incident(inSlot slot: Int) -> DemoIncident? {
    let order = DemoIncident.Kind.allCases
    let position = slot % (order.count + 1)
    guard slot >= 0, position < order.count else { return nil }
    var random = SimulationRandom(seed: seed &+ UInt64(truncatingIfNeeded: slot) &* 0x1000_0001)
    let begin = Double(slot) * Self.slot + 15 + random.unit() * 20
    return DemoIncident(kind: order[position], start: begin, end: begin + 8 + random.unit() * 12)
  }
}
