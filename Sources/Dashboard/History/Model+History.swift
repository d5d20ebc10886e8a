import Aggregation
import History
import TerminalUI

// What the History screen shows, brought up to date once a change.
extension Model {
  var historyLayout: HistoryLayout {
    HistoryLayout(size: size, pane: history.pane, isMaximised: history.isMaximised)
  }

  /// From the earliest to the latest sample that is known of, in seconds since 2001.
  var knownRange: ClosedRange<Double>? { wholeRange(with: feed.store) }

  /// From the earliest to the latest sample of a store and of the history.
  func wholeRange(with store: SeriesStore) -> ClosedRange<Double>? {
    guard let live = store.timeRange else { return history.picture?.range }
    guard let whole = history.picture?.range else { return live }
    return min(live.lowerBound, whole.lowerBound)...max(live.upperBound, whole.upperBound)
  }

  /// Takes in what the historian says.
  mutating func take(_ news: HistoryNews) {
    history.isAvailable = true
    history.work = news.work
    history.version = max(history.version, news.version)
    if let sentence = news.sentence { say(sentence) }
    guard let picture = news.picture else { return }
    for note in picture.notes where history.picture?.notes.contains(note) != true { say(note) }
    // Twenty thousand names are not put in order again for every row that somebody scrolls by.
    if history.picture?.series != picture.series { history.seriesNumber += 1 }
    history.picture = picture
    history.pictureNumber += 1
  }

  mutating func refreshHistory() {
    guard screen == .history else { return }
    if history.focus == nil || history.wantedFocus != nil { chooseFocus() }
    refreshWindow()
    refreshCursor()
    refreshTree()
    refreshChart()
  }

  /// The series that the Live screen shows, else the first one.
  private mutating func chooseFocus() {
    if let wanted = history.wantedFocus {
      guard let picture = history.picture else { return }
      let fitting = picture.series.filter {
        $0.identity.fullName == wanted || $0.identity.metricName == wanted
      }
      history.wantedFocus = nil
      history.focus = fitting.min { $0.identity.isListed(before: $1.identity) }?.identity
      if history.focus == nil { say("No metric is called \(wanted)") }
    } else if case .series(let identity) = live.selection {
      history.focus = identity
    } else if case .series(let identity) = focusedRow?.id {
      history.focus = identity
    } else {
      history.focus = history.picture?.series.min { $0.identity.isListed(before: $1.identity) }?.identity
    }
    if let focus = history.focus, history.row == nil { history.row = .node(.series(focus)) }
  }

  // MARK: The window

  /// The lengths of a window, in seconds.
  static let spans = 0.00390625...2_199_023_255_552.0

  /// The length of a step of the chart for a window of this length: a power of two, so that there is room for all.
  func step(for length: Double) -> Double {
    let columns = Double(max(1, historyLayout.chartColumns))
    let least = max(length / columns, live.content.edge.ulp * 4, Self.spans.lowerBound / 1024)
    let step = least.binade
    return step < least ? step * 2 : step
  }

  /// Keeps the playhead inside of the window; a live window ends with it.
  private mutating func refreshWindow() {
    let edge = live.content.edge
    guard let span = history.span else {
      history.window = wholeWindow
      return
    }
    let step = step(for: span)
    var start = history.window.lowerBound
    switch playhead {
    case .live: start = ((edge / step).rounded(.down) + 1) * step - span
    case .frozen:
      if edge < start { start = edge - span / 4 }
      if edge >= start + span { start = edge - span * 3 / 4 }
      start = (start / step).rounded(.down) * step
    }
    history.window = Self.window(from: start, length: span)
  }

  static func window(from start: Double, length: Double) -> Range<Double> {
    start..<max(start + length, start.nextUp)
  }

  /// From the first sample to the last one, on the edges of steps.
  var wholeWindow: Range<Double> {
    let edge = live.content.edge
    let range = knownRange ?? edge - LiveState.usualWindow...edge
    let first = min(range.lowerBound, edge)
    let last = max(min(range.upperBound, max(now + Self.tolerance, edge)), edge)
    let step = step(for: max(last - first, Self.spans.lowerBound))
    let start = (first / step).rounded(.down) * step
    return Self.window(from: start, length: ((last / step).rounded(.down) + 1) * step - start)
  }

  // MARK: The table

  /// The place of the selected row among the rows that are at hand; `nil` while it is not among them.
  var selectedSample: Int? {
    guard let picture = history.picture, !picture.page.rows.isEmpty, isOfFocus(picture) else { return nil }
    let rows = picture.page.rows
    if let place = history.cursor.place { return rows.firstIndex { $0.place == place } }
    if case .playhead = history.cursor.anchor {
      guard case .time = picture.query.page.order else { return picture.page.anchor }
      // The page may be of a moment before: the row of the playhead is looked for.
      let after = rows.firstIndex { $0.time > live.content.edge } ?? rows.count
      return max(0, after - 1)
    }
    guard picture.query.page.anchor == history.cursor.anchor else { return nil }
    return picture.page.anchor.flatMap { rows.indices.contains($0) ? $0 : nil }
  }

  /// Whether an answer is of what chart and table are to show, perhaps of another stretch of time.
  func isOfFocus(_ picture: HistoryPicture) -> Bool {
    picture.query.focus == history.focus && picture.query.narrowed == history.narrowed
      && picture.query.page.order == history.order
  }

  /// The selected row of the table.
  var selectedRow: HistoryRow? { selectedSample.flatMap { history.picture?.page.rows[$0] } }

