/// Runs random sequences of actions on a system and on a model of it, and shrinks the first one that fails.
///
/// Actions are values that contain all of their randomness, so that a sequence keeps its meaning when some of its
/// actions are left out. A seed always gives the same sequence.
///
/// ```swift
/// let checker = ModelChecker<Action>(
///   length: 60, action: { random in … }, run: { actions, seed in … })  // nil: no fault
/// if let failure = checker.check(seed: 42) { print(failure) }
/// ```
package struct ModelChecker<Action> {
  /// The number of actions in a sequence.
  package let length: Int
  /// Maximum runs spent on the search for a shorter sequence.
  package let shrinkingRuns: Int

  private let action: (inout SeededGenerator) -> Action
  private let simpler: (Action) -> [Action]
  private let run: ([Action], UInt64) -> String?

  /// - Parameters:
  ///   - action: Returns a random action.
  ///   - simpler: Actions to try in place of one, the simplest first.
  ///   - run: Performs all actions on a fresh system and its model; returns a description of the first fault, or `nil`.
  ///     The seed is that of the sequence, for any other randomness.
  package init(
    length: Int, shrinkingRuns: Int = 2000, action: @escaping (inout SeededGenerator) -> Action,
    simpler: @escaping (Action) -> [Action] = { _ in [] }, run: @escaping ([Action], UInt64) -> String?
  ) {
    self.length = length
    self.shrinkingRuns = shrinkingRuns
    self.action = action
    self.simpler = simpler
    self.run = run
  }

  /// The sequence for a seed.
  package func sequence(seed: UInt64) -> [Action] {
    var random = SeededGenerator(seed: seed)
    return (0..<length).map { _ in action(&random) }
  }

  /// Runs the sequence for a seed; `nil` if there is no fault.
  package func check(seed: UInt64) -> ModelFailure<Action>? {
    let actions = sequence(seed: seed)
    guard let fault = run(actions, seed) else { return nil }
    var failure = ModelFailure(seed: seed, length: actions.count, actions: actions, fault: fault)
    var runsLeft = shrinkingRuns
    // A simpler action may make others unnecessary, and vice versa.
    while shorten(&failure, &runsLeft) || simplify(&failure, &runsLeft) {}
    return failure
  }

  /// Leaves out parts: first halves, finally single actions.
  private func shorten(_ failure: inout ModelFailure<Action>, _ runsLeft: inout Int) -> Bool {
    var hasShrunk = false
    var part = max(1, failure.actions.count / 2)
    while true {
      var start = 0
      while start < failure.actions.count {
        var actions = failure.actions
        actions.removeSubrange(start..<min(start + part, actions.count))
        if adopt(actions, &failure, &runsLeft) { hasShrunk = true } else { start += part }
      }
      guard part > 1 else { return hasShrunk }
      part /= 2
    }
  }

  private func simplify(_ failure: inout ModelFailure<Action>, _ runsLeft: inout Int) -> Bool {
    var hasShrunk = false
    for index in failure.actions.indices {
      for other in simpler(failure.actions[index]) {
        var actions = failure.actions
        actions[index] = other
        if adopt(actions, &failure, &runsLeft) {
          hasShrunk = true
          break
        }
      }
    }
    return hasShrunk
  }

  /// Keeps a candidate if it fails, too.
  private func adopt(
    _ actions: [Action], _ failure: inout ModelFailure<Action>, _ runsLeft: inout Int
  ) -> Bool {
    guard runsLeft > 0 else { return false }
    runsLeft -= 1
    guard let fault = run(actions, failure.seed) else { return false }
    failure.actions = actions
    failure.fault = fault
    return true
  }
}

/// The shortest failing sequence found, with the seed to reproduce it.
package struct ModelFailure<Action>: CustomStringConvertible {
  package let seed: UInt64
  /// The length of the original sequence.
  package let length: Int
  package internal(set) var actions: [Action]
  package internal(set) var fault: String

  package var description: String {
    "seed \(seed): \(fault) after \(actions.count) of \(length) actions: "
      + actions.map { "\($0)" }.joined(separator: ", ")
  }
}
