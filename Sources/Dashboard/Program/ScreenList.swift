/// The screens of the dashboard, in the order of their keys.
///
/// The only place that names them: a screen that stands here has its tab, its key, its actions and its help; one that
/// does not is not there. `Tests/DashboardTests` fails when a folder of `Screens/` is missing here.
package enum ScreenList {
  package static let all: [any Screen] = [
    LiveScreen(), HistoryScreen(), HistogramScreen(), SyncScreen(), DeliveryScreen(),
  ]
}
