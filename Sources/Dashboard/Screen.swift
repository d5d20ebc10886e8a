/// The screens of the dashboard, in the order of their keys.
package enum Screen: Int, CaseIterable, Hashable, Sendable {
  case live
  case history
  case histogram
  case sync

  /// As it stands between the tabs.
  var title: String {
    switch self {
    case .live: "Live"
    case .history: "History"
    case .histogram: "Histogram"
    case .sync: "Sync"
    }
  }

  /// The same where room is short.
  var shortTitle: String {
    switch self {
    case .live: "Live"
    case .history: "Hist"
    case .histogram: "Bins"
    case .sync: "Sync"
    }
  }

  /// The key that shows it.
  var key: Character { Character(String(rawValue + 1)) }
}
