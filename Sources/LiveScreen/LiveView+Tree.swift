import Aggregation
import Codecs
import DashboardCore
import TerminalUI

// The tree of buckets, or the flat list.
extension LiveView {
  func drawTree(into buffer: inout Buffer) {
    if layout.hasBoxes { drawTreeFrame(into: &buffer) }
    let area = tableArea
    let visible = screen.visibleRows
    let table = Table(
      columns: treeColumns, rows: visible.map(tableRow),
      selection: visible.firstIndex { $0.id == state.selection }.map { $0 - visible.startIndex },
      hasHeader: layout.step < .list, theme: theme)
    table.render(in: area, into: &buffer)
    if content.rows.isEmpty {
      draw(emptyBy: state.rowFilter, in: area.inset(left: 2, top: 1, right: 1), into: &buffer)
    }
  }

  /// The area of rows and titles.
  private var tableArea: Rect { layout.step >= .list ? layout.rows : layout.rows.inset(top: -1) }

  /// The sort key of a title at a position; `nil` elsewhere, and for columns that cannot be sorted by.
  func sortKey(at position: Position) -> SortKey? {
    let table = Table(columns: treeColumns, rows: [], hasHeader: layout.step < .list, theme: theme)
    guard let column = table.titledColumn(at: position, in: tableArea) else { return nil }
    return column == 0
      ? .name : SortKey.allCases.first { $0.title.lowercased() == treeColumns[column].title.lowercased() }
  }

  private func drawTreeFrame(into buffer: inout Buffer) {
    let order = state.isInverted ? signs.ascending : signs.descending
    let isPlain = state.sort == .name || state.sort == .unusual
    let title = layout.isFlat || state.sort != .unusual ? state.sort.title : SortKey.name.title
    let sort = isPlain ? title : "\(title) \(order)"
    let last = state.offset + screen.visibleRows.count
    let filter = state.rowFilter.shownText
    let shared =
      session.store.sharedSeries > 0 ? " (\(NumberFormat.count(session.store.sharedSeries)) share a row)" : ""
    var panel = Panel(
      "\(NumberFormat.count(metricCount)) \(metricCount == 1 ? "metric" : "metrics")\(shared)", look: .pane,
      trailing: rowsText(last),
      isFocused: state.pane == .tree, theme: theme)
    panel.leading += hints("s \(sort)")
    if !filter.isEmpty { panel.leading += filterHint(filter) }
    panel.render(in: layout[.tree], into: &buffer)
  }

  private var metricCount: Int { content.ownMetrics + session.store.sharedSeries }

  /// The extent of the visible list, or the number of metrics that pass the filter.
  private func rowsText(_ last: Int) -> String {
    guard !state.filter.isEmpty else { return "\(last) of \(content.rows.count) rows" }
    return "\(NumberFormat.count(content.listedMetrics)) of \(NumberFormat.count(metricCount))"
  }

  private var treeColumns: [Column] {
    let window = DurationFormat.text(session.window)
    var columns = [
      Column(nameTitle, width: layout.step >= .list ? 6 : 10, isFlexible: true)
    ]
    columns += self.columns.map { Column($0.title, width: layout.width(of: $0), alignment: .trailing) }
    let last = "LAST \(window)"
    columns.append(Column(last.count > layout.sparkWidth ? window : last, width: layout.sparkWidth))
    columns.append(Column(layout.whyWidth > 1 ? "WHY" : "", width: layout.whyWidth, alignment: .trailing))
    return columns
  }

  /// The title of the names, with filter and order where no frame shows them.
  private var nameTitle: String {
    guard !layout.hasBoxes else { return "NAME" }
    let filter = state.filter.isEmpty ? "" : " /\(state.filter)"
    let order = state.isInverted ? signs.ascending : signs.descending
    return "NAME\(filter)" + (state.sort == .unusual ? "" : "  by \(state.sort.title) \(order)")
  }

