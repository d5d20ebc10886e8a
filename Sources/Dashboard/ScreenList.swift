package import Codecs
package import DashboardCore
import EngineScreens
import HistogramScreen
import HistoryScreen
import HostsScreen
import LiveScreen
import PayloadsScreen
package import Platform
package import TerminalUI

/// The screens of the dashboard, in the order of their keys.
///
/// The only place that names them: a screen that stands here has its tab, its key, its actions and its help; one that
/// does not is not there. `Tests/DashboardTests` fails when a screen's target is missing here.
package enum ScreenList {
  package static let all: [any Screen] = [
    LiveScreen(), HistoryScreen(), HistogramScreen(), PayloadsScreen(), SyncScreen(), DeliveryScreen(),
    HostsScreen(),
  ]

  /// The titles of the tabs; a screen with the title of the one before it shares its tab.
  package static let titles = ScreenTabs.titles(of: all)
}

extension Model {
  /// A dashboard of all screens; the parameters are those of the full initializer.
  package init(
    size: Size, now: Timestamp, theme: Theme = Theme(), zone: ClockZone = .local,
    feed: FeedSnapshot = .unread, limits: LimitSet = LimitSet(), notes: HistoryNotes = HistoryNotes(),
    scenarios: [EngineKind: [ScenarioTitle]] = [:], keys: KeyMap = KeyMap()
  ) {
    self.init(
      size: size, now: now, theme: theme, zone: zone, feed: feed, limits: limits, notes: notes,
      scenarios: scenarios, keys: keys, screens: ScreenList.all)
  }
}
