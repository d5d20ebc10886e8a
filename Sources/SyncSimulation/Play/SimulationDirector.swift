import Codecs
import SimulationKit
import Sync

/// Says what happens next besides the engine's own doing: the script, changes that come at random, and the app's habit
/// of asking for runs.
struct SimulationDirector: Sendable {
  /// Something that is due.
  enum Occurrence: Hashable, Sendable {
    /// The next act of the script.
    case script(TimedAct)
    /// A change on the device, or by others.
    case arrival(isRemote: Bool)
    /// The app asks for a run.
    case trigger
  }

  /// Changes that come at random.
  private struct Arrivals {
    var perMinute = 0.0
    var next: Duration?
  }

  private let acts: [TimedAct]
  private var position = 0
  private var local = Arrivals()
  private var remote = Arrivals()
  private var triggerPeriod: Duration?
  private var nextTrigger: Duration?
  /// True if the app asks for a run after each change on the device.
  private(set) var asksAfterChanges = false
  private var random: SimulationRandom

  init(acts: [TimedAct], random: SimulationRandom) {
    self.acts = acts
    self.random = random
  }

  /// The next thing due, and when; of several at one moment the script comes first.
  var next: (at: Duration, what: Occurrence)? {
    var soonest: (at: Duration, what: Occurrence)?
    func consider(_ moment: Duration?, _ what: Occurrence) {
      guard let moment, soonest.map({ moment < $0.at }) ?? true else { return }
      soonest = (moment, what)
    }
    if acts.indices.contains(position) {
      consider(acts[position].at, .script(acts[position]))
    }
    consider(local.next, .arrival(isRemote: false))
    consider(remote.next, .arrival(isRemote: true))
    consider(nextTrigger, .trigger)
    return soonest
  }

  /// Takes note that what was due happens now.
  mutating func take(_ what: Occurrence, at now: Duration) {
    switch what {
    case .script: position += 1
    case .arrival(isRemote: false): local.next = now + pause(local.perMinute)
    case .arrival(isRemote: true): remote.next = now + pause(remote.perMinute)
    case .trigger: nextTrigger = triggerPeriod.map { now + $0 }
    }
  }

  /// Lets changes come so many times a minute on average; 0 ends that.
  mutating func generate(isRemote: Bool, perMinute: Double, at now: Duration) {
    let arrivals = Arrivals(perMinute: perMinute, next: perMinute > 0 ? now + pause(perMinute) : nil)
    if isRemote { remote = arrivals } else { local = arrivals }
  }

  /// Lets the app ask for runs, at once for the first time.
  mutating func trigger(every period: Duration?, afterChanges: Bool, at now: Duration) {
    triggerPeriod = period
    nextTrigger = period.map { _ in now }
    asksAfterChanges = afterChanges
  }

  /// The time to the next change, in whole milliseconds so that it is the same on every machine.
  private mutating func pause(_ perMinute: Double) -> Duration {
    let milliseconds = (random.pause(perSecond: perMinute / 60) * 1000).rounded()
    return .milliseconds(milliseconds < 1e12 ? max(1, Int64(milliseconds)) : 1_000_000_000_000)
  }
}

extension SimulationDirector.Occurrence {
  /// The thing that is due, in a few words.
  var words: String {
    switch self {
    case .script(let timed): timed.act.words
    case .arrival(isRemote: false): "a change"
    case .arrival(isRemote: true): "a change by others"
    case .trigger: EngineForecast.appAsks
    }
  }
}

extension SimulationAct {
  /// The act in a few words.
  public var words: String {
    switch self {
    case .fault(let setting): "fault \(setting.fault.words) \(setting.isOn ? "on" : "off")"
    case .clearFaults: "all faults off"
    case .change(let change): change.words
    case .remoteChange(let change): change.words + " by others"
    case .generate(let isRemote, let perMinute):
      "changes\(isRemote ? " by others" : ""): \(Decimals.text(perMinute)) a minute"
    case .trigger(let period, _):
      period.map { "a run every \(Decimals.text($0 / .seconds(1))) s" } ?? "no more regular runs"
    case .requestSync: EngineForecast.sync
    case .resetBreaker: "reset the breaker"
    case .clearPending: "clear the queue"
    case .forceResync: EngineForecast.resync
    case .skipToLatest: "skip to the latest cursor"
    case .resetStore: "reset the store"
    case .signIn: "sign in"
    case .powerCut: "the power is cut"
    case .leap(let duration): "asleep for \(Decimals.text(duration / .seconds(1))) s"
    case .configure: "other constants"
    case .answer(let answer): answer.words
    }
  }
}

extension SimulatedChange {
  /// The change in a few words.
  var words: String { "\(operation.rawValue) \(count == 1 ? "" : "\(count) × ")\(kind)" }
}