  /// All about the selected row; `nil` while that is not known.
  var detail: HistoryDetail? {
    guard let detail = history.picture?.detail, detail.row.place == selectedRow?.place else { return nil }
    return detail
  }

  /// The line of the selected row.
  var rawSample: RawLine? {
    detail.map {
      RawLine(source: $0.path, line: $0.row.line, offset: $0.row.place.offset, text: $0.rawLine)
    }
  }

  private mutating func refreshCursor() {
    guard let row = selectedRow else { return }
    if case .playhead = history.cursor.anchor {} else { history.cursor.place = row.place }
    if history.cursor.isLeading {
      history.cursor.isLeading = false
      freeze(at: row.time)
      live.content.edge = row.time
    }
    let page = history.picture?.page ?? HistoryPage()
    let selected = page.first + (selectedSample ?? 0)
    let height = historyLayout.tableRows
    // Who comes from far away wants to see what is around.
    let isFar = selected < history.tableOffset - height || selected >= history.tableOffset + 2 * height
    history.tableOffset = Table.offset(
      showing: selected, of: page.total, height: height,
      from: isFar ? max(0, selected - height / 2) : history.tableOffset)
  }

  // MARK: The tree

  private mutating func refreshTree() {
    let key = HistoryContent.RowsKey(
      series: history.picture == nil ? -store.rosterVersion : history.seriesNumber,
      toggled: history.toggled, filter: history.filter, notes: notes)
    if history.content.rowsKey != key {
      history.content.rowsKey = key
      history.content.rows = treeRows
      history.content.notes = noteRows
    }
    let all = history.content.rows
    if history.row == nil || indexOfTreeRow == nil {
      history.row = history.focus.map { .node(.series($0)) } ?? all.first?.id
      if indexOfTreeRow == nil { history.row = all.first?.id ?? selectableNotes.first?.id }
    }
    let parts = historyLayout.treeParts(notes: history.content.notes.count)
    let selected = indexOfTreeRow
    history.content.selected = selected
    history.offset = Table.offset(
      showing: selected.flatMap { $0 < all.count ? $0 : nil }, of: all.count, height: parts.tree.height,
      from: history.offset)
    history.listOffset = Table.offset(
      showing: history.content.notes.firstIndex { $0.id == history.row }, of: history.content.notes.count,
      height: parts.notes.height, from: history.listOffset)
  }

  private var treeRows: [HistoryTreeRow] {
    let words = history.filter.lowercased().split(separator: " ")
    if let picture = history.picture {
      return HistoryTree(series: picture.series, toggled: history.toggled, words: words).rows
    }
    let known = store.allSeries.compactMap { store.identity(of: $0) }
    return HistoryTree(
      series: known.map { HistorySeries(identity: $0, count: 0, total: 0) }, toggled: history.toggled,
      words: words
    ).rows.map {
      HistoryTreeRow(id: $0.id, depth: $0.depth, label: $0.label, fold: $0.fold, count: nil)
    }
  }

  private var noteRows: [HistoryTreeRow] {
    func title(_ text: String) -> HistoryTreeRow {
      HistoryTreeRow(id: nil, depth: 0, label: text, fold: .leaf, count: nil)
    }
    var rows: [HistoryTreeRow] = []
    if !notes.looks.isEmpty {
      rows.append(title("Saved looks"))
      rows += notes.looks.map {
        HistoryTreeRow(id: .look($0.name), depth: 2, label: $0.name, fold: .leaf, count: nil)
      }
    }
    if !notes.marks.isEmpty {
      rows.append(title("Marks"))
      rows += notes.marks.sorted { $0.key < $1.key }.map { letter, mark in
        let time = zone.moment(mark.time, now: now)
        return HistoryTreeRow(
          id: .mark(letter), depth: 2, label: "\(letter) \(time) \(mark.text)", fold: .leaf, count: nil)
      }
    }
    return rows
  }

  /// The rows under the tree that can be selected.
  var selectableNotes: [HistoryTreeRow] { history.content.notes.filter { $0.id != nil } }

  /// The place of the selected row among those of the tree and then those under it.
  var indexOfTreeRow: Int? {
    guard let row = history.row else { return nil }
    let all = history.content.rows
    // Where it was before is looked at first: there may be many thousands.
    if let known = history.content.selected, all.indices.contains(known), all[known].id == row {
      return known
    }
    if let index = all.firstIndex(where: { $0.id == row }) { return index }
    return selectableNotes.firstIndex { $0.id == row }.map { all.count + $0 }
  }

  // MARK: The chart

  private mutating func refreshChart() {
    guard let picture = history.picture, picture.query.focus == history.focus else {
      history.content.gaps = []
      return
    }
    let columns = picture.chart.columns.lazy.compactMap { $0 }
    history.content.gaps = HistoryGaps(chart: picture.chart).found
    var (low, high) = (Double.infinity, -Double.infinity)
    let isCount = isCountChart(picture)
    for column in columns {
      if isCount {
        (low, high) = (0, max(high, Double(column.count)))
      } else if column.numbers > 0 {
        (low, high) = (min(low, column.minimum), max(high, column.maximum))
      }
    }
    guard low <= high else { return }
    if low > 0, low < high * 0.6 { low = 0 }
    history.content.range = NiceScale.range(low...high, ticks: 4).range
  }

  /// Whether the chart shows how many samples there are, because their values are no numbers.
  func isCountChart(_ picture: HistoryPicture) -> Bool {
    picture.query.narrowed != nil || !picture.chart.columns.contains { ($0?.numbers ?? 0) > 0 }
  }
}
