import Aggregation
import Codecs
import History
import TerminalUI

// What is taken out of the history: copies, files, looks.
extension Model {
  // MARK: Looks

  mutating func startLook() { overlay = .typing(.look, Prompt(history.focus?.shortName ?? "")) }

  mutating func keepLook(_ name: String) -> [Effect] {
    let name = name.trimmed
    guard !name.isEmpty else {
      say("A look needs a name")
      return []
    }
    overlay = nil
    notes.keep(
      HistoryNotes.Look(
        name: name, focus: history.focus, narrowed: history.narrowed,
        window: history.span == nil ? nil : history.window, order: history.order, filter: history.filter))
    say("Kept this look as \(name)")
    return [.keep(notes)]
  }

  mutating func apply(_ look: HistoryNotes.Look) {
    // Going to a moment puts the samples in the order of time; the look's own order comes after that.
    defer { apply(look.order) }
    history.filter = look.filter
    history.focus = look.focus ?? history.focus
    history.narrowed = look.narrowed
    clearSelection()
    guard let window = look.window else { return history.span = nil }
    let length = window.upperBound - window.lowerBound
    history.span = max(Self.spans.lowerBound, min(Self.spans.upperBound, length))
    history.window = window
    let edge = live.content.edge
    if !isFrozen || !window.contains(edge) { movePlayhead(to: window.lowerBound + length / 2) }
  }

  // MARK: Files

  mutating func startExport() {
    let name = history.focus.map { $0.metricName } ?? "samples"
    let plain = name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" }
    overlay = .typing(.file, Prompt(String(plain.prefix(40)) + ".csv"))
  }

  mutating func export(to text: String) -> [Effect] {
    let path = text.trimmed
    let ending = path.split(separator: "/").last?.split(separator: ".").dropFirst().last?.lowercased()
    guard let ending, let format = ExportFormat.allCases.first(where: { $0.fileExtension == ending }) else {
      say("The name must end in .csv, .jsonl, .txt or .lp")
      return []
    }
    overlay = nil
    return [
      .export(
        HistoryExport(
          window: selectedRange ?? history.window, series: history.focus.map { [$0.metricName] } ?? [],
          format: format, path: path))
    ]
  }

  // MARK: Copies

  /// What is focused, as text.
  var historyText: String {
    switch history.pane {
    case .tree: treeText
    case .chart: chartText
    case .table: selectedRow.map(text) ?? ""
    case .detail: detail?.rawLine ?? ""
    }
  }

  private var treeText: String {
    guard let row = history.row else { return "" }
    let count = history.content.rows.first { $0.id == row }?.count.map { " n \($0)" } ?? ""
    switch row {
    case .node(.series(let identity)): return identity.fullName + count
    case .node(.bucket(let bucket)): return (bucket ?? "") + count
    case .node(.structure(let bucket, let name, _)): return (bucket.map { $0 + "." } ?? "") + name + count
    case .value(let identity, let value): return "\(identity.fullName)=\(value)\(count)"
    case .look(let name): return name
    case .mark(let letter):
      return notes.marks[letter].map { "\(letter) \(exact($0.time)) \($0.text)" } ?? String(letter)
    }
  }

  /// The statistics of the selected range, or of the window.
  private var chartText: String {
    guard let picture = history.picture, let focus = picture.query.focus else { return "" }
    let range = picture.query.selection ?? picture.query.window
    let summary = picture.query.selection == nil ? picture.summary : picture.selection ?? HistorySummary()
    let words = HistoryStatistics(summary: summary, unit: focus.unit).parts.map { "\($0.name) \($0.value)" }
    return "\(focus.fullName) \(exact(range.lowerBound)) - \(exact(range.upperBound)) "
      + words.joined(separator: " ")
  }

  private func exact(_ time: Double) -> String { "\(zone.date(time)) \(zone.time(time, .milliseconds))" }

  private func text(_ row: HistoryRow) -> String {
    let fields = row.fields.map { "\t\($0.name)=\($0.value.words)" }.joined()
    return "\(exact(row.time))\t\(row.value.words)\(fields)\tline \(row.line)"
  }
}

extension SeriesIdentity {
  /// `sync.push`: the metric of the series, without its field.
  var metricName: String { bucket.map { "\($0).\(name)" } ?? name }
}

extension String {
  /// The text without spaces at its ends.
  var trimmed: String {
    let start = drop { $0.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}
