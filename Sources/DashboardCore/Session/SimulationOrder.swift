package import Platform

/// A person's order to a simulation that this program plays.
///
/// Orders are relative where keys are ("one step more"), so that keys pressed faster than the record comes back do
/// not undo each other. What came of an order is seen in the record.
package enum SimulationOrder<Engine: SimulatedEngine>: Hashable, Sendable {
  /// Runs on by itself, or stands still: all branches together.
  case toggleRunning
  /// Stands still and lets the next thing happen in one branch.
  case step(branch: Int)
  /// A number of steps up or down the ladder of speeds.
  case changeSpeed(by: Int)
  /// Something happens now, by hand.
  case perform(Engine.Act, branch: Int)
  /// A fault is switched on, or off.
  case toggleFault(Engine.Fault, branch: Int)
  /// The amount of a fault, a number of its steps up or down; it stays on or off.
  case adjustFault(Engine.Fault, steps: Int, branch: Int)
  /// How likely a fault strikes: the next of always, 1 in 2, 1 in 5, 1 in 10.
  case changeLikelihood(Engine.Fault, branch: Int)
  /// Target of a fault: the next of its scopes.
  case changeScope(Engine.Fault, branch: Int)
  /// The last fault that was set by hand is as it was before.
  case undoFault(branch: Int)
  /// A scenario is played from its start, as a new main branch.
  case play(scenario: String)
  /// A branch leaves another one after a step, with one change by hand or without.
  case branch(from: Int, step: Int, change: Engine.Act?)
  /// A branch is abandoned.
  case drop(branch: Int)
  /// The session is written as a scenario and a test that asserts the decisions since a moment; `nil` for all of it.
  case writeTest(name: String, branch: Int, since: Timestamp?)
}
