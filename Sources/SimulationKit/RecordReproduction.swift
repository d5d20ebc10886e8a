import Codecs
import Essentials
package import MisterMetricsCore

/// A part of an engine's record as a scenario that leads to the same decisions.
///
/// Facts missing from the record are assumed, and listed in ``assumptions``.
package struct RecordReproduction<World: ScenarioWorld>: Sendable {
  /// The reason why nothing can be reproduced.
  package enum Failure: Error, Hashable, Sendable {
    /// No decision was recorded in the window.
    case nothing
    /// The record has no moment at which a scenario could start.
    case noBeginning
    /// The system does not support simulations.
    case unplayable(String)
  }

  /// The wording-independent form of a decision, and its time in seconds since 2001.
  package typealias Decision = (time: Double, text: String)

  /// The scenario.
  package let scenario: DrivenScenario<World>
  /// The assumptions, one sentence each.
  package let assumptions: [String]
  /// Number of decisions compared.
  package let decisions: Int
  /// The first decision that differs from the recorded one; `nil` if all are equal.
  package let difference: String?

  /// The outcome in a few words.
  package var words: String {
    let count = NumberFormat.count(decisions)
    return difference.map { "of \(count) decisions the first that is another one: \($0)" }
      ?? "\(count) decisions, all as recorded"
  }

  /// The first of several scenarios that leads to the recorded decisions, or else the last one.
  ///
  /// - Parameters:
  ///   - recorded: The decisions of the record.
  ///   - assumptions: The assumptions common to all the scenarios.
  ///   - scenarios: The scenarios, at least one.
  ///   - makeReader: Creates a reader that extracts the decisions of a record, entry by entry.
  /// - Throws: ``Failure``.
  package init(
    of recorded: [Decision], assumptions: [String], trying scenarios: some Sequence<DrivenScenario<World>>,
    makeReader: () -> (MetricEntry) -> String?
  ) throws(Failure) {
    var best: (scenario: DrivenScenario<World>, difference: String?)?
    if recorded.isEmpty { throw .nothing }
    for scenario in scenarios {
      do throws(World.Failure) {
        best = (scenario, try Self.difference(of: scenario, from: recorded, makeReader()))
      } catch {
        throw .unplayable(String(describing: error))
      }
      if best?.difference == nil { break }
    }
    guard let best else { throw .nothing }
    (scenario, difference) = best
    (self.assumptions, decisions) = (assumptions, recorded.count)
  }

  /// The first decision that a scenario does not lead to.
  private static func difference(
    of scenario: DrivenScenario<World>, from recorded: [Decision], _ read: (MetricEntry) -> String?
  ) throws(World.Failure) -> String? {
    let simulation = try SimulationSession(scenario)
    let start = scenario.start.timeIntervalSinceReferenceDate
    var played: [Decision] = []
    while simulation.step(), played.count <= recorded.count {
      for entry in simulation.takeEntries() {
        guard let text = read(entry) else { continue }
        played.append((entry.timestamp.timeIntervalSinceReferenceDate - start, text))
      }
    }
    for (place, decision) in recorded.enumerated() {
      let moment = ScenarioText.seconds(decision.time - start)
      guard played.indices.contains(place) else {
        return "second \(moment): recorded \(decision.text), played nothing more"
      }
      guard played[place].text == decision.text else {
        return "second \(moment): recorded \(decision.text), "
          + "played \(played[place].text) at \(ScenarioText.seconds(played[place].time))"
      }
    }
    return nil
  }
}

extension Duration {
  /// A recorded time in whole milliseconds, clamped because a file may contain any number.
  package init(recorded seconds: Double) {
    let milliseconds = (seconds * 1000).rounded()
    self = .milliseconds(milliseconds > 0 ? Int64(min(milliseconds, 1e15)) : 0)
  }
}
