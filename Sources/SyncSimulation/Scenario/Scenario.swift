public import Essentials
public import Sync

/// A story for the simulator: what is there at the start, what happens when, and which transitions follow.
///
/// Scenarios are values; ``init(json5:)`` reads one from a file.
public struct Scenario: Hashable, Sendable {
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

  /// The name on the command line and in the record.
  public var name: String
  /// The name for people.
  public var title: String
  /// The course of events, and the lesson to be learned from it.
  public var story: String
  /// The seed of all chance.
  public var seed: UInt64
  /// The moment of the calendar at which it begins.
  public var start: Date
  /// How long it goes; `nil` for ever.
  public var duration: Duration?
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
  /// The acts, in order of time.
  public var acts: [TimedAct] = []
  /// The transitions, one a line.
  public var expected: [String] = []
  /// From when on they are expected; those before are not in the list.
  public var expectedFrom = Duration.zero

  /// A story in which nothing happens yet.
  public init(
    name: String, title: String, story: String = "", seed: UInt64, start: Date, duration: Duration?
  ) {
    self.name = name
    self.title = title
    self.story = story
    self.seed = seed
    self.start = start
    self.duration = duration
  }
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
