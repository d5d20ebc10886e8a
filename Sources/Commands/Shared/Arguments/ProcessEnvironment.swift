import Essentials
package import Platform

/// The environment in which a command line is interpreted: variables, the time, existing files, and the paths derived
/// from them.
package struct ProcessEnvironment: Sendable {
  /// The environment variables.
  package var variables: [String: String]
  /// The current wall-clock time.
  package var now: Timestamp
  /// True if something exists at a path.
  package var exists: @Sendable (String) -> Bool
  /// The reason why no work is possible: a path that is not valid UTF-8, or a system without `/proc`; `nil` for nothing.
  package var problem: String?
  /// The width of standard output where it is a terminal, or else `$COLUMNS`; `nil` for none.
  package var columns: Int?
  /// `$LINES` where standard output is not a terminal, which scrolls; `nil` for none.
  package var rows: Int?
  /// The home folder in the account database; read only if no variable names one.
  package var accountHome: @Sendable () -> String?

  package init(
    variables: [String: String], now: Timestamp, problem: String? = nil,
    columns: Int? = nil, rows: Int? = nil, exists: @escaping @Sendable (String) -> Bool,
    accountHome: @escaping @Sendable () -> String? = { nil }
  ) {
    (self.columns, self.rows) = (columns, rows)
    self.variables = variables
    self.now = now
    self.problem = problem
    self.exists = exists
    self.accountHome = accountHome
  }

  /// The environment of this process.
  package static var ofProcess: ProcessEnvironment {
    let variables = ProcessInfo.processInfo.environment
    let columns = Posix.columns(of: STDOUT_FILENO)
    return ProcessEnvironment(
      variables: variables, now: .now(), problem: problemOfProcess,
      columns: columns ?? number("COLUMNS", in: variables),
      rows: columns == nil ? number("LINES", in: variables) : nil,
      exists: { FileManager.default.fileExists(atPath: $0) },
      accountHome: {
        getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.flatMap { String(validatingCString: $0) }
      })
  }

  /// A size from a variable, as `watch` sets it; `nil` for an absurd one.
  private static func number(_ variable: String, in variables: [String: String]) -> Int? {
    variables[variable].flatMap(Int.init).flatMap { (1...1000).contains($0) ? $0 : nil }
  }

  /// A path that is not valid UTF-8 would be converted to a different one, and files created there.
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
    #if os(Linux)
      guard FileManager.default.fileExists(atPath: "/proc/self/task") else {
        return "/proc is not mounted, and the threads of the Swift runtime need it"
      }
    #endif
    guard let folder = getcwd(nil, 0) else { return nil }
    defer { free(folder) }
    guard String(validatingCString: folder) == nil else { return nil }
    return "the name of the current folder is not valid UTF-8: \(String(cString: folder))"
  }

  /// The default metrics file: `$MISTERTOP_STORE`, or else the platform's location for application data.
  package var defaultStore: String {
    if let store = variables["MISTERTOP_STORE"], !store.isEmpty { return store }
    return dataFolder + "/mistertop/metrics.jsonl"
  }

  /// The cache folder of this program; empty without a home folder.
  package var cacheFolder: String {
    #if canImport(Darwin)
      return home.map { $0 + "/Library/Caches/mistertop" } ?? ""
    #else
      return xdg("XDG_CACHE_HOME", "/.cache").map { $0 + "/mistertop" } ?? ""
    #endif
  }

  /// The folder of the history indexes; `nil` without a home folder, or if `MISTERTOP_INDEX=off` disables them.
  package var indexFolder: String? {
    let isOff = variables["MISTERTOP_INDEX"]?.lowercased() == "off"
    return isOff || cacheFolder.isEmpty ? nil : cacheFolder + "/history"
  }

  private var home: String? {
    if let home = variables["HOME"], !home.isEmpty { return home }
    return accountHome().flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The platform's folder for application data.
  package var dataFolder: String {
    #if canImport(Darwin)
      return (home ?? ".") + "/Library/Application Support"
    #else
      return xdg("XDG_DATA_HOME", "/.local/share") ?? "./.local/share"
    #endif
  }

  /// The default configuration file: `$MISTERTOP_CONFIG`, or else the platform's location; empty without a home folder.
  package var configurationFile: String {
    if let file = variables["MISTERTOP_CONFIG"], !file.isEmpty { return file }
    #if canImport(Darwin)
      return home.map { $0 + "/Library/Application Support/mistertop/config.json5" } ?? ""
    #else
      return xdg("XDG_CONFIG_HOME", "/.config").map { $0 + "/mistertop/config.json5" } ?? ""
    #endif
  }

  /// True if the user named the configuration file, so a missing one is an error.
  package var namesConfiguration: Bool { !(variables["MISTERTOP_CONFIG"] ?? "").isEmpty }

  /// The log of messages while the program owns the screen; empty without a home folder.
  package var logFile: String {
    #if canImport(Darwin)
      return home.map { $0 + "/Library/Logs/mistertop.log" } ?? ""
    #else
      return stateFolder.map { $0 + "/mistertop/mistertop.log" } ?? ""
    #endif
  }

  /// The folder of the user's marks and saved views; empty without a home folder.
  package var notesFolder: String {
    #if canImport(Darwin)
      return home.map { $0 + "/Library/Application Support/mistertop/notes" } ?? ""
    #else
      return stateFolder.map { $0 + "/mistertop/notes" } ?? ""
    #endif
  }

  /// The folder of crash reports; empty without a home folder.
  package var reportFolder: String {
    #if canImport(Darwin)
      return home.map { $0 + "/Library/Logs/mistertop" } ?? ""
    #else
      return stateFolder.map { $0 + "/mistertop" } ?? ""
    #endif
  }

  /// The folder of the import locks; empty without a home folder.
  package var lockFolder: String {
    #if canImport(Darwin)
      return home.map { $0 + "/Library/Application Support/mistertop/locks" } ?? ""
    #else
      return stateFolder.map { $0 + "/mistertop/locks" } ?? ""
    #endif
  }

  /// Never the current folder, where no one expects files that a program writes on its own.
  private var stateFolder: String? { xdg("XDG_STATE_HOME", "/.local/state") }

  /// An XDG base directory; a relative path counts as unset, as the specification requires.
  private func xdg(_ variable: String, _ fallback: String) -> String? {
    variables[variable].flatMap { PathParts.isAbsolute($0) ? $0 : nil } ?? home.map { $0 + fallback }
  }
}