  private func tableRow(_ row: LiveRow) -> TableRow {
    guard let id = row.series else { return groupRow(row) }
    let stats = content.stats[id]?.stats ?? RowStats()
    let sign = sign(of: row, stats)
    let reason = screen.reason(of: row, stats)
    let look = reason.flatMap(look)
    let figures = RowFigures(
      row: row, stats: stats, theme: theme, isShort: layout.step >= .list, look: look ?? .text)
    let name = layout.step >= .list ? ending(of: row.label) : row.label
    var cells = [Line(name, theme[look ?? .text].adding(reason?.kind == .limit ? .bold : []))]
    cells += columns.map { column in
      var line = figures.line(of: column, window: session.window)
      if column == .p95, layout.step >= .list, stats.p95 != nil {
        line.spans.insert(Span("p95 ", theme[.dim]), at: 0)
      }
      return line
    }
    cells.append(spark(stats, look: look))
    cells.append(whyLine(reason, sign))
    return TableRow(cells, indent: layout.isFlat ? 0 : row.depth)
  }

  /// The end of a name that does not fit, because the metrics of a struct differ at the end.
  private func ending(of label: String) -> String {
    let room = layout.nameRoom
    return label.count > room ? signs.ellipsis + String(label.suffix(max(1, room - 1))) : label
  }

  private func groupRow(_ row: LiveRow) -> TableRow {
    let name = Line(row.label, row.depth == 0 ? theme[.title] : theme[.text])
    var cells = [name]
    if row.hidden > 0 {
      let blanks = Array(repeating: Line(), count: max(0, treeColumns.count - 3))
      cells += blanks + [Line(fitting("+\(row.hidden) hidden", "+\(row.hidden) rows"), theme[.dim])]
    }
    let fold: TableRow.Fold = row.fold == .expanded ? .expanded : .collapsed
    return TableRow(cells, indent: row.depth, fold: fold)
  }

  /// The look of a row with a current problem; `nil` for others.
  private func look(of reason: LiveReason) -> Role? {
    switch reason.kind {
    case .limit: .alert
    case .incident: reason.isLarge ? .alert : .warning
    case .silent: .warning
    case .past, .mark: nil
    }
  }

  /// The words, or fewer where the sparkline's column is too narrow.
  private func fitting(_ words: String, _ fewer: String) -> String {
    words.count > layout.sparkWidth ? fewer : words
  }

  private func spark(_ stats: RowStats, look: Role?) -> Line {
    guard stats.n > 0 else { return Line(fitting("no samples", "none"), theme[.dim]) }
    let isShare = stats.summary.moments.count == 0 && stats.summary.shareOfTrue != nil
    let spark = Sparkline(stats.spark, range: isShare ? 0...1 : nil, theme: theme)
    guard let look else { return spark.quietLine(width: layout.sparkWidth) }
    return Line(spark.text(width: layout.sparkWidth), theme[look])
  }

  /// The sign of the scan, `~` for too few samples, or the sign of an unusual last value.
  func sign(of row: LiveRow, _ stats: RowStats) -> RowSign? {
    guard case .series(let identity) = row.id else { return nil }
    if let sign = session.alerts.signs[identity] { return sign }
    if stats.n > 0, stats.n < 20, stats.p95 != nil { return .few }
    guard case .number(let now) = stats.now, let usual = stats.usual else { return nil }
    return usual.sign(of: now)
  }

  func signLine(_ sign: RowSign?) -> Line {
    switch sign {
    case .overLimit: return Line("!", theme[.alert])
    case .silent: return Line(signs.silent, theme[.warning])
    case .aboveOwn: return Line(signs.above, theme[.warning])
    case .belowOwn: return Line(signs.below, theme[.warning])
    case .otherOutcome: return Line(signs.other, theme[.warning])
    case .high: return Line("+", theme[.warning])
    case .low: return Line("-", theme[.warning])
    case .few: return Line("~", theme[.dim])
    case nil: return Line()
    }
  }

  /// The reason for the row's rank in a word, or its sign where nothing more fits.
  private func whyLine(_ reason: LiveReason?, _ sign: RowSign?) -> Line {
    guard layout.whyWidth > 1, let reason else {
      return signLine(layout.whyWidth > 1 && sign == .few ? nil : sign)
    }
    let amount = reason.amount.map { $0 == "×" ? signs.times : String($0) }.joined()
    switch reason.kind {
    case .limit: return Line("limit", theme[.alert])
    case .incident:
      let look: Role = reason.isLarge ? .alert : .warning
      return Line((reason.severity.isOfNumbers ? "" : signs.other) + amount, theme[look])
    case .silent: return Line("\(signs.silent) \(amount)", theme[.warning])
    case .past:
      let past = (reason.severity.isOfNumbers ? "" : signs.other) + amount
      return Line(past.count + 4 <= layout.whyWidth ? "was \(past)" : past, theme[.dim])
    case .mark: return Line(amount, theme[.dim])
    }
  }
}

