import Aggregation
import Codecs
import History
import TerminalUI

// What the Histogram screen shows, brought up to date once a change.
extension Model {
  var histogramLayout: HistogramLayout {
    HistogramLayout(
      size: size, pane: histogram.pane, isMaximised: histogram.isMaximised,
      isOverview: histogram.look.isOverview)
  }

  /// Where the numbers come from; `nil` until they are known.
  var histogramSource: HistogramSource? {
    if histogram.look.isOverview { return histogram.payloads.map { .payloads($0, figure: nil) } }
    switch histogram.subject {
    case .series(let series):
      guard let found = histogram.cube, found.series == series else { return nil }
      let close = histogram.close.flatMap { $0.series == series ? $0.1 : nil }
      return .samples(found.cube, close: close)
    case .payload(let figure): return histogram.payloads.map { .payloads($0, figure: figure) }
    case nil: return nil
    }
  }

  /// Takes over what an answer has for histograms.
  mutating func takeHistogram(_ picture: HistoryPicture) {
    guard let query = picture.query.histogram else { return }
    if let series = query.series, let cube = picture.cube {
      if let window = query.window {
        histogram.close = (series, HistogramSource.CloseCube(window: window, cube: cube))
      } else {
        histogram.cube = (series, cube)
        histogram.wantsWhole = false
      }
    }
    if let payloads = picture.payloads, histogram.payloads != payloads {
      histogram.payloads = payloads
      histogram.payloadNumber += 1
    }
    histogram.pictureNumber += 1
  }

  mutating func refreshHistogram() {
    guard screen == .histogram else { return }
    chooseSubject()
    if histogram.look.isOverview {
      refreshOverview()
    } else {
      refreshHistogramContent()
    }
  }

  // MARK: The subject

  /// The metric that was asked for, else the one that the other screens show, else the first with numbers.
  private mutating func chooseSubject() {
    if let wanted = histogram.wantedMetric {
      guard let found = subject(named: wanted) else {
        guard history.picture != nil, histogram.payloads != nil || !mayHavePayloads else { return }
        (histogram.wantedMetric, histogram.unknownMetric) = (nil, wanted)
        return say("No metric with numbers is called \(wanted)")
      }
      histogram.wantedMetric = nil
      return showHistogram(of: found)
    }
    guard histogram.subject == nil, !histogram.look.isOverview else { return }
    if let seen = seenSubject { return showHistogram(of: seen) }
    guard let picture = history.picture else { return }
    let series = picture.series.map(\.identity).sorted { $0.isListed(before: $1) }
    if let first = series.first(where: { $0.bucket != PayloadArchive.bucket && isNumeric($0) }) {
      showHistogram(of: .series(first))
    } else if mayHavePayloads {
      histogram.look.isOverview = true
    }
  }

  /// What is called by a name: a series, a metric with one series that has numbers, or a figure of payloads.
  private func subject(named name: String) -> HistogramSubject? {
    let bare = name.hasPrefix(PayloadArchive.bucket + ".") ? String(name.dropFirst(8)) : name
    if let archive = histogram.payloads, archive.histogramNames().contains(bare) { return .payload(bare) }
    let series = history.picture?.series.map(\.identity) ?? []
    let fitting = series.filter { $0.fullName == name || $0.metricName == name }
      .sorted { $0.isListed(before: $1) }
    return (fitting.first(where: isNumeric) ?? fitting.first).map(HistogramSubject.init)
  }

  /// What the screen before was about.
  var seenSubject: HistogramSubject? {
    var seen: [SeriesIdentity] = []
    if histogram.cameFrom == .history, let focus = history.focus { seen.append(focus) }
    if case .series(let identity) = live.selection { seen.append(identity) }
    if case .series(let identity) = focusedRow?.id { seen.append(identity) }
    if let focus = history.focus { seen.append(focus) }
    return seen.first { isNumeric($0) || $0.typeName == "PayloadHistogram" }.map(HistogramSubject.init)
  }

  /// Whether a series has numbers, as far as is known without reading all of it.
  func isNumeric(_ identity: SeriesIdentity) -> Bool {
    if let id = store.id(of: identity), store.tally(of: id).count > 0 {
      return store.tally(of: id).numbers > 0
    }
    return !["String", "Bool"].contains(identity.typeName)
  }

  var mayHavePayloads: Bool {
    history.picture?.series.contains { $0.identity.bucket == PayloadArchive.bucket } ?? false
  }

  /// Shows the numbers of something; what was chosen for another metric goes where that does not have it.
  mutating func showHistogram(of subject: HistogramSubject) {
    (histogram.look.isOverview, histogram.isFromOverview) = (false, false)
    guard histogram.subject != subject else { return }
    histogram.subject = subject
    histogram.look.metric = subject.name
    (histogram.cursors, histogram.content) = ([:], HistogramContent())
    (histogram.contentKey, histogram.grid) = (nil, nil)
  }

  /// Shows a histogram of payloads.
  mutating func showHistogram(of figure: String) {
    let isFromOverview = histogram.look.isOverview
    showHistogram(of: .payload(figure))
    histogram.isFromOverview = isFromOverview
  }

  // MARK: The figures

  private mutating func refreshHistogramContent() {
    guard let subject = histogram.subject, let source = histogramSource else { return }
    let layout = histogramLayout
    let key = HistogramState.ContentKey(
      subject: subject, look: histogram.look, window: histogramWindow, picture: histogram.pictureNumber,
      rows: layout.binRows, columns: layout.courseSize.width, grid: histogram.gridNumber)
    guard histogram.contentKey != key else { return }
    histogram.contentKey = key
    let sides = histogramSides(of: source)
    let gridKey = HistogramState.GridKey(
      subject: subject, scale: histogram.look.scale, sides: [sides.a, sides.b].map(\.choice),
      only: histogram.look.only, range: histogram.range, rows: layout.binRows, number: histogram.gridNumber)
    let kept = histogram.grid.flatMap { $0.key == gridKey && !$0.grid.rows.isEmpty ? $0.grid : nil }
    let maker = HistogramMaker(
      source: source, look: histogram.look, a: side(sides.a) ?? .init(name: "all", choice: common),
      b: side(sides.b), common: common, unit: subject.unit(in: histogram.payloads))
    histogram.content = maker.content(
      on: kept, rows: layout.binRows, courseSize: (layout.courseSize.width, layout.courseSize.height))
    if let grid = histogram.content.figures?.grid { histogram.grid = (gridKey, grid) }
  }

  private func side(_ named: NamedChoice) -> HistogramMaker.Side? {
    choice(named.choice).map { HistogramMaker.Side(name: named.name, choice: $0) }
  }
}

extension HistogramSubject {
  init(_ series: SeriesIdentity) {
    self =
      series.bucket == PayloadArchive.bucket && series.typeName == "PayloadHistogram"
      ? .payload(series.name) : .series(series)
  }

  /// As it is asked for.
  var name: String {
    switch self {
    case .series(let series): series.fullName
    case .payload(let figure): figure
    }
  }

  /// `histogrammedTimeToFirstDraw` without its section; of a signpost the category and the name.
  static func shortName(ofFigure figure: String) -> String {
    let parts = figure.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 2, figure.contains("/") else { return String(parts.last ?? "") }
    return parts.dropFirst().dropLast().joined(separator: ".")
  }

  /// What its numbers measure.
  func unit(in archive: PayloadArchive?) -> ValueUnit {
    switch self {
    case .series(let series): return series.unit
    case .payload(let figure):
      return archive?.figures.first { $0.name == figure }.map { $0.unit == "ms" ? .milliseconds : .plain }
        ?? .plain
    }
  }
}
