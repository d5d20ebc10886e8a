import Foundation

/// What a command line is read against: the environment, the present, and whether a file exists.
package struct Surroundings: Sendable {
  /// The environment's variables.
  package var environment: [String: String]
  /// Seconds since 2001.
  package var now: Double
  /// Whether something exists at a path.
  package var exists: @Sendable (String) -> Bool

  package init(environment: [String: String], now: Double, exists: @escaping @Sendable (String) -> Bool) {
    self.environment = environment
    self.now = now
    self.exists = exists
  }

  /// Those of this process.
  package static var ofProcess: Surroundings {
    Surroundings(
      environment: ProcessInfo.processInfo.environment, now: Date().timeIntervalSinceReferenceDate,
      exists: { FileManager.default.fileExists(atPath: $0) })
  }

  /// Where metrics go when no file is named: `$MISTERTOP_STORE`, else the place the platform has for such data.
  package var defaultStore: String {
    if let store = environment["MISTERTOP_STORE"], !store.isEmpty { return store }
    return dataFolder + "/mistertop/metrics.jsonl"
  }

  private var home: String { environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? "." }

  private var dataFolder: String {
    #if canImport(Darwin)
      return home + "/Library/Application Support"
    #else
      return xdg("XDG_DATA_HOME", "/.local/share")
    #endif
  }

  /// Where what the program has to say goes while it owns the screen.
  package var logFile: String {
    #if canImport(Darwin)
      return home + "/Library/Logs/mistertop.log"
    #else
      return xdg("XDG_STATE_HOME", "/.local/state") + "/mistertop/mistertop.log"
    #endif
  }

  /// Where the report of a crash goes.
  package var reportFolder: String {
    #if canImport(Darwin)
      return home + "/Library/Logs/mistertop"
    #else
      return xdg("XDG_STATE_HOME", "/.local/state") + "/mistertop"
    #endif
  }

  /// A folder of the XDG base directories; a relative one counts as not set, as the specification asks.
  private func xdg(_ variable: String, _ fallback: String) -> String {
    environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + fallback
  }
}
