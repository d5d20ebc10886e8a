import Codecs
package import DashboardCore
import History
package import TerminalUI

/// Draws the Hosts screen.
package struct HostsView: ScreenView {
  package let screen: HostsScreen
  package let session: Session
  package let state: HostsState
  package let theme: Theme
  let layout: HostsLayout
  let hosts: HostsAnswer?

  init(_ screen: HostsScreen) {
    self.screen = screen
    (session, state) = (screen.session, screen.state)
    (theme, layout, hosts) = (session.theme, screen.layout, screen.hosts)
  }

  package var frame: ScreenFrame { layout.frame }
  package var shortSubject: String { "Hosts" + (state.focus.map { " \($0.shortName)" } ?? "") }
  package var subject: String { layout.hasBoxes ? "" : state.focus?.fullName ?? "" }
  package var shorterSubjects: [String] { [state.focus?.shortName ?? ""] }

  package func drawBody(into buffer: inout Buffer) {
    if let reason = historyEmptiness {
      drawEmptiness(reason, into: &buffer)
    } else if layout.step == .tiny {
      drawTiny(into: &buffer)
    } else {
      drawSentence(in: layout[.sentence].inset(left: session.tabsStart), into: &buffer)
      if !layout[.fleet].isEmpty { drawFleet(into: &buffer) }
      drawTable(into: &buffer)
    }
    drawWork(session.history.work, into: &buffer)
  }

  private func drawSentence(in area: Rect, into buffer: inout Buffer) {
    guard hosts != nil || state.focus == nil && session.history.answer != nil else {
      return _ = buffer.write("Comparing the hosts", at: area.origin, style: theme[.dim], limit: area.width)
    }
    let sentence = screen.sentence
    let lead = sentence.isAlarming ? Line(signs.severity + " ", theme[.alert]) : Line()
    let start = buffer.write(lead, at: area.origin)
    let room = area.width - start
    let wordings = sentence.wordings
    let fitting = wordings.first { $0.width(buffer.repertoire) <= room } ?? wordings[wordings.count - 1]
    buffer.write(
      fitting, at: Position(x: area.x + start, y: area.y), base: theme[sentence.isAlarming ? .text : .dim],
      limit: room, overflow: .ellipsis)
  }

  private func drawTiny(into buffer: inout Buffer) {
    let area = frame.body
    buffer.write(session.keyText("?"), at: Position(x: area.maxX - 1, y: area.y), style: theme[.key])
    buffer.write(shortSubject, at: area.origin, style: theme[.title], limit: max(0, area.width - 2))
    let index = state.selectedIndex ?? 0
    let offset = Table.offset(showing: index, of: state.rows.count, height: area.height - 1, from: 0)
    for (line, host) in state.rows.dropFirst(offset).prefix(max(0, area.height - 1)).enumerated() {
      let isSelected = host.row.name == state.selection
      let share = host.row.share.map(NumberFormat.share) ?? "-"
      let text = (isSelected ? signs.selected : " ") + "\(share.padded(4)) \(host.row.name)"
      buffer.write(
        text, at: Position(x: area.x, y: area.y + 1 + line),
        style: theme[isSelected ? .selection : host.row.isOdd ? .alert : .text], limit: area.width,
        overflow: .ellipsis)
    }
  }

  package var footerHints: [Footer.Hint] {
    let hints: [(String, String)] =
      (session.scope.host == state.selection ? [] : [("Enter", "only this host")])
      + (session.scope == .all ? [] : [("Esc", "all hosts")]) + [
        ("i", "against all others"), ("/", "filter"), ("+ -", "zoom"), (signs.leftRight, "step"),
        ("t", "time"),
        ("y", "copy"), ("q", "back"),
      ]
    return hints.prefix(layout.step >= .narrow ? 3 : hints.count).map { Footer.Hint($0.0, $0.1) }
  }
}
