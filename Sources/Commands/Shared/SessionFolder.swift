package import Foundation
package import Platform

/// The folder of a session's store, removed with the session; after the death of both session and guard, by the next one.
package enum SessionFolder {
  private static let prefix = "mistertop-demo-"
  /// A demo writes every second; a folder younger than this may belong to one in another container.
  private static let quietSeconds = 60.0

  /// Makes the folder of a process: new, under a name that nobody can foresee, and for its owner alone.
  ///
  /// - Throws: `FileFailure`; what has been there is never used.
  package static func make(process: Int32, in parent: URL) throws(FileFailure) -> URL {
    let name = try OpenFolder(parent.path).makeFolder(prefix + "\(process)-")
    return parent.appendingPathComponent(name)
  }

  /// Removes it with what is in it; nothing if it is not this user's own any more.
  package static func remove(_ folder: URL) {
    guard let parent = try? OpenFolder(folder.deletingLastPathComponent().path) else { return }
    parent.removeFolder(folder.lastPathComponent)
  }

  /// Removes the folders of this user whose processes are dead.
  package static func removeStale(in parent: URL, now: Date) {
    let files = FileManager.default
    for name in (try? files.contentsOfDirectory(atPath: parent.path)) ?? [] where name.hasPrefix(prefix) {
      let digits = name.dropFirst(prefix.count).prefix { $0 != "-" }
      guard let process = Int32(digits), process > 0 else { continue }
      let folder = parent.appendingPathComponent(name)
      guard kill(process, 0) != 0, errno == ESRCH, isQuiet(folder, now: now) else { continue }
      // Of this user alone, and no link; another session may be doing the same.
      remove(folder)
    }
  }

  private static func isQuiet(_ folder: URL, now: Date) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let paths = [folder.path] + names.map { folder.appendingPathComponent($0).path }
    return paths.allSatisfy { path in
      let date = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
      return date.map { now.timeIntervalSince($0) > quietSeconds } ?? false
    }
  }
}
