import DashboardCore
import Sync

// The Sync screen in words.
extension SyncScreen {
  /// Where the engine stands, and its newest decision.
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
