/// Reports that followed files may have changed.
///
/// It may report too much, never too little: the change itself is found by looking at the files.
package protocol ChangeWatcher: AnyObject {
  /// Readable when there is something to report; `nil` if nothing ever is.
  var descriptor: Int32? { get }
  /// Seconds between checks, if not all changes are reported; `nil` if waiting is enough.
  var interval: Double? { get }
  /// Watches these paths for a member, in place of its earlier ones.
  ///
  /// - Returns: True if something new is watched, so one more check is needed.
  func watch(_ targets: WatchTargets, for member: Int) -> Bool
  /// Changes since the last call.
  func changes() -> WatchedChanges
}

/// Paths that a member wants watched.
package struct WatchTargets: Hashable, Sendable {
  package var path: String
  /// Files held open; they may have no name any more.
  package var files: [FileToken]
  /// How many files were opened so far: a token may be given to another file.
  package var openings: Int
  /// True if the path is a folder whose content is wanted.
  package var isFolder: Bool

  package init(path: String, files: [FileToken] = [], openings: Int = 0, isFolder: Bool = false) {
    self.path = path
    self.files = files
    self.openings = openings
    self.isFolder = isFolder
  }
}

/// Members about which something may have changed.
package enum WatchedChanges: Hashable, Sendable {
  case members(Set<Int>)
  /// Something was missed, or it is not known which.
  case all
}

/// Watches nothing; everything is looked at four times a second.
package final class PollingWatcher: ChangeWatcher {
  package let descriptor: Int32? = nil
  package let interval: Double?

  package init(interval: Double = 0.2) {
    self.interval = interval
  }

  package func watch(_ targets: WatchTargets, for member: Int) -> Bool { false }
  package func changes() -> WatchedChanges { .all }
}

/// The best watcher that works here.
package func makeChangeWatcher() -> any ChangeWatcher {
  #if canImport(Glibc)
    return InotifyWatcher() ?? PollingWatcher()
  #elseif canImport(Darwin)
    return KqueueWatcher() ?? PollingWatcher()
  #else
    return PollingWatcher()
  #endif
}