/// The figures of a row as text, by the type of its values.
struct RowFigures {
  let row: LiveRow
  let stats: RowStats
  let theme: Theme
  /// True to leave units and margins to the name and to the sign at the end of the row.
  var isShort = false
  /// The look of the newest value.
  var look = Role.text

  /// A value with its unit in separate columns, so that numbers align.
  private func text(_ value: Double, _ mark: String = "", shortWidth: Int = 4) -> String {
    guard !isShort else { return mark + row.unit.bare(value, width: shortWidth - mark.count) }
    let (number, unit) = row.unit.parts(value, width: 5)
    return mark + number + " " + unit + String(repeating: " ", count: max(0, 2 - unit.count))
  }

  var now: Line {
    switch stats.now {
    case .number(let value):
      return Line(text(value, shortWidth: 5), theme[stats.isAhead ? .warning : look])
    case .bool(let value): return Line(value ? "true" : "false", theme[look])
    case .text(let text): return Line(text.isEmpty ? "\"\"" : text, theme[look])
    case .null: return Line("null", theme[.dim])
    case nil: return Line("-", theme[.dim])
    }
  }

  /// One of the figures.
  ///
  /// - Parameter window: The base of a rate, in seconds.
  func line(of column: LiveColumn, window: Double) -> Line {
    switch column {
    case .now: now
    case .p50: middle
    case .p95: high
    case .p99: stats.p99.map { figure($0) } ?? dash
    case .max:
      stats.summary.moments.count > 0
        ? Line(text(stats.summary.moments.maximum), theme[.dim]) : dash
    case .change: change
    case .rate: rate(over: window)
    case .count: Line(NumberFormat.count(stats.n), theme[.dim])
    }
  }

  private var dash: Line { Line("-", theme[.dim]) }

  /// The change of the 95th percentile relative to the hour.
  private var change: Line {
    guard let found = stats.p95, let base = stats.usual?.p95, base > 0, found.value.isFinite else {
      return dash
    }
    let p95 = found.value
    // The hour's percentile may be the same.
    if found.isWide, p95 != base, found.lower <= base, base <= found.upper { return Line("~", theme[.dim]) }
    let percent = ((p95 / base - 1) * 100).rounded()
    return Line((percent > 0 ? "+" : "") + NumberFormat.significant(percent) + "%", theme[.text])
  }

  /// Samples per second.
  private func rate(over window: Double) -> Line {
    guard stats.n > 0 else { return dash }
    let perSecond = Double(stats.n) / window
    let decimals = perSecond < 10 ? 2 : perSecond < 100 ? 1 : 0
    return Line(NumberFormat.text(perSecond, decimals: decimals) + "/s", theme[.dim])
  }

  /// The median; for bools and texts the value whose share is in `high`.
  var middle: Line {
    if let p50 = stats.p50 { return figure(p50) }
    if let share = stats.summary.shareOfTrue { return Line(share < 0.5 ? "false" : "true", theme[.dim]) }
    if let top = stats.summary.texts.first { return Line(top.text, theme[.dim]) }
    return Line("-", theme[.dim])
  }

  /// The 95th percentile; for bools and texts the share of the most frequent value.
  var high: Line {
    if let p95 = stats.p95 { return figure(p95, mark: isShort ? "" : "~") }
    if let share = stats.summary.shareOfTrue {
      return Line(NumberFormat.share(max(share, 1 - share)), theme[.text])
    }
    if let top = stats.summary.texts.first { return Line(NumberFormat.share(top.share), theme[.text]) }
    return Line("-", theme[.dim])
  }

  /// A percentile: with fewer than twenty samples an estimate, in grey and with `mark`; from a wide bin with a `~`.
  private func figure(_ quantile: Quantile, mark: String = "") -> Line {
    let isGuess = stats.n < 20
    let look: Role = look == .text ? .dim : look
    return Line(
      text(quantile.value, isGuess ? mark : quantile.isWide ? "~" : ""), theme[isGuess ? .dim : look])
  }
}
