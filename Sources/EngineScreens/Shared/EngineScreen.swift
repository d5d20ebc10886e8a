package import DashboardCore
package import Platform

/// A screen that shows an engine as its record tells of it and, where this program plays it, drives it.
package protocol EngineScreen: Screen
where State == EngineScreenState<Engine, Simulated, Pane, Own>, View: EngineView {
  associatedtype Engine: FoldedEngine
  associatedtype Simulated: SimulatedEngine
  where Simulated.Fault: EngineFault, Simulated.Act: EngineAct, Simulated.Act.Fault == Simulated.Fault
  associatedtype Pane: EnginePane
  associatedtype Own: Sendable

  /// The engine's name in a sentence.
  static var noun: String { get }
  /// The name of an item in the list that `,` and the arrows move through.
  static var step: String { get }
  /// The fault that takes the network away.
  static var offline: Simulated.Fault { get }
  /// True if there is a step to go to.
  var hasSteps: Bool { get }
  /// Why there is no trouble to go to; `nil` where there is some.
  var troubleRefusal: String? { get }
  /// Moves the playhead to the trouble before or after it.
  mutating func moveToTrouble(_ direction: Int)
  mutating func moveCursor(by rows: Int)
  mutating func enter() -> [Effect]
  /// Opens the selected entry, or its line in the file.
  mutating func openSelected() -> [Effect]
  /// The act that is asked about first, with the question.
  static var confirmed: (use: LetterUse, act: Simulated.Act) { get }
  /// Moves the playhead along the steps of the screen.
  mutating func moveAlong(by steps: Int)
  /// Selects the newest again.
  mutating func selectNewest()
  /// The acts that a person can choose, and the possible differences in another branch.
  static var byHand: EngineActs<Engine, Simulated.Act> { get }
  /// The engine's current activity and the reason for it.
  var sentence: EngineSentence { get }
  /// True if what an app has recorded can be made a test.
  var canTestRecord: Bool { get }
  /// Makes a test of what an app has recorded.
  func recordedTest(_ name: String, since: Timestamp?) -> [Effect]
}

extension EngineScreen {
  package var canTestRecord: Bool { false }
  package func recordedTest(_ name: String, since: Timestamp?) -> [Effect] { [] }

  package func letterChoices(_ use: LetterUse) -> [LetterChoice] {
    use.isOfFault ? faultChoices : []
  }

  /// It ends where a simulation has come to, which may be beyond the clock.
  package var railWindow: Range<Timestamp> {
    let end = session.isFrozen ? session.present : max(session.present, engineTime)
    return Session.range(from: end - session.window, length: session.window)
  }

  /// Maximum number of entries that are folded between two frames: a long record must not keep a key waiting.
  static var batchLimit: Int { 4_000 }

  /// An order to the simulation of this engine.
  static func order(_ order: SimulationOrder<Simulated>) -> Effect {
    .simulate(Simulated.order(order))
  }
}

/// Whose engine it is, as far as keys are concerned.
package enum EngineControls: Hashable, Sendable {
  /// An app's, or there is none.
  case none
  /// A simulation that another program plays, or played.
  case recorded
  /// A simulation that this program plays.
  case driven
}
