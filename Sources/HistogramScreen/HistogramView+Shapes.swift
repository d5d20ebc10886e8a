import Aggregation
import Codecs
import DashboardCore
import TerminalUI

// Both sides in a line each, under the bins.
extension HistogramView {
  func drawShapes(_ figures: HistogramFigures, in area: Rect, into buffer: inout Buffer) {
    let rule = String(repeating: signs.horizontal, count: max(0, area.width - 2))
    buffer.write(rule, at: Position(x: area.x + 1, y: area.y), style: theme[.border])
    let name = max(figures.a.name.count, figures.b?.name.count ?? 0, 3) + 3
    let left = area.x + 1 + min(name, 14)
    let cell = max(1, min(4, (area.width - min(name, 14) - 34) / max(1, figures.rows.count)))
    let width = cell * figures.rows.count
    drawAxis(
      figures, at: Position(x: left, y: area.y + 1), cell: cell, end: area.maxX, into: &buffer)
    let sides: [(String, HistogramSide, (HistogramFigures.Row) -> Double, Role)] =
      [("A", figures.a, { $0.shareA }, .series1)]
      + (figures.b.map { [("B", $0, { $0.shareB }, .series2)] } ?? [])
    for (index, (letter, side, share, role)) in sides.enumerated() {
      let y = area.y + 2 + index
      buffer.write(
        "\(letter) \(side.name)", at: Position(x: area.x + 1, y: y), style: theme[.header],
        limit: left - area.x - 2, overflow: .ellipsis)
      let values = figures.rows.flatMap { row in
        Array(repeating: share(row) > 0 ? share(row) : nil, count: cell)
      }
      let top = max(1e-9, figures.rows.reduce(0) { max($0, $1.shareA, $1.shareB) })
      let spark = Sparkline(values, range: 0...top, theme: theme).text(width: width)
      buffer.write(
        spark, at: Position(x: left, y: y), style: theme[role], limit: max(0, area.maxX - left - 1))
      buffer.write(
        placeText(side), at: Position(x: left + width + 2, y: y), style: theme[.dim],
        limit: max(0, area.maxX - left - width - 3), overflow: .ellipsis)
    }
    if figures.b != nil {
      drawDifferences(figures, at: Position(x: left, y: area.y + 4), cell: cell, in: area, into: &buffer)
    }
  }

  private func drawAxis(
    _ figures: HistogramFigures, at origin: Position, cell: Int, end: Int, into buffer: inout Buffer
  ) {
    let labels = figures.grid.rows.enumerated().compactMap { index, row in
      row.lower.isFinite ? (x: origin.x + index * cell, text: unit.figure(row.lower)) : nil
    }
    // Labels in equal steps: unequal ones would look like a change of scale.
    let step = labels.indices.dropFirst().first { step in
      labels.indices.dropLast(step).allSatisfy {
        labels[$0].x + labels[$0].text.count + 2 <= labels[$0 + step].x
      }
    }
    for index in stride(from: 0, to: labels.count, by: step ?? max(1, labels.count)) {
      let (x, text) = labels[index]
      // A truncated figure would be a different one.
      guard x + text.count < end else { break }
      buffer.write(text, at: Position(x: x, y: origin.y), style: theme[.dim])
    }
  }

  private func placeText(_ side: HistogramSide) -> String {
    let found = side.quantiles([50, 95])
    guard found.count == 2 else { return "" }
    let room = 12
    return "p50 at \(unit.figure(found[0].value))  p95 "
      + formatter.quantile(found[1], spread: nil, isStated: true, room: room)
  }

  private func drawDifferences(
    _ figures: HistogramFigures, at origin: Position, cell: Int, in area: Rect, into buffer: inout Buffer
  ) {
    buffer.write("A-B", at: Position(x: area.x + 1, y: origin.y), style: theme[.header])
    for index in figures.rows.indices
    where figures.isDifferent(row: index) && origin.x + (index + 1) * cell < area.maxX {
      let isMore = figures.rows[index].difference > 0
      let text = String(repeating: isMore ? signs.ascending : signs.descending, count: cell)
      buffer.write(
        text, at: Position(x: origin.x + index * cell, y: origin.y), style: theme[isMore ? .warning : .dim])
    }
    buffer.write(
      "\(signs.descending) fewer  \(signs.ascending) more",
      at: Position(x: origin.x + cell * figures.rows.count + 2, y: origin.y), style: theme[.dim],
      limit: max(0, area.maxX - origin.x - cell * figures.rows.count - 3))
  }
}
