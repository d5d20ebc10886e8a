import Aggregation
import Codecs

extension Session {
  /// Searches with the next sensitivity, which is kept for this file.
  package mutating func setNextSensitivity() -> [Effect] {
    let all = DetectionBudget.Sensitivity.allCases
    let next = all[((all.firstIndex(of: sensitivity) ?? 0) + 1) % all.count]
    sensitivity = next
    incidents.expire()
    showToast("Sensitivity \(next): about \(next.budgetText)")
    var view = notes.last
    view.sensitivity = next.rawValue
    notes.keep(view)
    return [.keep(notes)]
  }
}

extension DetectionBudget.Sensitivity {
  /// The budget in words: `10 false lines an hour`.
  fileprivate var budgetText: String {
    let lines = linesPerHour
    return lines < 1
      ? "1 false line in \(NumberFormat.text(1 / lines, decimals: 0)) hours"
      : "\(NumberFormat.text(lines, decimals: 0)) false line\(lines > 1 ? "s" : "") an hour"
  }
}
