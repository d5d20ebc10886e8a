import Codecs
import Foundation
import Sync
import TerminalUI

// The faults of a simulation: what goes wrong, how much, how likely and for which calls; or why there are none.
extension SyncView {
  func drawFaults(into buffer: inout Buffer) {
    let on = engine.faults.filter(\.on).count
    let isDriven = layout.needs.controls == .driven
    if layout.step >= .narrow { return write([faultLine], in: layout.faults, into: &buffer) }
    let trailing = layout.needs.controls == .none ? "off" : "\(on) on"
    let footer = isDriven ? "Enter on/off  \(signs.leftRight) amount  L likely  w where" : ""
    drawPanel(
      isDriven ? "Faults  \(words(of: setting(state.fault)))" : "Faults", trailing: trailing,
      footer: footer, footerTrailing: isDriven ? "u undo  f0 all off" : "", pane: .faults,
      in: layout.faults, into: &buffer)
    let area = layout.inner(of: layout.faults)
    if layout.needs.controls != .none {
      drawGrid(in: isDriven ? area : area.inset(top: refusalLines.count), into: &buffer)
      if isDriven { return }
    }
    write(refusalLines, in: area, into: &buffer)
  }

  /// Why the controls are off: one line, or two where panes have boxes.
  private var refusalLines: [Line] {
    let reason = "controls off: " + (model.driveRefusal ?? "no simulation is played; S plays one")
    let parts = layout.hasBoxes ? reason.components(separatedBy: "; ") : [reason]
    return parts.map { Line($0, theme[.dim]) }
  }

  private func drawGrid(in area: Rect, into buffer: inout Buffer) {
    let isDriven = layout.needs.controls == .driven
    // What another program sets is listed as far as it ever was.
    let listed = SimulatedFault.allCases.filter { isDriven || record($0) != nil }
    let grid = FaultGrid(listed, in: area, selected: isDriven ? state.fault : nil)
    for (fault, rect) in grid.places {
      let setting = setting(fault)
      let isSelected = isDriven && fault == state.fault
      var line: Line = [
        Span(isSelected ? signs.selected : " ", theme[.accent]),
        Span(setting.isOn ? "[x] " : "[ ] ", theme[setting.isOn ? .warning : .dim]),
      ]
      if isDriven { line.append("\(fault.key) ", theme[.key]) }
      line.append(SyncFormatter.short(fault), theme[setting.isOn ? .text : .dim])
      let amount = amount(setting)
      if !amount.isEmpty { line.append(" \(amount)", theme[setting.isOn ? .value : .dim]) }
      if setting.isOn, grid.columns == 1 { line.append("  \(reach(setting))", theme[.dim]) }
      if record(fault)?.byHand == true, grid.columns == 1 { line.append("  by hand", theme[.dim]) }
      buffer.write(line, at: rect.origin, limit: rect.width - 1, overflow: .ellipsis)
    }
  }

  /// What is recorded of a fault; off with its usual amount where nothing is.
  private func setting(_ fault: SimulatedFault) -> FaultSetting {
    guard let known = record(fault) else { return FaultSetting(fault, isOn: false) }
    return FaultSetting(
      fault, amount: known.amount, probability: known.probability,
      scope: FaultScope(known.scope) ?? FaultScope(), isOn: known.on)
  }

  private func record(_ fault: SimulatedFault) -> SyncFault? {
    engine.faults.last { $0.fault == fault.rawValue }
  }

  /// `300 ms`, or nothing for a fault without an amount.
  private func amount(_ setting: FaultSetting) -> String {
    let unit = setting.fault.measure.unit
    // A status needs no unit behind it.
    let decimals = setting.amount == setting.amount.rounded() ? 0 : 2
    return unit.isEmpty
      ? "" : NumberFormat.text(setting.amount, decimals: decimals) + (unit == "status" ? "" : " \(unit)")
  }

  /// `20 % of push`.
  private func reach(_ setting: FaultSetting) -> String {
    let share =
      setting.probability < 1 ? "\(NumberFormat.text(setting.probability * 100, decimals: 0)) % of " : ""
    return share + (setting.scope == FaultScope() ? "all calls" : setting.scope.description)
  }

  private func words(of setting: FaultSetting) -> String {
    let amount = amount(setting)
    return "\(setting.fault.words)\(amount.isEmpty ? "" : " \(amount)"), \(reach(setting))"
  }

  /// All of it in one row.
  var faultLine: Line {
    let on = engine.faults.filter(\.on)
    let names = on.map { SimulatedFault(rawValue: $0.fault)?.words ?? $0.fault }.joined(separator: ", ")
    var line: Line = [Span("faults ", theme[.dim])]
    if state.pane == .faults, model.isDriven {
      let setting = setting(state.fault)
      line.append("\(signs.selected)[\(setting.isOn ? "x" : " ")] \(words(of: setting))  ", theme[.accent])
    }
    line.append(names.isEmpty ? "none on" : names, theme[on.isEmpty ? .dim : .warning])
    return line
  }
}
