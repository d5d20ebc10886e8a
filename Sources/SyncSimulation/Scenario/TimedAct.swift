import SimulationKit
import Sync

/// Something that happens at a moment of a scenario.
public struct TimedAct: Hashable, Sendable {
  /// When, since the start, in whole milliseconds.
  public let at: Duration
  /// The act.
  public let act: SimulationAct
  /// True if a person did it: so it is recorded when it is played.
  public let isByHand: Bool
  /// The story at this point, in at most ``longestCaption`` characters, recorded when it happens.
  public private(set) var caption: String?

  /// Maximum number of characters of a caption: what two lines of a terminal hold.
  public static let longestCaption = 150

  /// An act at a moment; moment and amounts are moved to what a scenario's file can say.
  public init(at moment: Duration, _ act: SimulationAct, isByHand: Bool = false) {
    at = moment.roundedToMilliseconds
    self.act = act.bounded
    self.isByHand = isByHand
  }

  /// The same with what the story says here; what is too long is cut off.
  public func captioned(_ text: String?) -> TimedAct {
    var copy = self
    copy.caption = text.map { String($0.prefix(Self.longestCaption)) }
    return copy
  }
}

extension TimedAct: DrivenTimedAct {}

extension SimulationAct: DrivenAct {
  /// How many changes come in a minute; 0 for none any more.
  static let rates = 0.0...6_000
  /// How often an app asks for runs, in seconds; a period of nothing would be a run without an end at one moment.
  static let periods = 0.1...86_400
  /// How long a device sleeps, in seconds.
  static let leaps = 0.0...366 * 86_400

  /// The act with what it is about moved to the next end of what there is; what is no number is the lower end.
  fileprivate var bounded: SimulationAct {
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
