/// Tries random sequences of actions on a thing and on a model of it, and makes the first that fails as short as it can.
///
/// The actions are values that hold everything random about them, so that a sequence means the same when some of its
/// actions are left out. A seed gives the same sequence for ever.
///
/// ```swift
/// let checker = ModelChecker<Action>(
///   length: 60, action: { random in … }, run: { actions, seed in … })  // nil: all is well
/// if let failure = checker.check(seed: 42) { print(failure) }
/// ```
package struct ModelChecker<Action> {
  /// How many actions a sequence has.
  package let length: Int
  /// The runs that the search for a shorter sequence may cost.
  package let shrinkingRuns: Int

  private let action: (inout SeededGenerator) -> Action
  private let simpler: (Action) -> [Action]
  private let run: ([Action], UInt64) -> String?

  /// - Parameters:
  ///   - action: A random action.
  ///   - simpler: Actions that may be tried in place of one; the simplest first.
  ///   - run: Does all actions on a fresh thing and its model; what is wrong then, `nil` if nothing is. The seed is that
  ///     of the sequence, for what is random besides the actions.
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

  /// The sequence of a seed.
  package func sequence(seed: UInt64) -> [Action] {
    var random = SeededGenerator(seed: seed)
    return (0..<length).map { _ in action(&random) }
  }

  /// Runs the sequence of a seed; `nil` if all is well.
  package func check(seed: UInt64) -> ModelFailure<Action>? {
    let actions = sequence(seed: seed)
    guard let fault = run(actions, seed) else { return nil }
    var failure = ModelFailure(seed: seed, length: actions.count, actions: actions, fault: fault)
    var runsLeft = shrinkingRuns
    // A simpler action may make others needless, and the other way round.
    while shorten(&failure, &runsLeft) || simplify(&failure, &runsLeft) {}
    return failure
  }

  /// Leaves out parts: halves first, single actions at last.
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

  /// Takes a candidate that fails too.
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

/// The shortest sequence found that fails, and how to get it again.
package struct ModelFailure<Action>: CustomStringConvertible {
  package let seed: UInt64
  /// How long the sequence of the seed was.
  package let length: Int
  package internal(set) var actions: [Action]
  package internal(set) var fault: String

  package var description: String {
    "seed \(seed): \(fault) after \(actions.count) of \(length) actions: "
      + actions.map { "\($0)" }.joined(separator: ", ")
  }
}
