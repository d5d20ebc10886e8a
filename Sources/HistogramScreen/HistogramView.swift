import Aggregation
import Codecs
package import DashboardCore
import History
package import TerminalUI

/// Draws the Histogram screen: two sides on one scale, and the conclusion.
package struct HistogramView: ScreenView {
  package let screen: HistogramScreen
  package let session: Session
  package let state: HistogramState
  package let theme: Theme
  let layout: HistogramLayout
  let shown: HistogramContent

  init(_ screen: HistogramScreen) {
    self.screen = screen
    (session, state) = (screen.session, screen.state)
    theme = session.theme
    layout = screen.layout
    shown = state.content
  }

  package var frame: ScreenFrame { layout.frame }
  var figures: HistogramFigures? { shown.figures }
  var unit: ValueUnit { shown.unit }

  /// The metric, or its placeholder.
  var metricName: String {
    state.subject?.name ?? HistogramScreen.title.title
  }

  package var shortSubject: String {
    guard let figures else { return metricName }
    return "\(shortName) \(figures.a.name)" + (figures.b.map { " B \($0.name)" } ?? "")
  }

  private var shortName: String {
    switch state.subject {
    case .series(let series): series.shortName
    case .payload(let figure): HistogramSubject.shortName(ofFigure: figure)
    case nil: metricName
    }
  }

  /// The title of the rows: figures of payloads without their section.
  var titleName: String {
    if case .payload = state.subject { shortName } else { metricName }
  }

  /// Leaves little space for the time range: the compared sides are more important.
  package var shortSubjectRoom: Int { session.size.width - 10 }

  /// The properties common to the samples: `13:00-14:32 │ outcome ok`.
  package var subject: String {
    var parts = [screen.rangeText]
    if !layout.hasBoxes { parts = ["\(shortName) \(signs.expanded) \(sidesText)"] }
    parts += state.options.sides.only.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.words)" }
    return parts.joined(separator: " \(signs.separator) ")
  }

  /// The compared sides: `A 2.4.1 vs B 2.4.0!`, with a sign after one that needs a warning.
  var sidesText: String {
    guard let figures else { return "" }
    let (markA, markB) = (shown.marksA.isEmpty ? "" : "!", shown.marksB.isEmpty ? "" : "!")
    guard let b = figures.b else { return "A \(figures.a.name)\(markA)" }
    return "A \(figures.a.name)\(markA) vs B \(b.name)\(markB)"
  }

  package var footerHints: [Footer.Hint] {
    let all = [
      ("\(signs.above)\(signs.below)", "row"), ("Enter", enterHint), ("c", "compare"), ("V", "version"),
      ("d", "group"), ("/", "metric"), ("L", "scale"), ("P", "percentiles"), ("x", "lens"),
      ("Tab", "pane"), ("+ -", "range"), ("O", "payloads"), ("y", "copy"), ("Y", "command"), ("q", "back"),
    ].filter { $0.0 != "O" || screen.mayHavePayloads }
    return (layout.step >= .narrow ? Array(all.prefix(3)) : all).map { Footer.Hint($0.0, $0.1) }
  }

  private var enterHint: String {
    switch state.pane {
    case .bins, .figures: "samples"
    case .versions: "compare it"
    case .course: "go there"
    case .split: "only it"
    }
  }

  package func drawBody(into buffer: inout Buffer) {
    if let reason = emptiness {
      drawEmptiness(reason, into: &buffer)
    } else if layout.step == .tiny {
      drawTiny(into: &buffer)
    } else {
      drawPanes(into: &buffer)
    }
    drawWork(session.history.work, into: &buffer)
  }

  private func drawPanes(into buffer: inout Buffer) {
    if !layout[.bins].isEmpty { drawBins(into: &buffer) }
    if !layout[.figures].isEmpty { drawFigures(into: &buffer) }
    if !layout[.verdict].isEmpty { drawVerdictLine(into: &buffer) }
    if !layout[.lines].isEmpty { drawLines(into: &buffer) }
    if !layout[.versions].isEmpty { drawVersions(into: &buffer) }
    if !layout[.course].isEmpty { drawCourse(into: &buffer) }
    if !layout[.split].isEmpty { drawSplit(into: &buffer) }
  }

  /// The reason for an empty screen, and the next step.
  private var emptiness: (title: String, next: String)? {
    guard session.history.isAvailable else {
      return ("A pipe has no histogram", "Write the stream to a file and open that")
    }
    if session.history.isGivenUp { return ("Reading was cancelled", "Enter resumes it") }
    guard let figures else {
      if session.history.answer == nil || session.history.work != nil { return ("Reading", "") }
      return state.subject == nil
        ? ("No metric with numbers", "/ chooses another") : ("Reading \(metricName)", "")
    }
    guard figures.a.count == 0, figures.b?.count ?? 0 == 0 else { return nil }
    if state.options.sides.range == .all, state.options.sides.only.isEmpty, state.options.sides.a == nil {
      return ("\(metricName) has no numbers", "/ chooses another metric")
    }
    return (
      "No samples in this selection",
      session.keyHint("c chooses other sides, - a longer range, Esc drops the filter")
    )
  }

  /// Draws the frame of a pane.
  func drawPanel(
    _ title: String, trailing: String = "", keepsTrailing: Bool = false, pane: HistogramPane,
    into buffer: inout Buffer
  ) {
    let area = layout[pane]
    var panel = Panel(
      title, look: layout.step.paneLook, trailing: trailing,
      isFocused: pane == state.pane && layout.panes.count > 1, theme: theme
    )
    panel.keepsTrailing = keepsTrailing
    panel.render(in: area, into: &buffer)
  }

  /// `simulated`, or `A simulated, localized  B simulated` where the sides differ; `nil` without any warning.
  var marksText: String? {
    let (a, b) = (words(of: shown.marksA), words(of: shown.marksB))
    if a.isEmpty, b.isEmpty { return nil }
    if figures?.b == nil || a == b { return a }
    return [("A", a), ("B", b)].filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1)" }.joined(separator: "  ")
  }

  /// `simulated`, `mixed versions`, in order of importance; empty for none.
  func words(of marks: PayloadMarks) -> String { marks.words.joined(separator: ", ") }
}
