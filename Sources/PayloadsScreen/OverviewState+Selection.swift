import DashboardCore
import TelemetryCore
import TerminalUI

// Selecting and folding lines.
extension OverviewState {
  /// The selection stays with its name; where that is folded away, the line above takes it.
  mutating func keepSelection(rows: Int) {
    let lines = content.lines
    var place = line.flatMap { line in lines.firstIndex { $0.id == line } }
    if place == nil, line != nil, let known = content.selected { place = min(known, lines.count - 1) }
    place = place ?? lines.firstIndex { if case .figure = $0.content { true } else { false } }
    content.selected = place.flatMap { lines.indices.contains($0) ? $0 : nil } ?? (lines.isEmpty ? nil : 0)
    // Until the person chooses, the first figure is the selected one, whatever comes before it.
    if line != nil { line = content.selected.map { lines[$0].id } }
    scroll(rows: rows)
  }

  /// Keeps the selected line in sight.
  mutating func scroll(rows: Int) {
    offset = content.offset(from: offset, rows: rows)
  }

  /// Selects the line that is a number of lines on.
  mutating func move(by count: Int) {
    let lines = content.lines
    guard !lines.isEmpty else { return }
    content.selected = Session.moved(content.selected ?? 0, by: count, count: lines.count)
    line = content.selected.map { lines[$0].id }
  }

  /// Folds the line or shows what is below it; whether it has anything below.
  mutating func fold(_ line: OverviewLine) -> Bool {
    guard line.fold != .leaf else { return false }
    self.line = line.id
    guard case .node(let group, let node) = line.id else {
      toggled.formSymmetricDifference([line.id])
      return true
    }
    if line.fold == .expanded {
      unfolded[group]?.remove(node)
    } else {
      unfolded[group, default: []].formUnion(content.outlines[group]?.outline.way(from: node) ?? [node])
    }
    return true
  }
}

extension OverviewContent {
  /// The selected line.
  var selectedLine: OverviewLine? { selected.flatMap { lines.indices.contains($0) ? lines[$0] : nil } }

  /// The first line that is seen, so that the selected one is.
  func offset(from offset: Int, rows: Int) -> Int {
    // The title of a section is seen with its first figure.
    let wanted = selected == 1 ? 0 : selected
    let scrolled = Table.offset(showing: wanted, of: lines.count, height: rows, from: offset)
    return Table.offset(showing: selected, of: lines.count, height: rows, from: scrolled)
  }
}
