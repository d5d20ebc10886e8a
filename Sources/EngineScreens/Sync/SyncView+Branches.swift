import Codecs
import DashboardCore
import Sync
package import TerminalUI

// Two branches of one engine, one above the other, and their difference in one line.
extension SyncView {
  package func drawBranches(into buffer: inout Buffer) {
    guard state.other != nil else {
      drawPanel("What if", pane: .branches, in: layout[.branches], into: &buffer)
      let words = screen.branchRefusal ?? "B starts a branch here, with one change"
      return write([Line(words, theme[.dim])], in: layout.inner(of: layout[.branches]), into: &buffer)
    }
    let area = layout.inner(of: layout[.branches])
    guard area.height >= 16, area.width >= 60, let (comparison, branches) = comparison(width: area.width)
    else { return drawComparison(trailing: session.keyHint("z side by side"), into: &buffer) }
    drawComparisonPanel(of: branches, into: &buffer)
    let parts = area.rows([.fixed(min(12, area.height / 3)), .fill(1)])
    drawComparison(comparison, of: branches, in: parts[0], into: &buffer)
    drawFutures(branches, in: parts[1].inset(top: 1), into: &buffer)
  }

  // MARK: Side by side

  /// Draws the events of both, starting shortly before the first difference.
  private func drawFutures(_ branches: (Int, Int), in area: Rect, into buffer: inout Buffer) {
    guard let futures = screen.futures(of: branches) else { return }
    let columns = area.columns([.fill(1), .fixed(1), .fill(1)], spacing: 1)
    let heads = [branches.0, branches.1].map { branch in
      Line(
        "\(BranchName.text(branch))  \(branch == 0 ? "as it was" : state.log.change(of: branch))",
        theme[.title])
    }
    let start = screen.futureOffset(of: futures, height: area.height - 1)
    let rows = futures.rows.dropFirst(start).prefix(max(0, area.height - 1))
    func cells(_ side: (EngineFutures<SyncHappening>.Row) -> EngineHappening<SyncHappening>?) -> [Line] {
      rows.map { row in side(row).map { cell($0, isSame: row.isSame) } ?? Line("", theme[.dim]) }
    }
    let marks = rows.indices.map { place in
      place == futures.firstDifference
        ? Line(signs.other, theme[.alert].adding(.bold)) : Line(signs.vertical, theme[.dim])
    }
    write([heads[0]] + cells(\.one), in: columns[0], into: &buffer)
    write([Line(signs.vertical, theme[.dim])] + marks, in: columns[1], into: &buffer)
    write([heads[1]] + cells(\.other), in: columns[2], into: &buffer)
  }

  private func cell(_ happening: EngineHappening<SyncHappening>, isSame: Bool) -> Line {
    let words = SyncTimelineFormatter.wordings(happening)
    return [
      Span("\(zone.time(happening.time, .tenths)) ", theme[.dim]),
      Span(
        "\(formatter.subject(happening.entry))  \(words[words.count - 1])", theme[isSame ? .dim : .text]),
    ]
  }
}
