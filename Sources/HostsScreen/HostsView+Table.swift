import Aggregation
import Codecs
import DashboardCore
import History
import Platform
import TerminalUI

// One row a host, with its heat over time.
extension HostsView {
  func drawTable(into buffer: inout Buffer) {
    let area = layout.tableArea
    if layout.hasBoxes {
      let count = hosts.map { "hosts \(NumberFormat.grouped($0.total))" } ?? "hosts"
      var panel = Panel(count, look: .pane, trailing: "oddest first", theme: theme)
      panel.leading += filterHint(state.rowFilter.text)
      panel.render(in: layout[.table], into: &buffer)
    }
    guard !state.rows.isEmpty else {
      let below = area.inset(left: 1, top: layout.hasTableHeader ? 1 : 0)
      guard hosts != nil, !state.rowFilter.isEmpty else { return }
      buffer.write(
        "no host is called «\(state.rowFilter.shownText)»", at: below.origin, style: theme[.dim],
        limit: below.width, overflow: .ellipsis)
      return
    }
    let shown = state.rows.dropFirst(state.offset).prefix(layout.tableRows)
    Table(
      columns: columns, rows: shown.map(row), selection: state.selectedIndex.map { $0 - state.offset },
      hasHeader: layout.hasTableHeader, theme: theme
    ).render(in: area, into: &buffer)
  }

  /// Rank, name and figures, then the heat map, which is as wide as the fleet's chart above it.
  private var columns: [Column] {
    [
      Column("#", width: 4, alignment: .trailing, dropOrder: 5),
      Column("HOST", width: 12, isFlexible: true),
      Column(">P95", width: 5, alignment: .trailing),
      Column("N", width: 6, alignment: .trailing, dropOrder: 3),
      Column("P50", width: 7, alignment: .trailing, dropOrder: 4),
      Column("P95", width: 7, alignment: .trailing, dropOrder: 2),
      Column("LAST", width: 10, alignment: .trailing, dropOrder: 1),
      Column(heatTitle, width: layout.heatColumns),
    ]
  }

  private var heatTitle: String {
    let window = state.window
    let length = DurationFormat.text(window.upperBound - window.lowerBound)
    return "p95 over \(length), from \(zone.moment(window.lowerBound, now: session.now, .minutes))"
  }

  private func row(_ host: ListedHost) -> TableRow {
    let row = host.row
    let silent = state.silence.age(of: row)
    let isChosen = session.scope == .host(row.name)
    let share = row.share.map(NumberFormat.share) ?? "-"
    let figure: (Double?) -> String = { $0.map { screen.unit.text($0, width: 7) } ?? "-" }
    let mark = (isChosen ? signs.live + " " : "") + (silent == nil ? "" : signs.silent + " ")
    return TableRow([
      Line("\(host.place + 1)", theme[.dim]),
      Line(
        mark + row.name, isChosen ? theme[.accent].adding(.bold) : theme[silent == nil ? .text : .warning]),
      Line(share, theme[row.isOdd ? .alert : .value]),
      Line(NumberFormat.count(row.count), theme[.dim]),
      Line(figure(row.p50), theme[.text]),
      Line(figure(row.p95), theme[.text]),
      Line(lastWords(row, silent), theme[silent == nil ? .dim : .warning]),
      heat(row),
    ])
  }

  /// `silent 35s`, the age of the last sample, or its time if it is long past.
  private func lastWords(_ row: HostRow, _ silent: Double?) -> String {
    guard let last = row.lastTime else { return "-" }
    if let silent { return "silent \(DurationFormat.text(silent))" }
    let age = session.clock - last
    guard !session.isFrozen, age < HostSilence.least else { return zone.moment(last, now: session.now) }
    return age < 1 ? "now" : "\(DurationFormat.text(age.rounded(.down))) ago"
  }

  // MARK: Heat

  /// A host's cells: each column of the screen shows the step of the chart that contains its middle.
  private func heat(_ row: HostRow) -> Line {
    guard let hosts, !row.cells.isEmpty, hosts.chart.columns.count == row.cells.count else { return Line() }
    let count = layout.heatColumns
    let length = state.window.upperBound - state.window.lowerBound
    let start = hosts.chart.start(ofColumn: 0)
    var line = Line()
    for column in 0..<count {
      let moment = state.window.lowerBound + (Double(column) + 0.5) / Double(count) * length
      let step = ((moment - start) / hosts.chart.step).rounded(.down)
      guard step >= 0, step < Double(row.cells.count), let cell = row.cells[Int(step)] else {
        append(" ", .plain, to: &line)
        continue
      }
      let level = HostHeat.level(of: cell, in: hosts.chart.columns[Int(step)])
      append(signs.densities[level], theme[HostHeat.roles[level]], to: &line)
    }
    return line
  }

  private func append(_ sign: String, _ style: Style, to line: inout Line) {
    if let last = line.spans.last, last.style == style {
      line.spans[line.spans.count - 1].text += sign
    } else {
      line.append(sign, style)
    }
  }
}

/// How far a host's 95th percentile lies above the fleet's in the same step.
enum HostHeat {
  /// From unremarkable to very far above; colour and sign tell the same.
  static let roles: [Role] = [.dim, .dim, .warning, .alert, .alert]
  /// The distance from the fleet's median at which each level ends, in distances of the fleet's own p95 from it.
  private static let ends = [0.5, 1.1, 1.6, 2.5]

  /// Number of samples below which a 95th percentile is little more than the largest of them.
  private static let few = 60

  /// A level from 0 to 4.
  static func level(of cell: HostCell, in fleet: HistoryColumn?) -> Int {
    guard let fleet else { return 0 }
    let reach = fleet.spread.p95 - fleet.spread.p50
    guard reach > 0, reach.isFinite else { return cell.p95 > fleet.spread.p95 ? ends.count : 1 }
    let distance = (cell.p95 - fleet.spread.p50) / reach
    let level = ends.firstIndex { distance <= $0 } ?? ends.count
    // One large value among a few says nothing, unless the others are large, too.
    return cell.count < few && cell.mean <= fleet.spread.p75 ? min(level, 1) : level
  }
}
