package import MisterMetricsCore
package import Platform
import SimulationKit

/// A made-up app that measures itself: seed and time in, records out.
///
/// The same seed and start give the same records, regardless of the steps in which time passes. No code here reads a
/// clock.
///
/// ```swift
/// var app = DemoApp(seed: 1, start: Timestamp(816_918_481))
/// let firstMinute = app.records(until: app.start + 60)
/// ```
package struct DemoApp: Sendable {
  /// The time at which the demo begins.
  package let start: Timestamp

  private let emitters: [DemoEmitter]
  private var state: DemoState
  /// The next time of each emitter, in seconds since the start.
  private var due: [Double]

  /// Creates an app that has recorded nothing yet.
  ///
  /// - Parameters:
  ///   - seed: Makes this run different from others.
  ///   - start: The time at which the demo begins.
  ///   - slowness: Latency as a multiple of that of other devices.
  package init(seed: UInt64, start: Timestamp, slowness: Double = 1) {
    self.start = start
    emitters = DemoEmitter.all
    state = DemoState(random: SimulationRandom(seed: seed), slowness: slowness)
    due = []
    for emitter in emitters { due.append(emitter.delay(&state.random)) }
  }

  /// The incident in progress at a time, if any.
  package func incident(at time: Timestamp) -> DemoIncident? {
    DemoStory.incident(at: time - start)
  }

  /// The entries recorded since the last call (or the start) up to a time, oldest first.
  ///
  /// - Parameter time: The end, exclusive.
  package mutating func records(until time: Timestamp) -> [MetricEntry] {
    var log = DemoLog(start: start)
    while let index = nextDue, due[index] < time - start { fire(index, into: &log) }
    return log.entries
  }

  /// Skips everything up to a time, as if the app had been suspended.
  package mutating func skip(to time: Timestamp) {
    for index in due.indices where due[index] < time - start {
      due[index] = time - start + min(emitters[index].pause(&state.random), state.random.unit())
    }
    state.isResuming = true
  }

  private var nextDue: Int? {
    due.indices.min { due[$0] < due[$1] }
  }

  private mutating func fire(_ index: Int, into log: inout DemoLog) {
    let emitter = emitters[index]
    let moment = due[index]
    let incident = DemoStory.incident(at: moment)
    if let incident, incident.kind == .suspended {
      // A suspended app does nothing; every emitter is due within a second of its resuming.
      due[index] = incident.end + min(emitter.pause(&state.random), state.random.unit())
      state.isResuming = true
      return
    }
    due[index] = moment + emitter.pause(&state.random)
    state.advance(to: moment, incident: incident)
    log.moment = moment
    emitter.record(&state, &log)
  }
}

/// The entries recorded in one step.
struct DemoLog {
  private(set) var entries: [MetricEntry] = []
  /// Seconds since the start of the demo.
  var moment = 0.0

  private let start: Timestamp

  init(start: Timestamp) {
    self.start = start
  }

  mutating func add<T>(_ metric: Metric<T>, _ value: T) {
    entries.append(MetricEntry(timestamp: (start + moment).date, metric: metric, value: value))
  }
}
