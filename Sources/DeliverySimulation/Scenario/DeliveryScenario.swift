package import DeliveryCore
package import Essentials
import SimulationKit

/// A story of the delivery client: how it is set up, what happens when, and which decisions follow.
///
/// Scenarios are values; ``init(json5:)`` reads one from a file.
public struct DeliveryScenario: Hashable, Sendable {
  /// The name on the command line and in the record.
  public package(set) var name: String
  /// The name for people.
  public package(set) var title: String
  /// The course of events, and the lesson to be learned from it.
  public package(set) var story: String
  /// The seed of all chance.
  package var seed: UInt64
  /// The moment of the calendar at which it begins.
  package var start: Date
  /// How long it goes; `nil` for ever.
  package var duration: Duration?
  /// The constants of the client.
  package var options = DeliveryConstants()
  /// The acts, in order of time.
  package var acts: [DeliveryTimedAct] = []
  /// The decisions, one a line.
  public package(set) var expected: [String] = []
  /// From when on they are expected; those before are not in the list.
  package var expectedFrom = Duration.zero

  /// A story in which nothing happens yet.
  package init(
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

/// An act in a simulation of the delivery client, by the script or by hand.
package enum DeliverySimulationAct: Hashable, Sendable {
  /// A fault is set, on or off.
  case fault(EndpointFaultSetting)
  /// Every fault is switched off.
  case clearFaults
  /// The app makes events of one type.
  case event(SimulatedEvent)
  /// From now on events come at random, so many a minute on average; 0 ends that.
  case generate(perMinute: Double)
  /// The app asks for a flush.
  case flush
  /// The app goes to the background.
  case background
  /// The app comes to the foreground.
  case foreground
  /// The app resets the client, and initializes it again with the next start.
  case reset
  /// The app initializes the client: a new process where none runs.
  case start
  /// The process ends in order.
  case terminate
  /// The process is killed.
  case kill
  /// The device sleeps for that long.
  case leap(Duration)
  /// The constants of the client change.
  case configure(DeliveryConstants)
}

/// Events of one type that an app makes.
package struct SimulatedEvent: Hashable, Sendable {
  /// The type.
  package let kind: EventDraft.Kind
  /// The name or the id; `nil` for one of the sample app's.
  package let name: String?
  /// How many.
  package let count: Int

  /// How many can be made at once.
  static let counts = 1...100_000

  /// Events; a number that is out of range is moved to its next end.
  package init(_ kind: EventDraft.Kind, name: String? = nil, count: Int = 1) {
    self.kind = kind
    self.name = name.flatMap { $0.isEmpty ? nil : $0 }
    self.count = min(max(count, Self.counts.lowerBound), Self.counts.upperBound)
  }
}
