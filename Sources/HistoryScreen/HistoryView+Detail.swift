import Aggregation
import Codecs
import DashboardCore
import History
import Platform
import TerminalUI

// One sample: its location, how unusual it is, and the other metrics that moved then.
extension HistoryView {
  func drawDetail(into buffer: inout Buffer) {
    var area = layout[.detail]
    if layout.hasBoxes || area.height > 2 {
      var panel = Panel(
        "this sample", look: layout.step.paneLook, isFocused: state.pane == .detail, theme: theme)
      panel.trailing = [
        hint(state.isRaw ? "J what is known" : "J raw line"), hint("y copy"),
        hint("o editor"),
      ]
      if let detail = screen.detail {
        panel.leading.append(
          Line("and what else moved at \(zone.time(detail.row.time, .milliseconds))", theme[.dim]))
      }
      panel.render(in: area, into: &buffer)
      area = panel.inner(of: area)
    }
    guard let detail = screen.detail else {
      let isKnown = session.history.answer != nil && !isBehind
      let text = screen.selectedRow != nil ? "Reading" : isKnown ? "No sample is selected" : ""
      buffer.write(
        text, at: Position(x: area.x + 1, y: area.y), style: theme[.dim], limit: area.width - 1,
        overflow: .ellipsis)
      return
    }
    let room = area.width - 2
    var lines =
      state.isRaw ? rawLines(detail, room, area.height, buffer) : detailLines(detail, room, buffer)
    // Without a chart, the selected range is shown here.
    if layout.step == .list, let range = selectionLine(room: room) { lines.insert(range, at: 0) }
    for (index, line) in lines.prefix(area.height).enumerated() {
      buffer.write(line, at: Position(x: area.x + 1, y: area.y + index), limit: room, overflow: .ellipsis)
    }
  }

  private func rawLines(_ detail: HistoryDetail, _ room: Int, _ height: Int, _ buffer: Buffer) -> [Line] {
    var lines: [Line] = []
    var rest = detail.rawLine[...]
    while !rest.isEmpty, lines.count < height, room > 0 {
      var width = 0
      var end = rest.startIndex
      while end < rest.endIndex {
        width += SafeText.width(of: String(rest[end]), repertoire: buffer.repertoire)
        if width > room, end > rest.startIndex { break }
        end = rest.index(after: end)
      }
      lines.append(Line(String(rest[..<end]), theme[.text]))
      rest = rest[end...]
    }
    return lines
  }

  private func detailLines(_ detail: HistoryDetail, _ room: Int, _ buffer: Buffer) -> [Line] {
    let place = placeLine(detail)
    let rank = rankLine(detail)
    var lines: [Line] = []
    if layout.hasBoxes, layout[.detail].height > 4 {
      lines.append(place)
      if !rank.isEmpty { lines.append(rank) }
    } else {
      lines.append(rank.isEmpty ? place : rank)
    }
    guard !detail.others.isEmpty else {
      return lines + [Line("Nothing else moved beyond its own noise", theme[.dim])]
    }
    return lines + packed(detail.others.map(neighbour), room: room, buffer)
  }

  /// `app.jsonl.1 line 18849 byte 2204118  {"metric":…`.
  private func placeLine(_ detail: HistoryDetail) -> Line {
    let name = session.fileNames.short(screen.fileName(of: detail))
    return [
      Span(name, theme[.header]), Span(" line \(detail.row.line)", theme[.text]),
      Span(" byte \(detail.row.place.offset)", theme[.dim]),
      Span("  \(detail.rawLine.prefix(400))", theme[.dim]),
    ]
  }

  /// `larger than 99.3% of the hour around it (2 188) · one of 15 with outcome=fail`.
  private func rankLine(_ detail: HistoryDetail) -> Line {
    var parts: [String] = []
    if let rank = detail.rank {
      let low = NumberFormat.text(rank.lowerBound * 100, decimals: 1)
      let high = NumberFormat.text(rank.upperBound * 100, decimals: 1)
      let place =
        low == "100.0" ? "the largest" : "larger than \(low == high ? low : "\(low)-\(high)")%"
      parts.append("\(place) of the hour around it (\(NumberFormat.grouped(detail.hourCount)))")
    }
    parts += detail.peers.map { "one of \(NumberFormat.grouped($0.count)) with \($0.field)=\($0.value)" }
    return Line(parts.joined(separator: " \(signs.dot) "), theme[.text])
  }

  /// `net.rtt 212ms ↑ 5.4×`, or `↑ ~5.4×` if the median comes from a wide bin.
  private func neighbour(_ other: HistoryNeighbour) -> Line {
    var line = Line(other.identity.fullName + " ", theme[.dim])
    guard case .number(let value) = other.value else {
      line.append(other.value.words, theme[.text])
      return line
    }
    line.append(session.unit(of: other.identity).text(value), theme[.value])
    guard let median = other.usual, median.value.isFinite else { return line }
    let usual = median.value
    if median.isWide, median.lower <= value, value <= median.upper {
      // The value may be the usual one.
      line.append(" ~", theme[.dim])
      return line
    }
    let isOdd = value > usual * 1.5 || value < usual / 1.5
    let sign = value > usual * 1.05 ? signs.above : value < usual * 0.95 ? signs.below : "="
    line.append(" \(sign)", theme[isOdd ? .warning : .dim])
    if isOdd, usual > 0, value > usual {
      let mark = median.isWide ? "~" : ""
      let factor = value / usual
      let text = factor < 1000 ? IncidentFormatter.factor(factor) : ValueUnit.plain.text(factor)
      line.append(" \(mark)\(text)\(signs.times)", theme[.warning])
    }
    return line
  }

  /// The parts side by side, as many per line as there is room for.
  private func packed(_ parts: [Line], room: Int, _ buffer: Buffer) -> [Line] {
    var lines: [Line] = []
    var line = Line()
    for part in parts {
      let width = line.width(buffer.repertoire)
      if !line.isEmpty, width + 3 + part.width(buffer.repertoire) > room {
        lines.append(line)
        line = Line()
      }
      if !line.isEmpty { line.append("   ") }
      line.spans += part.spans
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
