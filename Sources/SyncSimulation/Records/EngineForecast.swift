import Sync

/// The texts of ``SyncSimulationRecord/next`` that matter for forecasts, shared by writers and readers.
enum EngineForecast {
  /// The app requests a periodic run.
  static let appAsks = "the app asks for a run"
  /// A periodic run is due, but the app knows that there is no network.
  static let appIsOffline = "the app would ask for a run, but is offline"
  /// A person requests a run.
  static let sync = "sync"
  /// A person requests a full resync, which takes a run.
  static let resync = "full resync"

  private static let then = ", then a sync"

  /// An event that makes the app request a run.
  static func thenSync(_ words: String) -> String { words + then }

  /// True if the text describes an event that requests a run.
  static func asksForRun(_ words: String) -> Bool {
    [appAsks, sync, resync].contains(words) || words.hasSuffix(then)
  }
}
