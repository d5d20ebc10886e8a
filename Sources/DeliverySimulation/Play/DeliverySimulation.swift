import DeliveryCore
package import Essentials
import MisterMetricsCore
import SimulationKit
import TelemetryCore

/// Plays a scenario: the very client that apps link, around it a simulated endpoint, clock, disk and app.
///
/// Everything happens inside ``step()``, on the caller's thread and without waiting; the same scenario, seed and acts by
/// hand give the same record to the byte, however fast it is played. What happens is taken out with ``takeEntries()`` and
/// belongs into a `MetricStore`.
package final class DeliverySimulation {
  /// The scenario being played.
  package let scenario: DeliveryScenario
  /// The seed in force.
  package let seed: UInt64
  /// The branch that is played; 0 is the main one.
  package let branch: Int
  /// The branch that this one began in.
  package let parent: Int?
  /// How many steps were taken: those by themselves and those by hand.
  package var steps = 0
  /// How fast its time goes for those who watch; 1 is as fast as ours.
  package var speed = 1.0
  /// True if it runs on by itself.
  package var isRunning = true
  /// Acts by people, and as which step.
  package var actsByHand: [(step: Int, act: DeliveryTimedAct)] = []
  /// Former fault settings from before people changed them, the last one last.
  package var undoable: [[EndpointFaultSetting]] = []
  /// Behind this moment nothing happens by itself; `nil` for no end.
  package var end: Duration?
  /// When the last step was taken; none is at 0.
  package internal(set) var lastStep = Duration.zero

  let clock: DeliverySimulationClock
  let journal: MetricJournal
  let disk: SimulatedDisk
  let values = InMemoryKeyValues()
  /// The constants in force.
  var constants: DeliveryConstants
  var director: DeliveryDirector
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
  var entries: [MetricEntry] = []
  var recorded: DeliverySimulationState?

  /// A client and the mailbox of its proxy.
  struct Process {
    var core: ClientCore
    var calls: CallQueue
  }

  /// A simulation at the start of its scenario.
  ///
  /// - Parameters:
  ///   - scenario: What to play.
  ///   - seed: Another seed than the scenario's.
  package convenience init(_ scenario: DeliveryScenario, seed: UInt64? = nil) {
    self.init(scenario, seed: seed ?? scenario.seed, branch: 0, parent: nil)
  }

  init(_ scenario: DeliveryScenario, seed: UInt64, branch: Int, parent: Int?) {
    self.scenario = scenario
    self.seed = seed
    self.branch = branch
    self.parent = parent
    let clock = DeliverySimulationClock(start: scenario.start)
    self.clock = clock
    journal = MetricJournal(stamp: { clock.recordTime })
    end = scenario.duration
    director = DeliveryDirector(acts: scenario.acts.inOrder, random: SimulationRandom(seed: seed, stream: 1))
    endpoint = SimulatedEndpoint(random: SimulationRandom(seed: seed, stream: 2))
    app = SimulatedApp(random: SimulationRandom(seed: seed, stream: 3))
    disk = SimulatedDisk(random: SimulationRandom(seed: seed, stream: 4))
    constants = scenario.options
    begin()
  }

  // MARK: - Time

  /// The time since the start.
  package var now: Duration { clock.now }

  /// The moment of the calendar.
  package var recordTime: Date { clock.recordTime }

  /// The next thing to happen, and when; `nil` when the scenario is over or nothing is left to happen.
  package var next: (at: Duration, purpose: String)? {
    guard let upcoming else { return nil }
    let moment = max(upcoming.moment, now)
    switch upcoming {
    case .world(_, let what): return (moment, what.words)
    case .answer: return (moment, exchange?.purpose ?? "answer")
    case .deadline: return (moment, purposeOfDeadline)
    }
  }

  enum Upcoming {
    /// Something from outside of the client.
    case world(at: Duration, DeliveryDirector.Occurrence)
    /// The end of the exchange in flight.
    case answer(at: Duration)
    /// A deadline of the client.
    case deadline(at: Duration)

    var moment: Duration {
      switch self {
      case .world(let at, _), .answer(let at), .deadline(let at): at
      }
    }
  }

  private var upcoming: Upcoming? {
    let soonest = earliest
    if let soonest, let end, soonest.moment > end { return nil }
    return soonest
  }

  /// The first thing due, even if it is behind the end; of several at one moment, the one from outside, then the
  /// answer.
  var earliest: Upcoming? {
    var soonest: Upcoming?
    func consider(_ other: Upcoming?) {
      guard let other, soonest.map({ other.moment < $0.moment }) ?? true else { return }
      soonest = other
    }
    consider(director.next.map { .world(at: $0.at, $0.what) })
    consider(exchange.map { .answer(at: $0.end) })
    consider(process?.core.nextDeadline.map { .deadline(at: $0) })
    return soonest
  }

  private var purposeOfDeadline: String {
    guard let machine = process?.core.machine, let deadline = machine.nextDeadline else { return "" }
    if case .returning(deadline) = machine.network { return "the network counts as back" }
    if machine.inFlight?.deadline == deadline { return "the transport times out" }
    return machine.retryAt == deadline ? "next attempt" : "flush by the timer"
  }

  /// Lets the next thing happen.
  ///
  /// - Returns: Whether there was one; at the end of the scenario there is none.
  @discardableResult
  package func step() -> Bool {
    guard let upcoming else { return false }
    take(upcoming)
    return true
  }

  /// Takes one step by itself.
  func take(_ upcoming: Upcoming) {
    steps += 1
    clock.advance(to: upcoming.moment)
    settleArrival()
    switch upcoming {
    case .world(_, let what):
      director.take(what, at: now)
      happen(what)
    case .answer: conclude()
    case .deadline:
      process?.core.tick()
      perform()
    }
    settleDown()
  }

  /// Lets time pass up to a moment, but not beyond the next thing that happens and not beyond the end.
  package func advance(to moment: Duration) {
    let limits = [earliest?.moment, end].compactMap(\.self)
    clock.advance(to: limits.reduce(moment) { min($0, $1) })
  }
}
