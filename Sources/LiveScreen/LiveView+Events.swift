import Aggregation
import Codecs
import DashboardCore
import TerminalUI

// The list of changes.
extension LiveView {
  func drawEvents(into buffer: inout Buffer) {
    let events = session.alerts.events
    guard !layout.isLine(layout[.events]) else { return drawNewestEvents(events, into: &buffer) }
    let panel = Panel(
      "What changed", look: .pane,
      trailing: events.isEmpty ? "" : events.count == 1 ? "1 event" : "\(events.count) events",
      isFocused: state.pane == .events,
      theme: theme)
    panel.render(in: layout[.events], into: &buffer)
    let area = panel.inner(of: layout[.events])
    guard !events.isEmpty else {
      buffer.write("No incidents", at: Position(x: area.x + 1, y: area.y), style: theme[.dim])
      return
    }
    let moments = events.map { zone.moment($0.time, now: session.now) }
    let time = moments.reduce(8) { max($0, $1.count) }
    let shown = events.prefix(area.height)
    let longest = shown.reduce(12) { max($0, $1.subject.count) }
    // Names take the width that the texts leave.
    let spare = area.width - time - 5 - shown.reduce(8) { max($0, words($1.text).count) }
    let subject = min(longest, max(12, area.width / 3, spare))
    let room = area.width - time - subject - 5
    let table = Table(
      columns: [
        Column("", width: time), Column("", width: 1),
        Column("", width: subject),
        Column("", width: 8, isFlexible: true),
      ],
      rows: zip(events, moments).map { eventRow($0, $1, room: room) }, selection: session.alertIndex,
      offset: Table.offset(showing: session.alertIndex, of: events.count, height: area.height, from: 0),
      hasHeader: false, theme: theme)
    table.render(in: area, into: &buffer)
  }

  /// - Parameter room: The width of the text, for which the longest fitting wording is chosen.
  private func eventRow(_ event: ChangeEvent, _ moment: String, room: Int) -> TableRow {
    let wordings = [event.text, event.lead, event.core, event.brief].map { words(event.note + $0) }
    let text = wordings.first { $0.count <= room } ?? wordings[0]
    let cells = [
      Line(moment, theme[.dim]), event.kind.line(theme), Line(event.subject, theme[.text]),
      Line(text, theme[event.kind.isAlert ? .value : .header]),
    ]
    // Later events are dim: at the shown moment they have not happened yet.
    guard event.time > session.present || event.isAcknowledged else { return TableRow(cells) }
    return TableRow(cells.map { Line($0.text, theme[.dim]) })
  }

  /// A text in the characters of the glyph tier.
  private func words(_ text: String) -> String {
    signs.tier == .ascii
      ? text.split(separator: "→", omittingEmptySubsequences: false).joined(separator: signs.arrow)
      : text
  }

  /// The newest events side by side in one line, the chosen one first.
  private func drawNewestEvents(_ events: [ChangeEvent], into buffer: inout Buffer) {
    let area = layout[.events]
    var shown = events
    if let chosen = session.alertIndex {
      shown.insert(events[chosen], at: 0)
    }
    var line = Line()
    for event in shown.prefix(2) {
      let next = eventLine(event)
      // The second event only if it fits.
      let room = area.width - 4 - line.width(buffer.repertoire)
      if !line.isEmpty, next.width(buffer.repertoire) > room { break }
      if !line.isEmpty { line.append(" \(signs.separator) ", theme[.border]) }
      line.spans += next.spans
    }
    if line.isEmpty { line = Line("No incidents", theme[.dim]) }
    buffer.write(line, at: Position(x: area.x + 1, y: area.y), limit: area.width - 1, overflow: .ellipsis)
  }

  private func eventLine(_ event: ChangeEvent) -> Line {
    var line = Line()
    line.append(zone.moment(event.time, now: session.now) + " ", theme[.dim])
    line.spans += event.kind.line(theme).spans
    // The name used by the list above.
    let row = event.series.flatMap { series in content.rows.first { $0.id == .series(series) } }
    line.append(" \(layout.step >= .list ? row?.label ?? event.subject : event.subject) ", theme[.text])
    line.append(words(event.note + event.text), theme[event.kind.isAlert ? .value : .header])
    return line
  }
}
