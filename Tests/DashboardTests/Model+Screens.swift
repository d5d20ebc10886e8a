import TerminalUI

@testable import Dashboard

// Short names for the screens' states, and for the screens at work.
extension Model {
  var live: LiveState {
    get { self[LiveScreen.self] }
    set { self[LiveScreen.self] = newValue }
  }
  var history: HistoryState {
    get { self[HistoryScreen.self] }
    set { self[HistoryScreen.self] = newValue }
  }
  var histogram: HistogramState {
    get { self[HistogramScreen.self] }
    set { self[HistogramScreen.self] = newValue }
  }
  var sync: SyncScreenState {
    get { self[SyncScreen.self] }
    set { self[SyncScreen.self] = newValue }
  }

  var liveModel: ScreenModel<LiveScreen> { screenModel(LiveScreen.self) }
  var historyModel: ScreenModel<HistoryScreen> {
    get { screenModel(HistoryScreen.self) }
    set {
      history = newValue.state
      session = newValue.session
    }
  }
  var histogramModel: ScreenModel<HistogramScreen> { screenModel(HistogramScreen.self) }
  var syncModel: ScreenModel<SyncScreen> { screenModel(SyncScreen.self) }

  /// The words on the background of the shown screen's tab.
  var shownTab: String {
    let buffer = view(self).buffer
    let row = Array(buffer.lines.first ?? "")
    return String(row.indices.filter { buffer[$0, 0].style == session.theme[.selection] }.map { row[$0] })
  }
}
