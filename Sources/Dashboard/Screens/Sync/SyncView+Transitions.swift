import Codecs
import Sync
import TerminalUI

// The decisions of the machine, the newest first, those included that it refused.
extension SyncView {
  func drawTransitions(into buffer: inout Buffer) {
    let refused = engine.refusals > 0 ? "\(NumberFormat.count(engine.refusals)) refused" : ""
    drawPanel(
      "Transitions \(NumberFormat.count(engine.decisions))", trailing: refused,
      footer: "Enter = go to that moment", footerTrailing: driven("W write as test"), pane: .decisions,
      in: layout.transitions, into: &buffer)
    let area = layout.transitionList
    write(
      transitionLines(from: model.transitionOffset, count: area.height, width: area.width), in: area,
      into: &buffer)
  }

  func transitionLines(from offset: Int, count: Int, width: Int) -> [Line] {
    let all = engine.transitions
    let selected = model.selectedDecision
    return all.indices.reversed().dropFirst(offset).prefix(count).map { place in
      line(all[place], isSelected: place == selected, width: width)
    }
  }

  private func line(_ decision: RecordedValue<SyncTransition>, isSelected: Bool, width: Int) -> Line {
    let value = decision.value
    let mark = isSelected ? signs.selected : " "
    let time = zone.time(decision.time, width < 60 ? .seconds : .tenths)
    let way = SyncFormatter.way(value, arrow: signs.arrow)
    let look = value.refused ? theme[.dim] : SyncState.Kind(rawValue: value.to).map(style) ?? theme[.text]
    let by = value.byHand ? "you: " : ""
    let event = "\(by)\(SyncFormatter.event(value.event))"
    func line(columns: Bool) -> Line {
      var line: Line = [Span(mark, theme[.accent])]
      if width >= 60 { line.append("\(value.sequence)".padded(5) + " ", theme[.dim]) }
      line.append("\(time) ", theme[.dim])
      line.append(columns ? way.padding(to: 23) : way, value.from == value.to ? theme[.dim] : look)
      // A long event moves what is behind it: neither is cut for the other.
      line.append(
        " " + (columns && event.count < 17 ? event.padding(to: 17) : event + " "),
        value.refused ? theme[.dim] : theme[.text])
      line.append((columns ? " " : "") + SyncFormatter.detail(value), theme[.dim])
      return line
    }
    let aligned = line(columns: width >= 60)
    // A reason that is cut gets the room of the columns.
    return aligned.width() > width ? line(columns: false) : aligned
  }
}
