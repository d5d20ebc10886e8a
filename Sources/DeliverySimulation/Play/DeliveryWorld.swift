import DeliveryCore
public import SimulationKit
import TelemetryCore

/// Plays a scenario: the very client that apps link, around it a simulated endpoint, clock, disk and app.
package typealias DeliverySimulation = SimulationSession<DeliveryWorld>

/// The very client that apps link, around it a simulated endpoint, clock, disk and app.
public final class DeliveryWorld: SimulationWorld {
  /// The parts of a scenario besides its head and its acts.
  public typealias Setup = DeliverySetup
  /// Something that can happen in it.
  public typealias Act = DeliverySimulationAct
  /// The simulation as it is recorded.
  public typealias State = DeliverySimulationState

  let scenario: DeliveryScenario
  let seed: UInt64
  let branch: Int
  let clock: DeliverySimulationClock
  let journal: MetricJournal
  let disk: SimulatedDisk
  let values = InMemoryKeyValues()
  /// The constants in force.
  var constants: DeliveryConstants
  var director: SimulationDirector<DeliverySimulationAct, DeliverySource>
  var endpoint: SimulatedEndpoint
  var app: SimulatedApp
  /// The process: its client and the calls that wait for it; `nil` while none runs.
  var process: Process?
  /// Processes that were started.
  var starts = 0
  /// The exchange in flight.
  var exchange: SimulatedEndpoint.Exchange?
  /// Events that went with a process.
  var lost = 0

  /// A client and the mailbox of its proxy.
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

  /// Something that is due.
  public enum Upcoming: SimulationEvent {
    /// Something from outside of the client.
    case outside(at: Duration, DeliveryOccurrence)
    /// The end of the exchange in flight.
    case answer(at: Duration)
    /// A deadline of the client.
    case deadline(at: Duration)

    /// When it was, or will be, due.
    public var at: Duration {
      switch self {
      case .outside(let at, _), .answer(let at), .deadline(let at): at
      }
    }
  }

  /// Of several at one moment, the one from outside, then the answer.
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

  /// Something that is due, in a few words.
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

  /// Lets what is due happen, at its moment.
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

  /// Lets time pass.
  public func advance(to moment: Duration) { clock.advance(to: moment) }
}

/// Something besides the client's own doing: an act of the script, or an event that comes at random.
public struct DeliveryOccurrence: Sendable {
  let what: DeliveryWorld.Occurrence
}

/// Recurring events from outside.
enum DeliverySource: CaseIterable, Hashable, Sendable {
  /// An event of the app.
  case app
}

extension DeliveryWorld {
  typealias Occurrence = SimulationDirector<DeliverySimulationAct, DeliverySource>.Occurrence
}

extension DeliveryWorld.Occurrence {
  /// The thing that is due, in a few words.
  var words: String {
    switch self {
    case .script(let timed): timed.act.words
    case .recurring(.app): "an event"
    }
  }
}
