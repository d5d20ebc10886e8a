import Aggregation
import Codecs
import DashboardCore
import History
import Platform
import TerminalUI

// Output from the history: copies, files, views.
extension HistoryScreen {
  // MARK: Views

  mutating func startView() {
    session.overlay = .typing(.view, Prompt(state.focus?.shortName ?? "", isSelected: true))
  }

  mutating func keepView(_ name: String) -> [Effect] {
    let name = name.trimmed
    guard !name.isEmpty else {
      session.showToast("A view needs a name")
      return []
    }
    session.overlay = nil
    session.notes.keep(
      HistoryNotes.SavedView(
        name: name, focus: state.focus, narrowed: state.narrowed,
        window: state.span == nil ? nil : state.window, order: order, filter: state.filter))
    session.showToast("Saved this view as \(name)")
    return [.keep(session.notes)]
  }

  mutating func apply(_ view: HistoryNotes.SavedView) {
    // Moving to a moment sorts the samples by time, so the view's own order is applied afterwards.
    defer {
      sort(by: view.order)
      tellZoom()
    }
    state.filter = view.filter
    state.focus = view.focus ?? state.focus
    state.narrowed = view.narrowed
    clearSelection()
    state.zooms = []
    guard let window = view.window else { return state.span = nil }
    let length = window.upperBound - window.lowerBound
    state.span = HistoryScreen.span(length)
    state.window = window
    if !session.isFrozen || !window.contains(session.present) {
      session.movePlayhead(to: window.lowerBound + length / 2)
    }
  }

  // MARK: Files

  mutating func startExport() {
    let name = state.focus.map { $0.metricName } ?? "samples"
    let plain = name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" }
    session.overlay = .typing(.file, Prompt(String(plain.prefix(40)) + ".csv", isSelected: true))
  }

  mutating func export(to text: String) -> [Effect] {
    let path = text.trimmed
    let name = PathParts.end(of: path).lowercased()
    let format = ExportFormat.allCases.first {
      name.droppingByteSuffix("." + $0.fileExtension).map { !$0.isEmpty } ?? false
    }
    guard let format else {
      session.showToast("The name must end in .csv, .jsonl, .txt or .lp")
      return []
    }
    session.overlay = nil
    var export = HistoryExport(
      window: selectedRange ?? state.window, series: state.focus.map { [$0.metricName] } ?? [],
      format: format, path: path)
    export.scope = session.scope
    return [.export(export)]
  }

  // MARK: Copies

  /// The content of the focused pane as text.
  var paneText: String {
    switch state.pane {
    case .tree: SafeText.row(treeCells)
    case .chart: SafeText.row(chartCells)
    case .table: selectedRow.map(text) ?? ""
    case .detail: detail?.rawLine ?? ""
    }
  }

  private var treeCells: [String] {
    guard let row = state.row else { return [] }
    let count = state.rows.first { $0.id == row }?.count.map { ["n \($0)"] } ?? []
    switch row {
    case .node(.series(let identity)): return [identity.fullName] + count
    case .node(.bucket(let bucket)): return [bucket ?? ""] + count
    case .node(.structure(let bucket, let name, _)): return [(bucket.map { $0 + "." } ?? "") + name] + count
    case .value(let identity, let value): return ["\(identity.fullName)=\(value)"] + count
    case .view(let name): return [name]
    case .node(.idle): return []
    case .mark(let letter):
      return [String(letter)] + (session.notes.marks[letter].map { [exact($0.time), $0.text] } ?? [])
    }
  }

  /// The statistics of the selected range, or of the window.
  private var chartCells: [String] {
    guard let answer = session.history.answer, let focus = answer.query.focus else { return [] }
    let range = answer.query.selection ?? answer.query.window
    let summary = answer.query.selection == nil ? answer.summary : answer.selection ?? HistorySummary()
    var statistics = statistics(summary, of: focus, in: range)
    statistics.isCopied = true
    return [focus.fullName, "\(exact(range.lowerBound)) - \(exact(range.upperBound))"]
      + statistics.parts.map { "\($0.name) \($0.value)" }
  }

  private func exact(_ time: Timestamp) -> String {
    "\(session.zone.date(time)) \(session.zone.time(time, .milliseconds))"
  }

  private func text(_ row: HistoryRow) -> String {
    let fields = row.fields.map { "\($0.name)=\($0.value.words)" }
    let value = state.focus.map { row.value.exactWords(session.unit(of: $0)) } ?? row.value.words
    return SafeText.row([exact(row.time), value] + fields + ["line \(row.line)"])
  }

  // MARK: Marks

  /// A short description of the current view.
  var markText: String {
    guard let focus = state.focus else { return "" }
    guard let row = selectedRow, case .number(let value) = row.value else { return focus.fullName }
    return "\(focus.fullName) \(session.unit(of: focus).text(value))"
  }
}

extension TypedLine {
  /// The name under which a view is saved.
  static let view = TypedLine(name: "view", label: "save this view as ", hint: "a name, then Enter")
  /// The file to which samples are written.
  static let file = TypedLine(
    name: "file", label: "write to ", hint: "a new file; its ending selects the format: .csv .jsonl .txt .lp")
}
