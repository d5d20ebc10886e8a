import Aggregation
import Codecs
import History
import TerminalUI

/// Draws the History screen: the panes that the layout has room for.
struct HistoryView: ScreenView {
  let model: Model
  let layout: HistoryLayout

  init(model: Model) {
    self.model = model
    layout = model.historyLayout
  }

  var frame: ScreenFrame { layout.frame }
  var history: HistoryState { model.history }
  /// The newest answer, where it is of the series in focus.
  var picture: HistoryPicture? { history.picture.flatMap { $0.query.focus == history.focus ? $0 : nil } }
  /// Whether the newest answer is not yet of what was asked last.
  var isBehind: Bool { history.picture?.query != history.asked }
  var unit: ValueUnit { history.focus?.unit ?? .plain }

  var shortSubject: String { history.focus?.shortName ?? Screen.history.title }

  /// The metric in the header, where the tree is no pane of its own.
  var subject: String {
    guard !layout.hasBoxes, frame.step < .list, let focus = history.focus else { return "" }
    return (focus.bucket.map { "\($0) \(signs.collapsed) " } ?? "") + focus.label + " " + signs.expanded
  }

  func drawBody(into buffer: inout Buffer) {
    if let reason = emptiness {
      drawEmptiness(reason, into: &buffer)
    } else if layout.step == .tiny {
      drawTiny(into: &buffer)
    } else {
      if !layout.tree.isEmpty { drawTree(into: &buffer) }
      if !layout.summary.isEmpty { drawSummary(into: &buffer) }
      if !layout.chart.isEmpty { drawChart(into: &buffer) }
      if !layout.table.isEmpty { drawTable(into: &buffer) }
      if !layout.detail.isEmpty { drawDetail(into: &buffer) }
    }
    drawWork(history.work, into: &buffer)
  }

  /// Why there is nothing to see; `nil` where there is something.
  private var emptiness: (title: String, next: String)? {
    if !history.isAvailable {
      return ("No history of this input", "It is kept of files, not of a pipe: 1 shows what comes in")
    }
    if history.isGivenUp, history.work == nil {
      return ("The reading of the history was given up", "Enter or 2 reads on")
    }
    if history.picture == nil, model.knownRange == nil {
      return history.work == nil
        ? ("No samples yet", "What is read will be here") : ("Reading the history", "Esc gives up")
    }
    return nil
  }

  var footerHints: [Footer.Hint] {
    let extending = history.pane == .chart ? "range" : "x10"
    let ordered: [(String, String)] = [
      (signs.leftRight, "step"), ("t", "time"), ("+ -", "zoom"), ("Enter", "open"), ("Tab", paneHint),
      ("[ ]", "marker"), ("Shift", extending), ("s", "sort"), ("/", "filter"), ("J", "raw"), ("o", "editor"),
      ("y", "copy"), ("q", "back"),
    ]
    let shown = layout.step >= .narrow ? Array(ordered.prefix(3)) : ordered
    return shown.map { Footer.Hint($0.0, $0.1) }
  }

  private var paneHint: String { layout.hasBoxes ? "pane" : "buckets" }

  /// The window in words: `13:32 - 13:52 (20m)`.
  var windowText: String {
    let window = history.window
    let length = window.upperBound - window.lowerBound
    let precision: ClockZone.Precision = length < 10 ? .milliseconds : length < 600 ? .seconds : .minutes
    let from = zone.moment(window.lowerBound, now: model.now, precision)
    let to = zone.moment(window.upperBound, now: window.lowerBound, precision)
    return "\(from) - \(to) (\(DurationFormat.text(length)))"
  }
}
