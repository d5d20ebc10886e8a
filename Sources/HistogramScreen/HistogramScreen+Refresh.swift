import Aggregation
import Codecs
package import DashboardCore
import History
import TerminalUI

// Updates the content of the Histogram screen once per change.
extension HistogramScreen {
  var layout: HistogramLayout {
    HistogramLayout(
      size: session.size, pane: state.pane, isMaximised: state.isMaximised, empty: emptyPanes)
  }

  /// The panes known to have no content.
  private var emptyPanes: Set<HistogramPane> {
    guard state.content.figures != nil else { return [] }
    var panes: Set<HistogramPane> = []
    if state.content.versions.isEmpty { panes.insert(.versions) }
    if state.content.groups.isEmpty { panes.insert(.split) }
    return panes
  }

  /// The source of the numbers; `nil` until it is known.
  var source: HistogramSource? {
    switch state.subject {
    case .series(let series):
      if series.isPayloadNumber {
        // By the payload's origin, as histograms are: the fields beside the number do not tell it.
        return state.payloads.map { .payloads($0, figure: series.name) }
      }
      guard let found = state.cube, found.subject == cubeSubject else { return nil }
      let close = state.close.flatMap { $0.subject == found.subject ? $0.1 : nil }
      return session.isNumeric(series)
        ? .samples(found.cube, close: close, isWhole: series.isWhole) : .texts(found.cube, close: close)
    case .payload(let figure): return state.payloads.map { .payloads($0, figure: figure) }
    case nil: return nil
    }
  }

  /// Updates the content from the known data and the chosen options.
  mutating func refresh() -> [Effect] {
    chooseSubject()
    if state.isChoosing, session.overlay == nil, lackOfSides == nil {
      state.isChoosing = false
      session.startPicker(.sideA)
    }
    return refreshFigures()
  }

  // MARK: The subject

  /// Chooses the requested metric, otherwise the one of the other screens or its substitute, otherwise the first
  /// numeric one.
  private mutating func chooseSubject() {
    if let wanted = state.wantedMetric {
      guard let found = subject(named: wanted) else {
        guard session.history.answer != nil, state.payloads != nil || !mayHavePayloads else { return }
        (state.wantedMetric, state.unknownMetric) = (nil, wanted)
        return session.showToast("No metric with numbers is called \(wanted)\(session.amongKept)")
      }
      state.wantedMetric = nil
      return show(found)
    }
    guard state.subject == nil else { return }
    // Before the answer is known, the series of a payload may be the only one there is.
    if session.history.answer == nil, state.subjects.first?.bucket == PayloadArchive.bucket { return }
    if showPayloads() || showSeen() { return }
    if let seen = firstSubject(of: state.subjects) {
      show(seen)
      return state.isSubstitute = seen != state.subjects.first.map(HistogramSubject.init)
    }
    guard let answer = session.history.answer else { return }
    let series = answer.series.map(\.identity).sorted { $0.isListed(before: $1) }
    if let first = series.first(where: { $0.bucket != PayloadArchive.bucket && session.isNumeric($0) }) {
      show(.series(first))
    } else if mayHavePayloads {
      session.open(.payloads(sides, state.ticket))
    }
  }

  /// Opens the overview for files that hold payloads and no other numbers, whatever another screen selected.
  private mutating func showPayloads() -> Bool {
    guard let answer = session.history.answer, mayHavePayloads,
      !answer.series.contains(where: {
        $0.identity.bucket != PayloadArchive.bucket && session.isNumeric($0.identity)
      })
    else { return false }
    session.open(.payloads(sides, state.ticket))
    return true
  }

  /// The subject of a given name: a series, a metric with exactly one numeric series, or a figure of payloads.
  private func subject(named name: String) -> HistogramSubject? {
    let bare = name.hasPrefix(PayloadArchive.bucket + ".") ? String(name.dropFirst(8)) : name
    if let archive = state.payloads, archive.histogramNames().contains(bare) { return .payload(bare) }
    let series = session.history.answer?.series.map(\.identity) ?? []
    let fitting = series.named(name) { $0 }.sorted { $0.isListed(before: $1) }
    return (fitting.first(where: session.isNumeric) ?? fitting.first).map(HistogramSubject.init)
  }

  /// The first numeric series.
  func firstSubject(of series: [SeriesIdentity]) -> HistogramSubject? {
    series.first { session.hasDistribution($0) }.map(HistogramSubject.init)
  }

  /// Shows a subject; options of another metric that do not apply to it are dropped.
  package mutating func show(_ subject: HistogramSubject) {
    (state.isFromPayloads, state.isSubstitute) = (false, false)
    guard state.subject != subject else { return }
    state.subject = subject
    state.options.metric = subject.name
    (state.cursors, state.shown) = ([:], nil)
  }

  // MARK: The figures

  /// Recomputes the content off the loop if its inputs have changed.
  private mutating func refreshFigures() -> [Effect] {
    guard state.underWay == nil, let subject = state.subject, let source else { return [] }
    let layout = layout
    let key = HistogramKey(
      subject: subject, options: state.options, window: window,
      begin: session.knownRange?.lowerBound, numbers: state.numbers, fitted: state.fitted,
      rows: layout.binRows, courseSize: layout.courseSize)
    guard state.shown?.key != key else { return [] }
    let sides = sides(of: source)
    let unit = subject.unit(in: state.payloads, told: session.units)
    // Only texts and bools are named, which payloads have none of.
    let field = if case .series(let series) = subject { series.shortName } else { "" }
    let maker = HistogramMaker(
      source: source, options: state.options, a: side(sides.a) ?? .init(name: "all", choice: common),
      b: side(sides.b), common: common, unit: unit,
      words: ChangeWords(unit, name: subject.name, told: session.better[subject.name]),
      name: field)
    let work = HistogramWork(key, maker, sides: [sides.a, sides.b].map(\.choice), after: state.shown)
    state.underWay = key
    return [self.work("figures") { work.run() }]
  }

  /// Shows a result, unless another metric was chosen meanwhile.
  mutating func adopt(_ result: HistogramWork.Result) {
    guard result.key == state.underWay else { return }
    state.underWay = nil
    if result.key.subject == state.subject { state.shown = result }
  }

  private func side(_ named: NamedChoice) -> HistogramMaker.Side? {
    choice(named.choice).map { HistogramMaker.Side(name: named.name, choice: $0) }
  }
}

extension HistogramSubject {
  /// `histogrammedTimeToFirstDraw` without its section; for a signpost, category and name.
  static func shortName(ofFigure figure: String) -> String {
    let parts = figure.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 2, figure.contains("/") else { return String(parts.last ?? "") }
    return parts.dropFirst().dropLast().joined(separator: ".")
  }

  /// The unit of its numbers.
  ///
  /// - Parameter told: Units set by the user, by `bucket.name`.
  func unit(in archive: PayloadArchive?, told: [String: ValueUnit]) -> ValueUnit {
    switch self {
    case .series(let series): return series.unit(told)
    case .payload(let figure):
      return archive?.figures.first { $0.name == figure }.map { $0.unit == "ms" ? .milliseconds : .plain }
        ?? .plain
    }
  }
}
