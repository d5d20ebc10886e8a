import Codecs
import Essentials
package import MisterMetricsCore

/// A part of an engine's record as a scenario that plays to the same decisions.
///
/// Anything that a record does not hold is assumed, and ``assumptions`` say so.
package struct RecordReproduction<World: ScenarioWorld>: Sendable {
  /// Why there is nothing to reproduce.
  package enum Failure: Error, Hashable, Sendable {
    /// No decision was recorded in the window.
    case nothing
    /// The record holds no moment at which a scenario could begin.
    case noBeginning
    /// The system cannot play simulations.
    case unplayable(String)
  }

  /// A decision without its words, and when it was made, in seconds since 2001.
  package typealias Decision = (time: Double, text: String)

  /// The scenario.
  package let scenario: DrivenScenario<World>
  /// The assumptions, a sentence each.
  package let assumptions: [String]
  /// How many decisions were compared.
  package let decisions: Int
  /// The first decision that is another one than the recorded; `nil` when all are equal.
  package let difference: String?

  /// The outcome, in a few words.
  package var words: String {
    let count = NumberFormat.count(decisions)
    return difference.map { "of \(count) decisions the first that is another one: \($0)" }
      ?? "\(count) decisions, all as recorded"
  }

  /// The first of some scenarios that plays to the recorded decisions, or else the last.
  ///
  /// - Parameters:
  ///   - recorded: The decisions of the record.
  ///   - assumptions: The assumptions of all these scenarios.
  ///   - scenarios: The scenarios, at least one.
  ///   - makeReader: Makes what reads the decisions of a record, entry after entry.
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

  /// The first decision that a scenario does not come to.
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
  /// A time of a record, in whole milliseconds: what is in a file may be any number.
  package init(recorded seconds: Double) {
    let milliseconds = (seconds * 1000).rounded()
    self = .milliseconds(milliseconds > 0 ? Int64(min(milliseconds, 1e15)) : 0)
  }
}
