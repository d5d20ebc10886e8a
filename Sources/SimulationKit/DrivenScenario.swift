public import Essentials

/// A story for a simulator: what is there at the start, what happens when, and which decisions follow.
///
/// Scenarios are values; `init(json5:)` reads one from a file.
@dynamicMemberLookup
public struct DrivenScenario<World: SimulationWorld>: Hashable, Sendable {
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
  /// The parts that its world alone knows; each is a member of the scenario as well.
  public var setup = World.Setup()
  /// The acts, in order of time.
  public var acts: [DrivenTimedAct<World.Act>] = []
  /// The decisions, one a line.
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

  /// A part that its world alone knows.
  public subscript<Value>(dynamicMember path: WritableKeyPath<World.Setup, Value>) -> Value {
    get { setup[keyPath: path] }
    set { setup[keyPath: path] = newValue }
  }
}

/// Something that happens at a moment of a scenario.
public struct DrivenTimedAct<Act: DrivenAct>: Hashable, Sendable {
  /// When, since the start, in whole milliseconds.
  public let at: Duration
  /// The act.
  public let act: Act
  /// True if a person did it: so it is recorded when it is played.
  public let isByHand: Bool
  /// The story at this point, in at most ``longestCaption`` characters, recorded when it happens.
  public private(set) var caption: String?

  /// Maximum number of characters of a caption: what two lines of a terminal hold.
  public static var longestCaption: Int { 150 }

  /// An act at a moment; moment and amounts are moved to what a scenario's file can say.
  public init(at moment: Duration, _ act: Act, isByHand: Bool = false) {
    at = moment.roundedToMilliseconds
    self.act = act.bounded
    self.isByHand = isByHand
  }

  /// The same with what the story says here; what is too long is cut off.
  public func captioned(_ text: String?) -> Self {
    var copy = self
    copy.caption = text.map { String($0.prefix(Self.longestCaption)) }
    return copy
  }
}

extension Array {
  /// Sorted by time, and those of one moment as they stand.
  package func inOrder<Act>() -> Self where Element == DrivenTimedAct<Act> {
    enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }
}
