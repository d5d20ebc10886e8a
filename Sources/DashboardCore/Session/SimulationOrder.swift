package import Platform

/// A user's order to a simulation hosted by this program.
///
/// Orders are relative where keys are ("one step more"), so that keys pressed faster than the record returns do not
/// undo
/// each other. The record shows the result of an order.
package enum SimulationOrder<Engine: SimulatedEngine>: Hashable, Sendable {
  /// Runs or pauses all branches together.
  case toggleRunning
  /// Pauses and executes the next event of one branch.
  case step(branch: Int)
  /// Moves up or down the ladder of speeds by a number of steps.
  case changeSpeed(by: Int)
  /// Performs an act by hand, now.
  case perform(Engine.Act, branch: Int)
  /// Switches a fault on or off.
  case toggleFault(Engine.Fault, branch: Int)
  /// Changes the amount of a fault by a number of steps; it stays on or off.
  case adjustFault(Engine.Fault, steps: Int, branch: Int)
  /// Cycles the likelihood of a fault: always, 1 in 2, 1 in 5, 1 in 10.
  case changeLikelihood(Engine.Fault, branch: Int)
  /// Cycles the scope of a fault.
  case changeScope(Engine.Fault, branch: Int)
  /// Restores the fault that was last set by hand.
  case undoFault(branch: Int)
  /// Plays a scenario from its start, as a new main branch.
  case play(scenario: String)
  /// Forks a branch after a step, with or without one change by hand.
  case branch(from: Int, step: Int, change: Engine.Act?)
  /// Abandons a branch.
  case drop(branch: Int)
  /// Writes the session as a scenario and a test that asserts the decisions since a moment; `nil` for all of them.
  case writeTest(name: String, branch: Int, since: Timestamp?)
}
