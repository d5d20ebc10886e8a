import TerminalUI

@testable import DashboardCore
@testable import EngineScreens
@testable import HistogramScreen
@testable import HistoryScreen
@testable import HostsScreen
@testable import LiveScreen
@testable import PayloadsScreen

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
  var payloads: OverviewState {
    get { self[PayloadsScreen.self] }
    set { self[PayloadsScreen.self] = newValue }
  }
  var sync: SyncScreenState {
    get { self[SyncScreen.self] }
    set { self[SyncScreen.self] = newValue }
  }

  var liveScreen: LiveScreen { lent() }
  var historyScreen: HistoryScreen {
    get { lent() }
    set {
      history = newValue.state
      session = newValue.session
    }
  }
  var histogramScreen: HistogramScreen { lent() }
  var hostsScreen: HostsScreen { lent() }
  var payloadsScreen: PayloadsScreen { lent() }
  var syncScreen: SyncScreen { lent() }
  var deliveryScreen: DeliveryScreen { lent() }

  /// A screen's state.
  subscript<Wanted: Screen>(_ type: Wanted.Type) -> Wanted.State {
    get { (lent() as Wanted).state }
    set {
      guard let place = screens.firstIndex(where: { $0 is Wanted }), var screen = screens[place] as? Wanted
      else { return }
      screen.state = newValue
      screens[place] = screen
    }
  }

  /// The screen of a type; every test has it in its list.
  private func lent<Wanted: Screen>() -> Wanted {
    guard let screen = screen(Wanted.self) else { preconditionFailure("no such screen") }
    return screen
  }

  /// The words on the background of the shown screen's tab.
  var shownTab: String {
    let buffer = view(self).buffer
    let row = Array(buffer.lines.first ?? "")
    return String(row.indices.filter { buffer[$0, 0].style == session.theme[.selection] }.map { row[$0] })
  }
}
