package import Aggregation
package import Codecs
package import History
package import Platform
import TerminalUI

/// The History screen: one metric over any stretch of the files, down to the line of one sample.
package enum HistoryScreen: Screen {
  package static let title = ScreenTitle(name: "history", title: "History", shortTitle: "Hist")
  package static var initialState: HistoryState { HistoryState() }

  package static func view(of model: Context) -> HistoryView { HistoryView(model: model) }

  // MARK: Messages

  package static func reduce(_ model: inout Context, _ message: ScreenMessage) -> [Effect] {
    switch message {
    case .answered, .filesGrew, .worked, .letter, .picked: break
    case .wentToAlert(let event, let isShown): if isShown { model.show(event) }
    case .appeared(let subjects): model.appear(about: subjects)
    case .disappeared: model.disappear()
    case .refresh: model.refresh()
    case .moveCursor(let rows): model.moveCursor(by: rows)
    case .enter: model.enter()
    case .zoom(let direction): model.zoom(direction)
    case .sort(let name): if let order = HistoryScreen.orders[name] { model.sort(by: order) }
    case .resetZoom: model.resetZoom()
    case .nextPane(let direction):
      model.state.pane = paneAfter(model.state.pane, direction, in: model.layout.panes)
    case .toggleMaximised: model.state.isMaximised.toggle()
    case .movePlayhead(let steps): model.movePlayhead(by: steps)
    case .movePlayheadFar(let direction): model.movePlayheadFar(direction)
    case .wheel(let rows, let position): model.wheel(rows, at: position)
    case .press(let position): model.press(position)
    case .drag(let position): model.drag(position)
    case .release: break
    case .focusPane(let position): if let pane = model.pane(at: position) { model.state.pane = pane }
    case .edited(let line, let text):
      if line == .filter { model.state.rowFilter = RowFilter(text, before: model.state.rowFilter) }
    case .submitted(let line, let text): return model.submit(line, text)
    case .cancelled(let line): if line == .filter { model.state.filter = "" }
    }
    return []
  }

  package static func stepBack(_ model: inout Context) -> Bool { model.stepBack() }

  // MARK: Facts

  package static func page(_ model: Context) -> Int {
    model.state.pane == .tree ? model.treeParts.tree.height : model.layout.tableRows
  }
  package static func paneCount(_ model: Context) -> Int { model.layout.panes.count }
  package static func window(_ model: Context) -> Range<Timestamp> { model.state.window }
  package static func query(_ model: Context) -> HistoryQuery? { model.screenQuery }
  package static var asksHistory: Bool { true }
  package static func subjects(_ model: Context) -> [SeriesIdentity] { model.state.focus.map { [$0] } ?? [] }
  package static func orderText(_ model: Context) -> String? {
    model.order == .time ? nil : orders.first { $0.value == model.order }.map { "\($0.key) first" }
  }
  package static func sortNames(_ model: Context) -> [String] { orders.keys.sorted() }
  package static func filter(_ model: Context) -> RowFilter? { model.state.rowFilter }
  package static func hasRows(_ model: Context) -> Bool { !model.state.rows.isEmpty }
  package static func description(_ model: Context) -> String { model.description }
  package static func copiedLines(_ model: Context) -> [String]? { [model.paneText] }
  package static func command(_ model: Context) -> [String] {
    var words = model.snapshotWords
    if let focus = model.state.focus { words += ["--metric", focus.fullName] }
    if model.state.span != nil {
      words += ["--window", "\(model.windowLength)s"]
      // A window that follows the newest sample begins wherever that is.
      if model.session.isFrozen { words += ["--from", "\(model.state.window.lowerBound)"] }
    }
    if !model.state.rowFilter.isEmpty { words += ["--where", model.state.rowFilter.text] }
    if model.order != .time, let order = orders.first(where: { $0.value == model.order }) {
      words += ["--sort", order.key]
    }
    return words + model.session.chartWords
      + (model.session.isFrozen ? ["--at", "\(model.session.present)"] : [])
  }
  package static func mark(_ model: Context) -> (time: Timestamp, text: String) {
    (model.session.present, model.markText)
  }
  package static func precision(_ model: Context) -> ClockZone.Precision {
    model.windowLength < 10 ? .milliseconds : .seconds
  }
  package static func rawLine(_ model: Context) -> RawLine? { model.selectedLine }
  package static func unknownMetric(_ model: Context) -> String? { model.state.unknownFocus }

  // MARK: Requests

  package static func accepts(_ request: ScreenRequest) -> Bool {
    if case .samples = request { true } else { false }
  }

  package static func open(_ model: inout Context, _ request: ScreenRequest) -> [Effect] {
    if case .samples(let samples) = request { model.show(samples) }
    return []
  }

  package static func arrange(_ model: inout Context, _ arrangement: Arrangement) {
    model.state.wantedFocus = arrangement.metric
    if let moment = arrangement.moment { model.session.freeze(at: moment) }
    guard let length = arrangement.length, length.isFinite, length > 0 else { return }
    let (span, middle) = (span(length), arrangement.moment ?? model.session.now)
    model.state.span = span
    model.state.window = Session.range(from: arrangement.start ?? middle - span / 2, length: span)
    guard let start = arrangement.start else { return }
    // The window goes where the playhead is: it stands in the time that was asked for, as late as there is something.
    let moment = arrangement.moment ?? model.session.present
    model.session.freeze(at: max(start, min(moment, model.state.window.upperBound.nextDown)))
  }
}
