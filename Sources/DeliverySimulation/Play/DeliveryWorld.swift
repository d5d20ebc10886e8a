import DeliveryCore
public import SimulationKit
import TelemetryCore

/// Plays a scenario with the same client that apps link, and a simulated endpoint, clock, disk and app.
package typealias DeliverySimulation = SimulationSession<DeliveryWorld>

/// The same client that apps link, with a simulated endpoint, clock, disk and app.
public final class DeliveryWorld: SimulationWorld {
  /// The parts of a scenario other than its head and its acts.
  public typealias Setup = DeliverySetup
  /// An act of the script or by hand.
  public typealias Act = DeliverySimulationAct
  /// The recorded state of the simulation.
  public typealias State = DeliverySimulationState

  let scenario: DeliveryScenario
  let seed: UInt64
  let branch: Int
  let clock: DeliverySimulationClock
  let journal: MetricJournal
  let disk: SimulatedDisk
  let values = InMemoryKeyValues()
  /// The events that the endpoint refused.
  let refused = InMemoryKeyValues()
  /// The current constants.
  var constants: DeliveryConstants
  var director: SimulationDirector<DeliverySimulationAct, DeliverySource>
  var endpoint: SimulatedEndpoint
  var app: SimulatedApp
  /// The process, with its client and waiting calls; `nil` if none is running.
  var process: Process?
  /// Number of client starts, including those after a reset.
  var starts = 0
  /// The exchange in flight.
  var exchange: SimulatedEndpoint.Exchange?
  /// Number of events lost with a process.
  var lost = 0

  /// A client and the queue of its proxy.
  struct Process {
    var core: ClientCore
    var calls: CallQueue
  }

  /// A world at the start of a scenario.
  public init(playing scenario: DeliveryScenario, seed: UInt64, branch: Int) {
    self.scenario = scenario
    self.seed = seed
    self.branch = branch
    let clock = DeliverySimulationClock(start: scenario.start)
    self.clock = clock
    journal = MetricJournal(stamp: { clock.recordTime })
    director = SimulationDirector(acts: scenario.acts, random: SimulationRandom(seed: seed, stream: 1))
    endpoint = SimulatedEndpoint(random: SimulationRandom(seed: seed, stream: 2))
    app = SimulatedApp(random: SimulationRandom(seed: seed, stream: 3))
    disk = SimulatedDisk(random: SimulationRandom(seed: seed, stream: 4))
    constants = scenario.options
  }

  /// The app starts.
  public func begin() { _ = start() }

  // MARK: - Time

  /// The time since the start.
  public var now: Duration { clock.now }

  /// An event that is due.
  public enum Upcoming: SimulationEvent {
    /// An event from outside the client.
    case outside(at: Duration, DeliveryOccurrence)
    /// The end of the exchange in flight.
    case answer(at: Duration)
    /// A deadline of the client.
    case deadline(at: Duration)

    /// Time at which it is due.
    public var at: Duration {
      switch self {
      case .outside(let at, _), .answer(let at), .deadline(let at): at
      }
    }
  }

  /// The next event; at the same time, those from outside come first, then the answer.
  public var earliest: Upcoming? {
    var soonest: Upcoming?
    func consider(_ other: Upcoming?) {
      guard let other, soonest.map({ other.at < $0.at }) ?? true else { return }
      soonest = other
    }
    consider(director.next.map { .outside(at: $0.at, DeliveryOccurrence(what: $0.what)) })
    consider(exchange.map { .answer(at: $0.end) })
    consider(process?.core.nextDeadline.map { .deadline(at: $0) })
    return soonest
  }

  /// A short description of an event.
  public func purpose(of upcoming: Upcoming) -> String {
    switch upcoming {
    case .outside(_, let occurrence): occurrence.what.words
    case .answer: exchange?.purpose ?? "answer"
    case .deadline: purposeOfDeadline
    }
  }

  private var purposeOfDeadline: String {
    guard let machine = process?.core.machine, let deadline = machine.nextDeadline else { return "" }
    if case .returning(deadline) = machine.network { return "the network counts as back" }
    if machine.inFlight?.deadline == deadline { return "the transport times out" }
    return machine.retryAt == deadline ? "next attempt" : "flush by the timer"
  }

  /// Executes an event at its time.
  public func take(_ upcoming: Upcoming) {
    clock.advance(to: upcoming.at)
    settleArrival()
    switch upcoming {
    case .outside(_, let occurrence):
      director.take(occurrence.what, at: now)
      happen(occurrence.what)
    case .answer: conclude()
    case .deadline:
      process?.core.tick()
      perform()
    }
  }

  /// Advances time.
  public func advance(to moment: Duration) { clock.advance(to: moment) }
}

/// An event from outside the client: an act of the script, or a random event of the app.
public struct DeliveryOccurrence: Sendable {
  let what: DeliveryWorld.Occurrence
}

/// Recurring events from outside the client.
enum DeliverySource: CaseIterable, Hashable, Sendable {
  /// An event of the app.
  case app
}

extension DeliveryWorld {
  typealias Occurrence = SimulationDirector<DeliverySimulationAct, DeliverySource>.Occurrence
}

extension DeliveryWorld.Occurrence {
  /// A short description of the event.
  var words: String {
    switch self {
    case .script(let timed): timed.act.words
    case .recurring(.app): "an event"
    }
  }
}
