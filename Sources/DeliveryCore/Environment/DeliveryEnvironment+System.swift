import Essentials
import Platform

#if canImport(os)
  import os
#endif
#if canImport(UIKit) && !os(watchOS)
  import UIKit
#endif

extension DeliveryEnvironment {
  /// The environment of a program: the system's clock, randomness, network, files and app.
  package static var system: DeliveryEnvironment {
    var environment = DeliveryEnvironment(
      clock: SystemDeliveryClock(), generator: SystemRandomNumberGenerator(),
      transport: SystemTransport.make(), context: SystemContext(), network: AlwaysOnline(),
      openStorage: { options throws(StorageFailure) in
        try SegmentedEventStorage(folder: DataFolder.path(options) + "/disk-queue")
      },
      openValues: { options in FileKeyValues(path: DataFolder.path(options) + "/identity.json") },
      log: { line in SystemLog.write(line) }, isForeground: { SystemApp.isForeground })
    environment.claim = { options in FolderClaim(DataFolder.path(options)) }
    environment.openMarks = { options in FileKeyValues(path: DataFolder.path(options) + "/reset.json") }
    #if canImport(Darwin)
      environment.original = { UserDefaults.standard.string(forKey: $0) }
    #endif
    environment.openRefused = { options in FileKeyValues(path: DataFolder.path(options) + "/refused.json") }
    return environment
  }
}

/// The location of a client's files.
enum DataFolder {
  /// The folder of a client: the one in its options, or the product's folder in the system's data directory.
  static func path(
    _ options: InitOptions, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    if let folder = options.dataFolder { return folder.path }
    return system(environment) + "/" + options.storageNamespace
  }

  private static func system(_ environment: [String: String]) -> String {
    #if canImport(Darwin)
      let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
      if let folder = folders.first { return folder.path }
    #endif
    // As in the XDG base directory specification: a relative path is ignored.
    if let data = environment["XDG_DATA_HOME"], PathParts.isAbsolute(data) { return data }
    return FileManager.default.homeDirectoryForCurrentUser.path + "/.local/share"
  }
}

/// The system's log, or standard error if there is none.
enum SystemLog {
  static func write(_ line: LogLine) {
    #if canImport(os)
      let log = Logger(subsystem: "Delivery", category: "client")
      switch line.level {
      case .debug: log.debug("\(line.text, privacy: .public)")
      case .warning: log.warning("\(line.text, privacy: .public)")
      case .error: log.error("\(line.text, privacy: .public)")
      }
    #else
      Posix.writeError("Delivery: \(line.level.rawValue): \(line.text)\n")
    #endif
  }
}

/// The app around the client, if the system reports its lifecycle.
enum SystemApp {
  static var isForeground: Bool {
    #if canImport(UIKit) && !os(watchOS)
      // Readable on the main thread only; an app started in the background corrects this with its first signal.
      return !Thread.isMainThread
        || MainActor.assumeIsolated { UIApplication.shared.applicationState != .background }
    #else
      return true
    #endif
  }
}
