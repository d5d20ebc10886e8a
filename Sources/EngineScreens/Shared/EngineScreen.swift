package import DashboardCore
package import Platform
package import TerminalUI

/// A screen that shows an engine as its record tells of it and, where this program plays it, drives it.
package protocol EngineScreen: Screen where State: EngineScreenState, View: EngineView {
  /// The engine's name in a sentence.
  static var noun: String { get }
  /// The name of an item in the list that `,` and the arrows move through.
  static var step: String { get }
  /// The fault that takes the network away.
  static var offline: State.Simulated.Fault { get }
  /// True if there is a step to go to.
  var hasSteps: Bool { get }
  /// The text that filter words are searched in.
  static func searched(_ happening: EngineHappening<State.Engine.Entry>) -> String
  /// How the line of an entry is found in the file.
  static func lineQuery(of happening: EngineHappening<State.Engine.Entry>) -> LineQuery
  /// True if the arrows to the sides are for the selected fault.
  var isAmongFaults: Bool { get }
  /// Shows the pane of the faults, where there is one.
  mutating func goToFaults()
  mutating func moveCursor(by rows: Int)
  mutating func enter() -> [Effect]
  mutating func press(_ position: Position) -> [Effect]
  /// Handles the letter that was waited for.
  mutating func handleLetter(_ letter: Character, _ use: LetterUse) -> [Effect]
  /// Moves the playhead along the steps of the screen.
  mutating func moveAlong(by steps: Int)
  /// Selects the newest again.
  mutating func selectNewest()
  /// Everything that can be done by hand; a number that is typed is how many.
  static func acts(_ query: String) -> [(title: String, act: State.Simulated.Act)]
  /// Possible differences in another branch that begins with the shown engine.
  func changes(_ query: String) -> [(title: String, act: State.Simulated.Act?)]
  /// The engine's current activity and the reason for it.
  var sentence: EngineSentence { get }
  /// The act that switches off all faults.
  static var clearFaults: State.Simulated.Act { get }
  /// True if what an app has recorded can be made a test.
  var canTestRecord: Bool { get }
  /// Makes a test of what an app has recorded.
  func recordedTest(_ name: String, since: Timestamp?) -> [Effect]
}

extension EngineScreen {
  package typealias Engine = State.Engine
  typealias Simulated = State.Simulated

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
  static func order(_ order: SimulationOrder<State.Simulated>) -> Effect {
    .simulate(State.Simulated.order(order))
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
