import Codecs
import DashboardCore
import Essentials
import Sync
import TerminalUI

// The faults of a simulation: what goes wrong, how much, how likely and for which calls; or why there are none.
extension SyncView {
  func drawFaults(into buffer: inout Buffer) {
    let isDriven = controls == .driven
    let formatter = faultFormatter
    if layout.step >= .narrow { return write([faultLine], in: layout[.faults], into: &buffer) }
    let trailing = controls == .none ? "off" : formatter.onWords
    drawPanel(
      isDriven ? "Faults  \(formatter.words(formatter.setting(state.fault)))" : "Faults", trailing: trailing,
      pane: .faults, in: layout[.faults], into: &buffer)
    let area = layout.inner(of: layout[.faults])
    if controls != .none {
      drawFaultGrid(in: isDriven ? area : area.inset(top: refusalLines.count), into: &buffer)
      if isDriven { return }
    }
    write(refusalLines, in: area, into: &buffer)
  }

  /// Why the controls are off: one line, or two where panes have boxes.
  private var refusalLines: [Line] {
    let parts = layout.hasBoxes ? controlsOff.components(separatedBy: "; ") : [controlsOff]
    return parts.map { Line($0, theme[.dim]) }
  }

  /// All of it in one row.
  var faultLine: Line {
    faultFormatter.summary(selected: state.pane == .faults && screen.isDriven ? state.fault : nil)
  }
}
