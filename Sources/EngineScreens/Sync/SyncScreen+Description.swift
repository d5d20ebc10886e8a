import DashboardCore
import Sync

// The description of the Sync screen.
extension SyncScreen {
  /// The state of the engine, and its latest decision.
  package var description: String {
    let engine = state.engine
    guard !engine.isEmpty else { return "No sync engine records into these files." }
    let entry = entryLines.joined(separator: "\n")
    let sentence = self.sentence.wordings.first ?? ""
    let breaker = engine.breaker.map { ", its breaker is \($0.value.state)" } ?? ""
    return "\(sentence) The engine is \(SyncFormatter.name(engine.state))\(breaker)."
      + (entry.isEmpty ? "" : " Selected: \(entry).")
  }
}
