public import SimulationKit
public import Sync

/// A scenario for the sync simulator: the initial state, timed acts, and the expected transitions.
public typealias Scenario = DrivenScenario<SyncWorld>

/// An act at a moment of a scenario.
public typealias TimedAct = DrivenTimedAct<SimulationAct>

/// The parts of a sync scenario other than its head and its acts.
public struct SyncSetup: ScenarioSetup {
  /// Entities of one kind that exist at the start.
  public struct Content: Hashable, Sendable {
    /// The name of the kind.
    public let kind: String
    /// Number of entities.
    public let count: Int
    /// Their ids, if they matter.
    public let ids: [String]

    /// A number of entities of a kind.
    public init(kind: String, count: Int) {
      (self.kind, self.count, ids) = (kind, count, [])
    }

    /// Entities of a kind, by id.
    public init(kind: String, ids: [String]) {
      (self.kind, self.count, self.ids) = (kind, ids.count, ids)
    }
  }

  /// The constants of the engine.
  public var configuration = SyncConfiguration()
  /// The kinds of entities, in the order in which creates are pushed.
  public var domain = SyncDomain.sample
  /// The server's content at the start.
  public var content: [Content] = []
  /// True if the device has already been synced with that content; otherwise it is new and empty.
  public var isSettled = false
  /// True if the server has versions and refuses changes to older ones.
  public var hasVersions = false
  /// True if the server's cursors are strings.
  public var hasOpaqueCursors = false
  /// Duration of a session with the server after signing in; `nil` for no end.
  public var session: Duration?
  /// Draws from 0 to 1 for the engine's waits, used before those from the seed.
  public var chance: [Double] = []

  /// The default setup: a new device and an empty server.
  public init() {}
}

extension Scenario {
  /// Entities of one kind that exist at the start.
  public typealias Content = SyncSetup.Content
}

/// An act in a simulation, by the script or by hand.
public enum SimulationAct: Hashable, Sendable {
  /// Sets a fault, on or off.
  case fault(FaultSetting)
  /// Switches off all faults.
  case clearFaults
  /// Makes changes on the device.
  case change(SimulatedChange)
  /// Makes changes on the server, as other users do.
  case remoteChange(SimulatedChange)
  /// Starts random changes at an average rate per minute; 0 stops them.
  case generate(isRemote: Bool, perMinute: Double)
  /// Makes the app request a run periodically while online, and optionally after each change.
  case trigger(every: Duration?, afterChanges: Bool)
  /// Requests a run.
  case requestSync
  /// Resets the breaker.
  case resetBreaker
  /// Removes all waiting mutations.
  case clearPending
  /// Forces a full resync.
  case forceResync
  /// Moves the cursor to the server's newest.
  case skipToLatest
  /// Drops the store's handle.
  case resetStore
  /// Signs in: a new session with the server begins.
  case signIn
  /// Cuts the power; the device starts again.
  case powerCut
  /// Puts the device to sleep for a duration.
  case leap(Duration)
  /// Changes the constants of the engine.
  case configure(SyncConfiguration)
  /// Sets the answer to a type of call from now on.
  case answer(SimulatedAnswer)
}

/// Changes of entities of one kind.
public struct SimulatedChange: Hashable, Sendable {
  /// The operation.
  public let operation: Mutation.Operation
  /// The name of the kind.
  public let kind: String
  /// Number of entities to change.
  public let count: Int
  /// True if the server refuses the change every time.
  public let isPoison: Bool
  /// The id of the entity to change; `nil` for any.
  public let id: String?
  /// The id of a new entity's owner; `nil` for any, or for none if the entity has an explicit id.
  public let owner: String?
  /// For changes by others, true if the local change wins a conflict; `nil` to apply the engine's rule.
  public let localWins: Bool?

  /// Valid numbers of entities in one change.
  static let counts = 1...100_000

  /// A change; the count is clamped to its range.
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
  /// The fault setting of the act, if it sets one.
  public var faultSetting: FaultSetting? {
    if case .fault(let setting) = self { setting } else { nil }
  }

  /// Valid rates of changes per minute; 0 stops them.
  static let rates = 0.0...6_000
  /// Valid periods of runs in seconds; a period of zero would never let time advance.
  static let periods = 0.1...86_400
  /// Valid durations of sleep, in seconds.
  static let leaps = 0.0...366 * 86_400

  /// The act with its values clamped to their ranges; NaN becomes the lower bound.
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
