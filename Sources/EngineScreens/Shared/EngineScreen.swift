package import DashboardCore
package import Platform

/// A screen that shows an engine according to its record and, if this program plays the engine, controls it.
package protocol EngineScreen: Screen
where State == EngineScreenState<Engine, Simulated, Pane, Own>, View: EngineView {
  associatedtype Engine: FoldedEngine
  associatedtype Simulated: SimulatedEngine
  where Simulated.Fault: EngineFault, Simulated.Act: EngineAct, Simulated.Act.Fault == Simulated.Fault
  associatedtype Pane: EnginePane
  associatedtype Own: Sendable

  /// The noun for the engine in a sentence.
  static var noun: String { get }
  /// The noun for the items that `,` and the arrows step through.
  static var step: String { get }
  /// The fault that disconnects the network.
  static var offline: Simulated.Fault { get }
  /// True if there is a step to go to.
  var hasSteps: Bool { get }
  /// The reason why there is no trouble to go to; `nil` if there is some.
  var troubleRefusal: String? { get }
  /// Moves the playhead to the previous or next trouble.
  mutating func moveToTrouble(_ direction: Int)
  mutating func moveCursor(by rows: Int)
  mutating func enter() -> [Effect]
  /// Opens the selected entry, or its line in the file.
  mutating func openSelected() -> [Effect]
  /// The act that requires a confirmation, and the prompt for it.
  static var confirmed: (use: LetterUse, act: Simulated.Act) { get }
  /// Moves the playhead along the steps of the screen.
  mutating func moveAlong(by steps: Int)
  /// Selects the newest entry again.
  mutating func selectNewest()
  /// The acts that a user can perform, and the possible changes in another branch.
  static var byHand: EngineActs<Engine, Simulated.Act> { get }
  /// The engine's current activity and the reason for it.
  var sentence: EngineSentence { get }
  /// True if the record of an app can be turned into a test.
  var canTestRecord: Bool { get }
  /// Turns the record of an app into a test.
  func recordedTest(_ name: String, since: Timestamp?) -> [Effect]
}

extension EngineScreen {
  package var canTestRecord: Bool { false }
  package func recordedTest(_ name: String, since: Timestamp?) -> [Effect] { [] }

  package func letterChoices(_ use: LetterUse) -> [LetterChoice] {
    use.isOfFault ? faultChoices : []
  }

  /// Ends where a simulation has arrived, which may be ahead of the clock.
  package var railWindow: Range<Timestamp> {
    let end = session.isFrozen ? session.present : max(session.present, engineTime)
    return Session.range(from: end - session.window, length: session.window)
  }

  /// Maximum number of entries folded between two frames: a long record must not delay a key.
  static var batchLimit: Int { 4_000 }

  /// An order to the simulation of this engine.
  static func order(_ order: SimulationOrder<Simulated>) -> Effect {
    .simulate(Simulated.order(order))
  }
}

/// The origin of the engine, which decides about the keys.
package enum EngineControls: Hashable, Sendable {
  /// An app's engine, or none.
  case none
  /// A simulation played by another program, now or earlier.
  case recorded
  /// A simulation played by this program.
  case driven
}
