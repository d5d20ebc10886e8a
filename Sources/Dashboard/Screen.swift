/// The screens of the dashboard, in the order of their keys; the third is kept for histograms.
package enum Screen: Int, CaseIterable, Hashable, Sendable {
  case live
  case history
  case sync = 3

  /// As it stands between the tabs.
  var title: String {
    switch self {
    case .live: "Live"
    case .history: "History"
    case .sync: "Sync"
    }
  }

  /// The same where room is short.
  var shortTitle: String {
    switch self {
    case .live: "Live"
    case .history: "Hist"
    case .sync: "Sync"
    }
  }

  /// The key that shows it.
  var key: Character { Character(String(rawValue + 1)) }
}
