import Essentials
package import Platform

/// The environment a command line is read against: variables, the time, which files exist, and the paths that follow
/// from them.
package struct ProcessEnvironment: Sendable {
  /// The program's version.
  package static let version = "0.1.0"

  /// The environment variables.
  package var variables: [String: String]
  /// The present, by the wall clock.
  package var now: Timestamp
  /// True if something exists at a path.
  package var exists: @Sendable (String) -> Bool
  /// The part of the given paths that is not valid UTF-8, and why nothing can be done with it; `nil` where all is
  /// text.
  package var problem: String?
  /// The home folder in the account database; asked only if no variable names one.
  package var accountHome: @Sendable () -> String?

  package init(
    variables: [String: String], now: Timestamp, problem: String? = nil,
    exists: @escaping @Sendable (String) -> Bool, accountHome: @escaping @Sendable () -> String? = { nil }
  ) {
    self.variables = variables
    self.now = now
    self.problem = problem
    self.exists = exists
    self.accountHome = accountHome
  }

  /// The environment of this process.
  package static var ofProcess: ProcessEnvironment {
    ProcessEnvironment(
      variables: ProcessInfo.processInfo.environment, now: .now(), problem: problemOfProcess,
      exists: { FileManager.default.fileExists(atPath: $0) },
      accountHome: {
        getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.flatMap { String(validatingCString: $0) }
      })
  }

  /// A path that is not text becomes another name: a file would be made elsewhere.
  private static var problemOfProcess: String? {
    let variables = [
      "HOME", "TMPDIR", "MISTERTOP_STORE", "MISTERTOP_CONFIG", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
      "XDG_DATA_HOME",
      "XDG_STATE_HOME",
    ]
    for name in variables {
      guard let value = getenv(name), String(validatingCString: value) == nil else { continue }
      return "the variable \(name) is not valid UTF-8: \(String(cString: value))"
    }
    guard let folder = getcwd(nil, 0) else { return nil }
    defer { free(folder) }
    guard String(validatingCString: folder) == nil else { return nil }
    return "the name of the current folder is not valid UTF-8: \(String(cString: folder))"
  }

  /// The metrics file when none is named: `$MISTERTOP_STORE`, or else the platform's place for application data.
  package var defaultStore: String {
    if let store = variables["MISTERTOP_STORE"], !store.isEmpty { return store }
    return dataFolder + "/mistertop/metrics.jsonl"
  }

  /// The cache of this program; empty without a home folder.
  package var cacheFolder: String {
    #if canImport(Darwin)
      return home.map { $0 + "/Library/Caches/mistertop" } ?? ""
    #else
      return xdg("XDG_CACHE_HOME", "/.cache").map { $0 + "/mistertop" } ?? ""
    #endif
  }

  /// The indexes of files; `nil` without a home folder, or if `MISTERTOP_INDEX=off` turns them off.
  package var indexFolder: String? {
    let isOff = variables["MISTERTOP_INDEX"]?.lowercased() == "off"
    return isOff || cacheFolder.isEmpty ? nil : cacheFolder + "/history"
  }

  private var home: String? {
    if let home = variables["HOME"], !home.isEmpty { return home }
    return accountHome().flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The place for the data of programs.
  package var dataFolder: String {
    #if canImport(Darwin)
      return (home ?? ".") + "/Library/Application Support"
    #else
      return xdg("XDG_DATA_HOME", "/.local/share") ?? "./.local/share"
    #endif
  }

  /// The configuration when no option names one: `$MISTERTOP_CONFIG`, or else the platform's place for it; empty without
  /// a home folder.
  package var configurationFile: String {
    if let file = variables["MISTERTOP_CONFIG"], !file.isEmpty { return file }
    #if canImport(Darwin)
      return home.map { $0 + "/Library/Application Support/mistertop/config.json5" } ?? ""
    #else
      return xdg("XDG_CONFIG_HOME", "/.config").map { $0 + "/mistertop/config.json5" } ?? ""
    #endif
  }

  /// True if the person named the configuration, so that it has to be there.
  package var namesConfiguration: Bool { !(variables["MISTERTOP_CONFIG"] ?? "").isEmpty }

  /// The log of messages while the program owns the screen; empty without a home folder.
  package var logFile: String {
    #if canImport(Darwin)
      return home.map { $0 + "/Library/Logs/mistertop.log" } ?? ""
    #else
      return stateFolder.map { $0 + "/mistertop/mistertop.log" } ?? ""
    #endif
  }

  /// The user's marks and saved views; empty without a home folder.
  package var notesFolder: String {
    #if canImport(Darwin)
      return home.map { $0 + "/Library/Application Support/mistertop/notes" } ?? ""
    #else
      return stateFolder.map { $0 + "/mistertop/notes" } ?? ""
    #endif
  }

  /// The crash reports; empty without a home folder.
  package var reportFolder: String {
    #if canImport(Darwin)
      return home.map { $0 + "/Library/Logs/mistertop" } ?? ""
    #else
      return stateFolder.map { $0 + "/mistertop" } ?? ""
    #endif
  }

  /// The lock files of imports; empty without a home folder.
  package var lockFolder: String {
    #if canImport(Darwin)
      return home.map { $0 + "/Library/Application Support/mistertop/locks" } ?? ""
    #else
      return stateFolder.map { $0 + "/mistertop/locks" } ?? ""
    #endif
  }

  /// Never the current folder, where no one looks for files that a program wrote unasked.
  private var stateFolder: String? { xdg("XDG_STATE_HOME", "/.local/state") }

  /// A folder of the XDG base directories; a relative one counts as not set, as the specification asks.
  private func xdg(_ variable: String, _ fallback: String) -> String? {
    variables[variable].flatMap { PathParts.isAbsolute($0) ? $0 : nil } ?? home.map { $0 + fallback }
  }
}
