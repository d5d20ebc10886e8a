import Aggregation
package import DashboardCore
import TelemetryCore

// The overview and the call trees of all diagnostics as a table.
extension PayloadsScreen {
  /// All lines, with every family and frame unfolded; amounts are in seconds, bytes or plain numbers.
  package var screenTable: ScreenTable? {
    guard let summary = state.content.summary, summary.isDone else { return nil }
    var content = state.content
    var toggled = state.toggled
    var unfolded: [DiagnosticFamily.ID: Set<CallStackOutline.ID>] = [:]
    for family in summary.families {
      toggled.formUnion([.rest(family.kind), .family(family.id)])
      guard case .callStacks(let known) = OverviewWork(of: family, in: summary).run().outcome else {
        continue
      }
      content.outlines[family.id] = known
      unfolded[family.id] = known.outline.foldable
    }
    let lines = OverviewList(content: content, toggled: toggled, unfolded: unfolded).lines
    let sides = summary.overview.sides.count
    var section = ""
    var rows: [[ScreenTable.Cell]] = []
    for line in lines {
      switch line.id {
      case .findings, .section: section = line.label
      default: break
      }
      if let row = Self.row(line) { rows.append([.text(section)] + row) }
    }
    return ScreenTable(
      columns: ["section"] + Self.columns(sides: sides), rows: rows.map { Self.cut($0, sides) })
  }

  private static let sharedColumns = ["section", "kind", "depth", "name"]
  private static let columnsOfA = ["a", "a_count", "a_p50", "a_p95", "a_total"]
  private static let columnsOfB = ["b", "b_count", "b_p50", "b_p95", "b_total", "change", "verdict"]

  private static func columns(sides: Int) -> [String] {
    sharedColumns.dropFirst() + columnsOfA + (sides > 1 ? columnsOfB : [])
  }

  private static func cut(_ row: [ScreenTable.Cell], _ sides: Int) -> [ScreenTable.Cell] {
    sides > 1 ? row : Array(row.prefix(sharedColumns.count + columnsOfA.count))
  }

  private static func row(_ line: OverviewLine) -> [ScreenTable.Cell]? {
    let none = ScreenTable.Cell.empty
    func row(_ kind: String, _ a: [ScreenTable.Cell], _ b: [ScreenTable.Cell] = []) -> [ScreenTable.Cell] {
      let values =
        (a + [none, none, none, none]).prefix(5) + (b + Array(repeating: none, count: 7)).prefix(7)
      return [.text(kind), .init(line.depth), .text(line.label)] + values
    }
    switch line.content {
    case .figure(let figure):
      return row(
        "figure", side(figure.a, of: figure),
        side(figure.b, of: figure) + [.init(figure.change), verdict(figure.verdict)])
    case .rate(let rate):
      return row(
        "diagnostics", [.init(rate.a.count), .init(rate.a.exposure.days), none, none, none],
        [
          .init(rate.b?.count), .init(rate.b?.exposure.days), none, none, none, .init(rate.change),
          verdict(rate.verdict),
        ])
    case .finding: return row("finding", [])
    case .node(let total, let own, let share):
      return row("frame", [.init(total), .init(own), none, none, .init(share)])
    case .reason(let count): return row("reason", [.init(count)])
    default: return nil
    }
  }

  private static func side(_ value: OverviewValue?, of row: PayloadOverview.Row) -> [ScreenTable.Cell] {
    guard let value else { return Array(repeating: .empty, count: 5) }
    let shown = row.shown(value)
    let count =
      switch value.count {
      case .samples(let count), .days(let count): count
      }
    let percentiles = [value.percentiles.first, value.percentiles.last].map { percentile in
      ScreenTable.Cell(percentile?.value.map(row.unit.base))
    }
    return [.init(shown.unit.base(shown.value)), .init(count)] + percentiles
      + [.init(value.total.map(row.unit.base))]
  }

  private static func verdict(_ verdict: ComparisonVerdict?) -> ScreenTable.Cell {
    verdict.map { .text($0.sign) } ?? .empty
  }
}
