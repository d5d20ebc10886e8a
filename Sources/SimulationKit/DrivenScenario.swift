public import Essentials

/// A scenario for a simulator: the initial state, timed acts, and the expected decisions.
///
/// Scenarios are values; `init(json5:)` reads one from a file.
@dynamicMemberLookup
public struct DrivenScenario<World: SimulationWorld>: Hashable, Sendable {
  /// The name on the command line and in the record.
  public var name: String
  /// The display name.
  public var title: String
  /// Description of the events, and the lesson to learn from them.
  public var story: String
  /// The seed of all random numbers.
  public var seed: UInt64
  /// The calendar time at the start.
  public var start: Date
  /// Duration of the scenario; `nil` for no end.
  public var duration: Duration?
  /// The parts specific to its world; each is also a member of the scenario.
  public var setup = World.Setup()
  /// The acts, ordered by time.
  public var acts: [DrivenTimedAct<World.Act>] = []
  /// The expected decisions, one per line.
  public var expected: [String] = []
  /// Time from which decisions are expected; earlier ones are not listed.
  public var expectedFrom = Duration.zero

  /// A scenario without acts.
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

  /// A part specific to its world.
  public subscript<Value>(dynamicMember path: WritableKeyPath<World.Setup, Value>) -> Value {
    get { setup[keyPath: path] }
    set { setup[keyPath: path] = newValue }
  }
}

/// An act at a moment of a scenario.
public struct DrivenTimedAct<Act: DrivenAct>: Hashable, Sendable {
  /// Time since the start, in whole milliseconds.
  public let at: Duration
  /// The act.
  public let act: Act
  /// True if the act was done by hand, so that it is recorded when played.
  public let isByHand: Bool
  /// The caption at this point, of at most ``longestCaption`` characters, recorded when the act happens.
  public private(set) var caption: String?

  /// Maximum characters of a caption: two lines of a terminal.
  public static var longestCaption: Int { 150 }

  /// An act at a moment; time and amounts are adjusted to what a scenario file can express.
  public init(at moment: Duration, _ act: Act, isByHand: Bool = false) {
    at = moment.roundedToMilliseconds
    self.act = act.bounded
    self.isByHand = isByHand
  }

  /// The same with a caption; longer ones are truncated.
  public func captioned(_ text: String?) -> Self {
    var copy = self
    copy.caption = text.map { String($0.prefix(Self.longestCaption)) }
    return copy
  }
}

extension Array {
  /// Sorted by time; acts at the same time keep their order.
  package func inOrder<Act>() -> Self where Element == DrivenTimedAct<Act> {
    enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }
}
