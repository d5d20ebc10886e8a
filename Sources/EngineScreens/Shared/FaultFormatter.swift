import Codecs
import SimulationKit
import TerminalUI

/// The wording of faults on an engine's screen, independent of layout.
struct FaultFormatter<Fault: EngineFault> {
  /// The recorded faults.
  let recorded: [RecordedFault]
  let theme: Theme

  /// The active faults; by name if they are few.
  var onWords: String {
    let names = recorded.filter(\.isOn).map { Fault(rawValue: $0.fault)?.shortWords ?? $0.fault }
    return names.isEmpty
      ? "none on" : names.count > 2 ? "\(names.count) on" : names.joined(separator: ", ") + " on"
  }

  /// True if a fault was ever set.
  func isRecorded(_ fault: Fault) -> Bool { recorded.contains { $0.fault == fault.rawValue } }

  /// The recorded setting of a fault; by default off, with its usual amount.
  func setting(_ fault: Fault) -> RecordedFault {
    guard let known = recorded.last(where: { $0.fault == fault.rawValue }) else {
      return RecordedFault(
        fault: fault.rawValue, amount: fault.measure.usual, probability: 1, scope: "", isOn: false,
        isByHand: false)
    }
    let probability = known.probability.isFinite ? max(0, min(1, known.probability)) : 1
    return RecordedFault(
      fault: known.fault, amount: fault.bounded(known.amount), probability: probability, scope: known.scope,
      isOn: known.isOn, isByHand: known.isByHand)
  }

  /// `20 % of push`.
  private func reach(_ setting: RecordedFault) -> String {
    let share =
      setting.probability < 1 ? "\(NumberFormat.text(setting.probability * 100, decimals: 0)) % of " : ""
    return share + Fault.scopeWords(setting.scope)
  }

  /// `latency 300 ms, all calls`.
  func words(_ fault: Fault) -> String {
    let setting = setting(fault)
    let amount = fault.text(setting.amount)
    return "\(fault.words)\(amount.isEmpty ? "" : " \(amount)"), \(reach(setting))"
  }

  /// `[x] 1 latency 300 ms  all calls  by hand`; shorter for faults side by side.
  func line(_ fault: Fault, isSelected: Bool, isDriven: Bool, isAlone: Bool) -> Line {
    let setting = setting(fault)
    var line: Line = [
      Span(isSelected ? theme.signs.selected : " ", theme[.accent]),
      Span(setting.isOn ? "[x] " : "[ ] ", theme[setting.isOn ? .warning : .dim]),
    ]
    if isDriven { line.append("\(fault.key) ", theme[.key]) }
    line.append(fault.shortWords, theme[setting.isOn ? .text : .dim])
    let amount = fault.text(setting.amount)
    if !amount.isEmpty { line.append(" \(amount)", theme[setting.isOn ? .value : .dim]) }
    if setting.isOn, isAlone { line.append("  \(reach(setting))", theme[.dim]) }
    if setting.isByHand, isAlone { line.append("  by hand", theme[.dim]) }
    return line
  }

  /// All faults in one row, the selected one first if keys act on it.
  func summary(selected: Fault?) -> Line {
    let on = recorded.filter(\.isOn)
    let names = on.map { Fault(rawValue: $0.fault)?.words ?? $0.fault }.joined(separator: ", ")
    var line: Line = [Span("faults ", theme[.dim])]
    if let selected {
      let setting = setting(selected)
      line.append("\(theme.signs.selected)[\(setting.isOn ? "x" : " ")] \(words(selected))  ", theme[.accent])
    }
    line.append(names.isEmpty ? "none on" : names, theme[on.isEmpty ? .dim : .warning])
    return line
  }
}
