import Sync

/// Words of ``SyncSimulationRecord/next`` about the engine's future, for those who write and those who read them.
enum EngineForecast {
  /// The app asks for a run because it is time.
  static let appAsks = "the app asks for a run"
  /// It is time for that, but the app knows that there is no network.
  static let appIsOffline = "the app would ask for a run, but is offline"
  /// Somebody asks for a run.
  static let sync = "sync"
  /// Somebody has everything fetched again, which takes a run.
  static let resync = "full resync"

  private static let then = ", then a sync"

  /// Something happens, and the app asks for a run because of it.
  static func thenSync(_ words: String) -> String { words + then }

  /// True if the engine is asked for a run when that happens.
  static func asksForRun(_ words: String) -> Bool {
    [appAsks, sync, resync].contains(words) || words.hasSuffix(then)
  }
}
