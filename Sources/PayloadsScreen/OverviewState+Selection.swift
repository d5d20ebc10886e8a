import DashboardCore
import TelemetryCore
import TerminalUI

// Selecting and folding lines.
extension OverviewState {
  /// Keeps the selection on its identity; if it is folded away, the line above is selected.
  mutating func keepSelection(rows: Int) {
    let lines = content.lines
    var place = line.flatMap { line in lines.firstIndex { $0.id == line } }
    if place == nil, line != nil, let known = content.selected { place = min(known, lines.count - 1) }
    place = place ?? lines.firstIndex(where: \.isFirstChoice)
    content.selected = place.flatMap { lines.indices.contains($0) ? $0 : nil } ?? (lines.isEmpty ? nil : 0)
    // Until the user makes a choice, the first finding or figure is selected, whatever precedes it.
    if line != nil { line = content.selected.map { lines[$0].id } }
    scroll(rows: rows)
  }

  /// Scrolls the selected line into view.
  mutating func scroll(rows: Int) {
    offset = content.offset(from: offset, rows: rows)
  }

  /// Moves the selection by a number of lines.
  mutating func move(by count: Int) {
    let lines = content.lines
    guard !lines.isEmpty else { return }
    content.selected = Session.moved(content.selected ?? 0, by: count, count: lines.count)
    line = content.selected.map { lines[$0].id }
  }

  /// Selects the line with the figures of a finding, unfolded.
  mutating func show(_ subject: OverviewFinding.Subject) {
    switch subject {
    case .figure(let id):
      line = .figure(id)
      if let row = content.overview?.rows.first(where: { $0.id == id }) {
        toggled.remove(.section(row.section))
      }
    case .kind(let kind):
      line = .kind(kind)
      toggled.remove(.section(.diagnostics))
    case .family(let id):
      line = .family(id)
      toggled.subtract([.section(.diagnostics), .kind(id.signature.kind)])
      toggled.insert(.family(id))
    }
  }

  /// Toggles the folding of a line; returns false if it has no children.
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

extension OverviewLine {
  /// True if it tells something by itself.
  fileprivate var isFirstChoice: Bool {
    switch content {
    case .finding, .figure, .rate: true
    case .section, .rest, .reason, .nodeTitles, .node, .note: false
    }
  }
}

extension OverviewContent {
  /// The selected line.
  var selectedLine: OverviewLine? { selected.flatMap { lines.indices.contains($0) ? lines[$0] : nil } }

  /// The first visible line, such that the selected one is visible.
  func offset(from offset: Int, rows: Int) -> Int {
    // The title of a section is shown together with its first figure.
    let wanted = selected == 1 ? 0 : selected
    let scrolled = Table.offset(showing: wanted, of: lines.count, height: rows, from: offset)
    return Table.offset(showing: selected, of: lines.count, height: rows, from: scrolled)
  }
}
