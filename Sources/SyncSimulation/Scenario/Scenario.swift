public import SimulationKit
public import Sync

/// A story for the simulator: what is there at the start, what happens when, and which transitions follow.
public typealias Scenario = DrivenScenario<SyncWorld>

/// Something that happens at a moment of a scenario.
public typealias TimedAct = DrivenTimedAct<SimulationAct>

/// The parts of a scenario of the sync engine besides its head and its acts.
public struct SyncSetup: ScenarioSetup {
  /// Entities of one kind that are there at the start.
  public struct Content: Hashable, Sendable {
    /// The name of the kind.
    public let kind: String
    /// How many there are.
    public let count: Int
    /// Their ids, where they have some that matter.
    public let ids: [String]

    /// A number of entities of a kind.
    public init(kind: String, count: Int) {
      (self.kind, self.count, ids) = (kind, count, [])
    }

    /// Those entities of a kind.
    public init(kind: String, ids: [String]) {
      (self.kind, self.count, self.ids) = (kind, ids.count, ids)
    }
  }

  /// The constants of the engine.
  public var configuration = SyncConfiguration()
  /// The kinds of entities that there are, in the order in which creates are pushed.
  public var domain = SyncDomain.sample
  /// The server's content at the start.
  public var content: [Content] = []
  /// True if the device has been synced with that content before; otherwise it is new and empty.
  public var isSettled = false
  /// True if the server names versions and refuses what was made on another one.
  public var hasVersions = false
  /// True if the server's cursors are texts.
  public var hasOpaqueCursors = false
  /// How long a session with the server lasts after somebody has signed in; `nil` for ever.
  public var session: Duration?
  /// Draws for the engine's waits, each from 0 to 1, before its chance comes from the seed.
  public var chance: [Double] = []

  /// The usual setup: a new device, a server without anything.
  public init() {}
}

extension Scenario {
  /// Entities of one kind that are there at the start.
  public typealias Content = SyncSetup.Content
}

/// An act in a simulation, by the script or by hand.
public enum SimulationAct: Hashable, Sendable {
  /// A fault is set, on or off.
  case fault(FaultSetting)
  /// Every fault is switched off.
  case clearFaults
  /// Changes are made on the device.
  case change(SimulatedChange)
  /// Changes are made by others on the server.
  case remoteChange(SimulatedChange)
  /// From now on changes come at random, so many a minute on average; 0 ends that.
  case generate(isRemote: Bool, perMinute: Double)
  /// From now on the app asks for a run that often while it is online, and after each change if it is to.
  case trigger(every: Duration?, afterChanges: Bool)
  /// Somebody asks for a run.
  case requestSync
  /// Somebody resets the breaker.
  case resetBreaker
  /// Somebody removes all waiting mutations.
  case clearPending
  /// Somebody has everything fetched again.
  case forceResync
  /// Somebody moves the cursor to the server's newest.
  case skipToLatest
  /// Somebody drops the store's handle.
  case resetStore
  /// Somebody signs in: a new session with the server begins.
  case signIn
  /// The device loses its power and starts again.
  case powerCut
  /// The device sleeps for that long.
  case leap(Duration)
  /// The constants of the engine change.
  case configure(SyncConfiguration)
  /// Calls of one sort are answered in that way from now on.
  case answer(SimulatedAnswer)
}

/// Changes of entities of one kind.
public struct SimulatedChange: Hashable, Sendable {
  /// The operation.
  public let operation: Mutation.Operation
  /// The name of the kind.
  public let kind: String
  /// How many entities are changed.
  public let count: Int
  /// True if the server will refuse it however often it is sent.
  public let isPoison: Bool
  /// The id of the one entity that is changed; `nil` for any.
  public let id: String?
  /// The id of the entity that a new one belongs to; `nil` for any, or none where it has an id of its own.
  public let owner: String?
  /// Of changes by others: whether what was changed here wins where the two meet; `nil` where the engine's rule decides.
  public let localWins: Bool?

  /// How many entities one change can be of.
  static let counts = 1...100_000

  /// A change; a number that is out of range is moved to its next end.
  public init(
    _ operation: Mutation.Operation, kind: String, count: Int = 1, isPoison: Bool = false, id: String? = nil,
    owner: String? = nil, localWins: Bool? = nil
  ) {
    self.operation = operation
    self.kind = kind
    self.count = id == nil ? min(max(count, Self.counts.lowerBound), Self.counts.upperBound) : 1
    self.isPoison = isPoison
    self.id = id
    self.owner = owner
    self.localWins = localWins
  }
}

extension SimulationAct: DrivenAct {
  /// The setting that it sets.
  public var faultSetting: FaultSetting? {
    if case .fault(let setting) = self { setting } else { nil }
  }

  /// How many changes come in a minute; 0 for none any more.
  static let rates = 0.0...6_000
  /// How often an app asks for runs, in seconds; a period of nothing would be a run without an end at one moment.
  static let periods = 0.1...86_400
  /// How long a device sleeps, in seconds.
  static let leaps = 0.0...366 * 86_400

  /// The act with what it is about moved to the next end of what there is; what is no number is the lower end.
  public var bounded: SimulationAct {
    switch self {
    case .generate(let isRemote, let perMinute):
      .generate(isRemote: isRemote, perMinute: perMinute > 0 ? min(perMinute, Self.rates.upperBound) : 0)
    case .trigger(let period, let afterChanges):
      .trigger(every: period.map { $0.bounded(to: Self.periods) }, afterChanges: afterChanges)
    case .leap(let duration): .leap(duration.bounded(to: Self.leaps))
    default: self
    }
  }
}
