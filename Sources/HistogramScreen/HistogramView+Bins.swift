import Aggregation
import Codecs
import DashboardCore
import TerminalUI

// The rows of the histogram: counts and bars of both sides, and their difference.
extension HistogramView {
  /// The widths of a row's columns, depending on the space.
  private struct Columns {
    let label: Int
    let count: Int
    let bar: Int
    let hasShare: Bool
    let difference: Int
    /// 0 where it does not fit.
    let upToA: Int
    let upToB: Int

    init(width: Int, label: Int, hasB: Bool) {
      let isWide = width >= 60
      self.label = label
      count = isWide ? 9 : 0
      hasShare = !isWide
      difference = hasB ? (isWide ? 7 : 6) : 0
      upToA = isWide ? 7 : 0
      upToB = isWide && hasB && width >= 70 ? 7 : 0
      let counts = count * (hasB ? 2 : 1)
      // The marks of the selection and of the lens.
      bar = max(4, width - 2 - label - counts - (hasShare ? 7 : 0) - difference - upToA - upToB - 1)
    }
  }

  func drawBins(into buffer: inout Buffer) {
    guard let figures else { return }
    let area = layout.inner(of: layout[.bins])
    if layout.step <= .stacked { drawBinFrame(figures, into: &buffer) }
    let labels = shown.labels ?? figures.grid.rows.map { HistogramLabel(unit: unit, row: $0).text }
    let width = labels.reduce(layout.hasBinTitles ? bucketTitle.count : 5) { max($0, $1.count) }
    let columns = Columns(width: area.width, label: width + 1, hasB: figures.b != nil)
    var y = area.y
    if layout.hasBinTitles {
      drawBinTitles(columns, figures, y: y, area, into: &buffer)
      y += 1
    }
    let cursor = screen.cursor(.bins, figures.rows.count)
    let scale = BarScale(figures, hasLens: state.options.hasLens)
    let rows = min(layout.binRows, max(0, area.maxY - y))
    let offset = Table.offset(showing: cursor, of: figures.rows.count, height: rows, from: 0)
    for (line, index) in figures.rows.indices.dropFirst(offset).prefix(rows).enumerated() {
      let row = Rect(x: area.x, y: y + line, width: area.width, height: 1)
      drawBin(
        index, labels[index], columns, scale, figures, isSelected: index == cursor, in: row, into: &buffer)
    }
    if layout.hasShapes, figures.rows.count > 0, shown.labels == nil {
      drawShapes(figures, in: area.inset(top: area.height - HistogramLayout.shapeRows), into: &buffer)
    }
  }

  private var bucketTitle: String {
    shown.labels != nil ? "VALUE" : unit == .milliseconds ? "BUCKET ms" : "BUCKET"
  }

  private func drawBinFrame(_ figures: HistogramFigures, into buffer: inout Buffer) {
    guard layout.hasBoxes || layout.alone == .bins else { return }
    let warning = marksText.map { "! \($0)" }
    let lens = "\(warning ?? "share"), tail \(signs.times)8 after p90"
    let trailing = state.options.hasLens ? lens : warning ?? gridWords(figures)
    drawPanel(
      "\(titleName)  \(sidesText)", trailing: trailing,
      keepsTrailing: state.options.hasLens, pane: .bins, into: &buffer)
  }

  /// A description of the rows and of how samples are counted in them.
  func gridWords(_ figures: HistogramFigures) -> String {
    guard figures.a.hasBins else { return "samples, in \(figures.grid.scale.title)" }
    return figures.grid.scale == .recorded
      ? "bins exactly as recorded" : "recorded bins by their middles, in \(figures.grid.scale.title)"
  }

  private func drawBinTitles(
    _ columns: Columns, _ figures: HistogramFigures, y: Int, _ area: Rect, into buffer: inout Buffer
  ) {
    let style = theme[.dim]
    var x = area.x + 1
    buffer.write(bucketTitle, at: Position(x: x, y: y), style: style, limit: columns.label)
    x += columns.label
    func title(_ text: String, _ width: Int) {
      guard width > 0 else { return }
      x += width
      buffer.write(text, endingAt: x, y: y, style: style, limit: width - 1)
    }
    title("A", columns.count)
    if figures.b != nil { title("B", columns.count) }
    let legend =
      figures.b == nil ? "A \(signs.barFull)" : "A \(signs.barFull)  B \(signs.barEnd)"
    let lens = layout.step == .stacked && state.options.hasLens ? "  (tail \(signs.times)8)" : ""
    buffer.write(legend + lens, at: Position(x: x + 2, y: y), style: style, limit: max(0, columns.bar))
    x += 1 + columns.bar
    if columns.hasShare { title("A", 7) }
    if columns.difference > 0 { title("A-B", columns.difference) }
    title(figures.b == nil ? "cum%" : "cumA%", columns.upToA)
    title("cumB%", columns.upToB)
  }

