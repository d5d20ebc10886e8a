import Codecs
import DashboardCore
import TerminalUI

/// Draws a page behind the overview.
struct OverviewPageView {
  let page: OverviewPage
  let theme: Theme
  let step: LayoutStep

  /// The area of the list, with its header.
  static func table(in area: Rect, _ step: LayoutStep) -> Rect {
    step.hasBoxes ? area.inset(left: 1, top: 1, right: 1) : area.inset(top: step == .tiny ? 0 : 1)
  }

  /// Number of visible rows.
  static func rows(in area: Rect, _ step: LayoutStep) -> Int { max(1, table(in: area, step).height - 1) }

  func drawBody(in area: Rect, into buffer: inout Buffer) {
    guard !area.isEmpty else { return }
    let place = "\(NumberFormat.grouped(page.selected + 1)) of \(NumberFormat.grouped(page.rows.count))"
    if step.hasBoxes {
      var panel = Panel(page.title, look: .pane, trailing: "Esc back", theme: theme)
      panel.leading.append(Line(place, theme[.dim]))
      panel.render(in: area, into: &buffer)
    } else if step != .tiny {
      buffer.write(
        Line(page.title, theme[.title]), at: area.origin, limit: area.width, overflow: .ellipsis)
    }
    let table = Table(
      columns: page.columns,
      rows: page.rows.map { row in TableRow(row.cells.map { Line($0, theme[.text]) }) },
      selection: page.selected, offset: page.offset, theme: theme)
    table.render(in: Self.table(in: area, step), into: &buffer)
  }
}
