import TerminalUI

extension OverviewContent {
  /// All lines as a tab-separated table.
  func text(_ theme: Theme) -> String {
    guard let overview else { return "" }
    let columns = OverviewColumn.columns(width: 240, hasB: overview.b != nil)
    let formatter = OverviewFormatter(theme: theme)
    let titles = columns.map { $0.title(sides: overview.sides.map(\.name)) }
    let rows = lines.filter { $0.content != .nodeTitles }.map { line in
      columns.map { column in
        let text = formatter.cell(column, of: line).text
        return column.kind == .name ? String(repeating: " ", count: line.depth) + text : text
      }
    }
    return ([titles] + rows).map { SafeText.row($0, repertoire: theme.capabilities.repertoire) }
      .joined(separator: "\n")
  }
}
