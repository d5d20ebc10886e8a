/// Reports that followed files may have changed.
///
/// May report too much: the caller examines the files to find the change. What it cannot report, as changes on another
/// machine, a ``FilePoller`` finds.
package protocol ChangeWatcher: AnyObject {
  /// Readable when there is something to report; `nil` if nothing ever is.
  var descriptor: Int32? { get }
  /// Seconds between checks if some changes go unreported; `nil` if waiting for reports is enough.
  var interval: Double? { get }
  /// Watches these paths for a member, replacing its earlier ones.
  ///
  /// - Returns: True if something new is watched, so one more check is needed.
  func watch(_ targets: WatchTargets, for member: Int) -> Bool
  /// Changes since the last call.
  func changes() -> WatchedChanges
}

/// Paths to watch for a member.
package struct WatchTargets: Hashable, Sendable {
  package var path: String
  /// Files held open; they may no longer have a name.
  package var files: [FileToken]
  /// Number of files opened so far: a token may be reused for another file.
  package var openings: Int
  /// True if the path is a folder whose contents are wanted.
  package var isFolder: Bool

  package init(path: String, files: [FileToken] = [], openings: Int = 0, isFolder: Bool = false) {
    self.path = path
    self.files = files
    self.openings = openings
    self.isFolder = isFolder
  }
}

/// Members that may have changed.
package enum WatchedChanges: Hashable, Sendable {
  case members(Set<Int>)
  /// Events were lost, or the affected members are unknown.
  case all
}

/// Watches nothing; everything is checked four times a second.
package final class PollingWatcher: ChangeWatcher {
  package let descriptor: Int32? = nil
  package let interval: Double?

  package init(interval: Double = 0.2) {
    self.interval = interval
  }

  package func watch(_ targets: WatchTargets, for member: Int) -> Bool { false }
  package func changes() -> WatchedChanges { .all }
}

/// Watches nothing and reports nothing.
package final class NoWatcher: ChangeWatcher {
  package let descriptor: Int32? = nil
  package let interval: Double? = nil

  package init() {}

  package func watch(_ targets: WatchTargets, for member: Int) -> Bool { false }
  package func changes() -> WatchedChanges { .members([]) }
}

/// Makes the best watcher available on this system.
package func makeChangeWatcher() -> any ChangeWatcher {
  #if canImport(Glibc)
    return InotifyWatcher() ?? PollingWatcher()
  #elseif canImport(Darwin)
    return KqueueWatcher() ?? PollingWatcher()
  #else
    return PollingWatcher()
  #endif
}