  private func drawBin(
    _ index: Int, _ label: String, _ columns: Columns, _ scale: BarScale, _ figures: HistogramFigures,
    isSelected: Bool, in area: Rect, into buffer: inout Buffer
  ) {
    let row = figures.rows[index]
    let isFront = isSelected && state.pane == .bins
    if isSelected { buffer.write(signs.selected, at: area.origin, style: theme[.accent]) }
    var x = area.x + 1 + columns.label
    buffer.write(
      label, endingAt: x - 1, y: area.y, style: isFront ? theme[.selection] : theme[.header],
      limit: columns.label)
    func text(_ text: String, _ width: Int, _ style: Style) {
      guard width > 0 else { return }
      x += width
      buffer.write(text, endingAt: x, y: area.y, style: style, limit: width)
    }
    let hasB = figures.b != nil
    text(countText(row.a, of: figures.a.count), columns.count, theme[.text])
    if hasB { text(countText(row.b, of: figures.b?.count ?? 0), columns.count, theme[.dim]) }
    let isLensed = scale.isLensed(index)
    buffer.write(isLensed ? signs.times : " ", at: Position(x: x + 1, y: area.y), style: theme[.warning])
    let bar = HistogramBar(
      a: scale.length(row.shareA, index, columns.bar - 1),
      b: hasB ? scale.length(row.shareB, index, columns.bar - 1) : nil,
      signs: signs)
    buffer.write(bar.line(theme), at: Position(x: x + 2, y: area.y), limit: columns.bar)
    x += 1 + columns.bar
    if columns.hasShare { text(percent(row.shareA) + "%", 7, theme[.text]) }
    let isBlank = row.a.count == 0 && row.b.count == 0
    if hasB {
      text(isBlank ? "" : signed(row.difference), columns.difference, differenceStyle(index, figures))
    }
    text(percent(row.upToA), columns.upToA, theme[.dim])
    text(percent(row.upToB), columns.upToB, theme[.dim])
  }

  /// `1 620`; with `~` if many lie in bins across an edge of the row.
  private func countText(_ count: HistogramGrid.Count, of all: Int) -> String {
    let isOpen = Double(count.uncertain) > 0.01 * Double(all)
    return (isOpen ? "~" : "") + NumberFormat.grouped(count.count)
  }

  private func percent(_ share: Double) -> String { NumberFormat.text(share * 100, decimals: 1) }

  private func signed(_ share: Double) -> String { (share >= 0 ? "+" : "") + percent(share) }

  private func differenceStyle(_ index: Int, _ figures: HistogramFigures) -> Style {
    figures.isDifferent(row: index) ? theme[.warning] : theme[.dim]
  }
}

/// The length of bars: one scale for all, except under the lens.
private struct BarScale {
  /// The first row under the lens.
  private let tail: Int
  private let longest: Double
  private static let lens = 8.0
  private static let most = 0.06

  init(_ figures: HistogramFigures, hasLens: Bool) {
    let rows = figures.rows
    // Rows below the larger of the two 90th percentiles are not in the tail of both sides.
    let (hasA, hasB) = (figures.a.count > 0, (figures.b?.count ?? 0) > 0)
    let first =
      rows.firstIndex { (!hasA || $0.upToA >= 0.9) && (!hasB || $0.upToB >= 0.9) } ?? rows.count
    // A row with a large share at the 90th percentile is not part of the tail.
    let isTail = rows.indices.contains(first) && max(rows[first].shareA, rows[first].shareB) <= Self.most
    tail = hasLens ? first + (isTail ? 0 : 1) : rows.count
    var longest = 0.0
    for (index, row) in rows.enumerated() {
      longest = max(longest, max(row.shareA, row.shareB) * (index >= tail ? Self.lens : 1))
    }
    self.longest = longest
  }

  func isLensed(_ row: Int) -> Bool { row >= tail }

  /// The length of a share in columns, with fractions.
  func length(_ share: Double, _ row: Int, _ width: Int) -> Double {
    guard longest > 0 else { return 0 }
    return share * (row >= tail ? Self.lens : 1) / longest * Double(max(0, width))
  }
}

/// One bar of A that marks the end of B, inside or beyond it.
struct HistogramBar {
  /// Lengths in columns; values below zero have no bar.
  let a: Double
  let b: Double?
  let signs: Signs

  /// No terminal is wider.
  private static let longest = 10_000.0

  init(a: Double, b: Double?, signs: Signs) {
    self.a = Self.columns(a)
    self.b = b.map(Self.columns)
    self.signs = signs
  }

  private static func columns(_ length: Double) -> Double {
    length > 0 ? min(length, longest) : 0
  }

  /// A thin bar for A, with a stroke where the bar of B would end.
  func line(_ theme: Theme) -> Line {
    let end = b.map { Int($0.rounded()) }
    let halves = a > 0 ? max(1, Int((a * 2).rounded())) : 0
    let bar = String(repeating: signs.barFull, count: halves / 2) + (halves % 2 > 0 ? signs.barHalf : "")
    guard let end, b ?? 0 > 0 else { return Line(bar, theme[.series1]) }
    let room = bar + String(repeating: " ", count: max(0, end + 1 - bar.count))
    return [
      Span(String(room.prefix(end)), theme[.series1]), Span(signs.barEnd, theme[.series2]),
      Span(String(room.dropFirst(end + 1)), theme[.series1]),
    ]
  }
}

/// The label of a row.
struct HistogramLabel {
  let unit: ValueUnit
  let row: HistogramGrid.Row

  /// The values of the row: `300-350`, `<100`, `500+`.
  var text: String {
    if row.lower == -.infinity { return row.upper == .infinity ? "all" : "<\(unit.figure(row.upper))" }
    if row.upper == .infinity { return "\(unit.figure(row.lower))+" }
    let (lower, upper) = (unit.figure(row.lower), unit.figure(row.upper))
    return lower == upper ? lower : "\(lower)-\(upper)"
  }
}
