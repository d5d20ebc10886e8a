import Aggregation
import Codecs
import DashboardCore
import TelemetryCore
import TerminalUI

// Versions, and the histogram over time.
extension HistogramView {
  func drawVersions(into buffer: inout Buffer) {
    let isEmpty = shown.versions.isEmpty
    drawPanel(
      "Average and p95 by version", trailing: isEmpty ? "no field is called version" : "", pane: .versions,
      into: &buffer)
    let area = layout.inner(of: layout[.versions])
    let versions = shown.versions
    guard !isEmpty else { return }
    let cursor = screen.cursor(.versions, versions.count)
    let offset = Table.offset(showing: cursor, of: versions.count, height: area.height, from: 0)
    let name = versions.reduce(4) { max($0, min(16, $1.name.count)) } + 3
    let most = versions.reduce(0) { max($0, $1.p95?.value ?? 0, $1.average ?? 0) }
    for (line, index) in versions.indices.dropFirst(offset).prefix(area.height).enumerated() {
      let row = Rect(x: area.x, y: area.y + line, width: area.width, height: 1)
      draw(versions[index], name: name, most: most, isSelected: index == cursor, in: row, into: &buffer)
    }
  }

  private func draw(
    _ version: HistogramContent.Version, name width: Int, most: Double, isSelected: Bool, in area: Rect,
    into buffer: inout Buffer
  ) {
    let isFront = isSelected && state.pane == .versions && layout.panes.count > 1
    if isFront { buffer.write(signs.selected, at: area.origin, style: theme[.accent]) }
    let letter = version.isA ? " A" : version.isB ? " B" : version.marks.isEmpty ? "" : " !"
    let style = theme[version.isFew ? .dim : isFront ? .selection : .header]
    buffer.write(
      version.name + letter, at: Position(x: area.x + 1, y: area.y), style: style, limit: width,
      overflow: .ellipsis)
    let right =
      "\(version.average.map(unit.figure) ?? "-")".padded(7)
      + "\(version.p95.map { unit.figure($0.value) } ?? "-")".padded(7)
      + NumberFormat.count(version.count).padded(6)
    buffer.write(right, endingAt: area.maxX - 1, y: area.y, style: theme[version.isFew ? .dim : .text])
    let room = area.width - width - right.count - 4
    let x = area.x + 2 + width
    guard room > 4 else { return }
    if version.isFew {
      buffer.write(
        "n \(version.count): too few", at: Position(x: x, y: area.y), style: theme[.dim], limit: room)
      return
    }
    let length = { (value: Double) in most > 0 ? value / most * Double(room - 1) : 0 }
    let bar = HistogramBar(a: length(version.average ?? 0), b: length(version.p95?.value ?? 0), signs: signs)
    buffer.write(bar.line(theme), at: Position(x: x, y: area.y), limit: room)
  }

  // MARK: Over time

  func drawCourse(into buffer: inout Buffer) {
    let course = shown.course
    let sides = figures?.b == nil ? "A" : "A and B"
    let trailing =
      course.columns.isEmpty
      ? "" : "\(course.isGuess ? "~ " : "")\(sides), \(DurationFormat.text(course.step)) columns"
    drawPanel(
      "Same histogram through time", trailing: courseWords ?? trailing, pane: .course, into: &buffer)
    let area = layout.inner(of: layout[.course])
    guard !course.columns.isEmpty, course.most > 0 else { return }
    let left = area.x + HistogramLayout.courseMargin - 1
    let count = course.grid.rows.count
    let cell = screen.courseCell(in: area.width)
    let cursor = screen.cursor(.course, course.columns.count)
    let isFront = state.pane == .course && layout.panes.count > 1
    let heats = [Role.series1, .series2].map { theme.heat($0, steps: signs.densities.count) }
    // The highest values on top.
    let axis = HistogramLayout.courseAxis(area.height)
    for (line, row) in (0..<count).reversed().prefix(area.height - axis).enumerated() {
      let y = area.y + line
      let room = left - area.x - 1
      let label =
        shown.labels?[row].prefixed(room)
        ?? HistogramLabel(unit: unit, row: course.grid.rows[row]).short(width: room)
      buffer.write(label, endingAt: left - 1, y: y, style: theme[.dim], limit: room)
      for (index, column) in course.columns.enumerated() {
        let isSelected = isFront && index == cursor
        let isOfB = course.columnsOfB[index][row] > column[row] / 2
        let heat = heats[isOfB ? 1 : 0]
        let step = column[row] > 0 ? density(column[row], of: course.most) : nil
        let sign = heat.isEmpty ? step.map { signs.densities[$0] } : nil
        let ink = theme[isSelected ? .accent : isOfB ? .series2 : .series1]
        buffer.write(
          String(repeating: sign ?? (isSelected ? signs.gap : " "), count: cell),
          at: Position(x: left + index * cell, y: y),
          style: step.flatMap { heat.isEmpty ? nil : ink.on(heat[$0].background) } ?? ink,
          limit: max(0, area.maxX - left - index * cell))
      }
    }
    guard axis > 0 else { return }
    let y = area.y + min(count, area.height - axis)
    let (begin, end) = (course.window(ofColumn: 0), course.window(ofColumn: course.columns.count - 1))
    let width = min(area.maxX - left, course.columns.count * cell)
    let times = [screen.name(ofTime: begin.lowerBound), screen.name(ofTime: end.upperBound)]
    buffer.write(times[0], at: Position(x: left, y: y), style: theme[.dim], limit: width)
    if times[0].count + times[1].count + 2 <= width {
      buffer.write(times[1], endingAt: left + width, y: y, style: theme[.dim], limit: width)
    }
  }

  /// The selected column as text.
  private var courseWords: String? {
    let course = shown.course
    guard !course.columns.isEmpty, state.pane == .course else { return nil }
    let cursor = screen.cursor(.course, course.columns.count)
    let samples = course.columns[cursor].reduce(0) { $0.addingSaturated($1) }
    return "\(screen.name(of: course.window(ofColumn: cursor))) n \(NumberFormat.count(samples))"
  }

  /// The square root keeps small counts visible beside large ones.
  private func density(_ count: Int, of most: Int) -> Int {
    let share = (Double(count) / Double(max(1, most))).squareRoot()
    return max(0, min(4, Int(share * 5)))
  }
}

extension HistogramLabel {
  /// The lower end of the row in a number of columns, for the scale at the side.
  func short(width: Int) -> String {
    if row.lower == -.infinity { return "<" + figure(row.upper, width: width - 1) }
    return row.upper == .infinity
      ? figure(row.lower, width: width - 1) + "+" : figure(row.lower, width: width)
  }

  private func figure(_ value: Double, width: Int) -> String {
    unit == .milliseconds ? unit.bare(value, width: width) : unit.text(value, width: width)
  }
}
