import SimulationKit
package import Sync

/// The record of a simulation as text for people and tests.
package enum SimulationText {
  /// One transition as a line: when, from where to where, on what event, and why where there is a reason.
  package static func line(_ transition: SyncTransition) -> String {
    let states =
      transition.from == transition.to ? transition.from : "\(transition.from) -> \(transition.to)"
    var event = transition.event
    if let synced = transition.synced, let total = transition.total, transition.to == "syncing" {
      event += " \(synced)/\(total)"
    }
    var line = ScenarioText.padded(ScenarioText.seconds(transition.engineTime), to: 11, atEnd: false) + "  "
    line += ScenarioText.padded(states, to: 24) + ScenarioText.padded(event, to: 24)
    if transition.refused { line += "refused: " }
    line += transition.reason ?? ""
    while line.last == " " { line.removeLast() }
    return line
  }
}
