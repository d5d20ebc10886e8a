import History
import TerminalUI

// What stands where there is nothing to show yet.
extension ScreenView {
  func drawEmptiness(_ reason: (title: String, next: String), into buffer: inout Buffer) {
    let area = frame.body
    let lines = [Line(reason.title, theme[.title]), Line(reason.next, theme[.dim])]
    for (index, line) in lines.enumerated() {
      let x = area.x + max(1, (area.width - line.width(buffer.repertoire)) / 2)
      buffer.write(
        line, at: Position(x: x, y: area.y + max(0, area.height / 2 - 1) + index),
        limit: max(0, area.width - 2),
        overflow: .ellipsis)
    }
    if frame.step == .tiny {
      buffer.write("?", at: Position(x: area.maxX - 1, y: area.y), style: theme[.key])
    }
  }

  /// Long work: what it is, how far it is and how long it will take.
  func drawWork(_ work: HistoryWork?, into buffer: inout Buffer) {
    guard let work else { return }
    // A message would lie over it.
    let row = frame.body.row(frame.body.height - (session.toast == nil ? 1 : 2))
    let inside = row.inset(left: min(2, row.width / 8), right: min(2, row.width / 8))
    buffer.fill(inside)
    let esc = Line([Span("Esc", theme[.key]), Span(" gives up", theme[.dim])])
    let escWidth = inside.width >= 60 ? esc.width(buffer.repertoire) + 2 : 0
    ProgressBar(
      work.kind.title, done: work.progress.done, total: work.progress.total,
      perSecond: work.progress.perSecond, theme: theme
    ).render(in: inside.inset(left: 1, right: escWidth + 1), into: &buffer)
    if escWidth > 0 { buffer.write(esc, endingAt: inside.maxX - 1, y: inside.y) }
  }
}

extension HistoryWork.Kind {
  /// What is being done.
  var title: String {
    switch self {
    case .indexing: "Reading the history"
    case .sorting: "Sorting by value"
    case .gathering: "Gathering the numbers"
    case .exporting: "Writing"
    }
  }
}
