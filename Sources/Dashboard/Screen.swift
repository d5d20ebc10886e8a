/// The screens of the dashboard, in the order of their keys.
package enum Screen: Int, CaseIterable, Hashable, Sendable {
  case live, history

  /// As it stands between the tabs.
  var title: String {
    switch self {
    case .live: "Live"
    case .history: "History"
    }
  }

  /// The same where room is short.
  var shortTitle: String {
    switch self {
    case .live: "Live"
    case .history: "Hist"
    }
  }

  /// The key that shows it.
  var key: Character { Character(String(rawValue + 1)) }
}
