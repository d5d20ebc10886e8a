import Foundation

/// What a command line is read against: the environment, the present, and whether a file exists.
package struct Surroundings: Sendable {
  /// The environment's variables.
  package var environment: [String: String]
  /// Seconds since 2001.
  package var now: Double
  /// Whether something exists at a path.
  package var exists: @Sendable (String) -> Bool
  /// The home folder that the system has for this account; asked only where the environment names none.
  package var accountHome: @Sendable () -> String?

  package init(
    environment: [String: String], now: Double, exists: @escaping @Sendable (String) -> Bool,
    accountHome: @escaping @Sendable () -> String? = { nil }
  ) {
    self.environment = environment
    self.now = now
    self.exists = exists
    self.accountHome = accountHome
  }

  /// Those of this process.
  package static var ofProcess: Surroundings {
    Surroundings(
      environment: ProcessInfo.processInfo.environment, now: Date().timeIntervalSinceReferenceDate,
      exists: { FileManager.default.fileExists(atPath: $0) },
      accountHome: { getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) } })
  }

  /// Where metrics go when no file is named: `$MISTERTOP_STORE`, else the place the platform has for such data.
  package var defaultStore: String {
    if let store = environment["MISTERTOP_STORE"], !store.isEmpty { return store }
    return dataFolder + "/mistertop/metrics.jsonl"
  }

  /// Where what is kept of files between runs goes; empty where there is no home folder.
  package var cacheFolder: String {
    #if canImport(Darwin)
      return home.map { $0 + "/Library/Caches/mistertop" } ?? ""
    #else
      return xdg("XDG_CACHE_HOME", "/.cache").map { $0 + "/mistertop" } ?? ""
    #endif
  }

  /// Where the indexes of files go; `nil` where there is no home folder, or where `MISTERTOP_INDEX=off` forbids them.
  package var indexFolder: String? {
    let isOff = environment["MISTERTOP_INDEX"]?.lowercased() == "off"
    return isOff || cacheFolder.isEmpty ? nil : cacheFolder + "/history"
  }

  private var home: String? {
    if let home = environment["HOME"], !home.isEmpty { return home }
    return accountHome().flatMap { $0.isEmpty ? nil : $0 }
  }

  private var dataFolder: String {
    #if canImport(Darwin)
      return (home ?? ".") + "/Library/Application Support"
    #else
      return xdg("XDG_DATA_HOME", "/.local/share") ?? "./.local/share"
    #endif
  }

  /// Where what the program has to say goes while it owns the screen; empty where there is no home folder.
  package var logFile: String {
    #if canImport(Darwin)
      return home.map { $0 + "/Library/Logs/mistertop.log" } ?? ""
    #else
      return stateFolder.map { $0 + "/mistertop/mistertop.log" } ?? ""
    #endif
  }

  /// Where the person's marks and looks are kept; empty where there is no home folder.
  package var notesFolder: String {
    #if canImport(Darwin)
      return home.map { $0 + "/Library/Application Support/mistertop/notes" } ?? ""
    #else
      return stateFolder.map { $0 + "/mistertop/notes" } ?? ""
    #endif
  }

  /// Where the report of a crash goes; empty where there is no home folder.
  package var reportFolder: String {
    #if canImport(Darwin)
      return home.map { $0 + "/Library/Logs/mistertop" } ?? ""
    #else
      return stateFolder.map { $0 + "/mistertop" } ?? ""
    #endif
  }

  /// Where the files stand that keep imports into one store apart; empty where there is no home folder.
  package var lockFolder: String {
    #if canImport(Darwin)
      return home.map { $0 + "/Library/Application Support/mistertop/locks" } ?? ""
    #else
      return stateFolder.map { $0 + "/mistertop/locks" } ?? ""
    #endif
  }

  /// Never the current folder: nobody looks there for what a program has left without being asked.
  private var stateFolder: String? { xdg("XDG_STATE_HOME", "/.local/state") }

  /// A folder of the XDG base directories; a relative one counts as not set, as the specification asks.
  private func xdg(_ variable: String, _ fallback: String) -> String? {
    environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home.map { $0 + fallback }
  }
}
