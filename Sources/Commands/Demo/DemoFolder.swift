package import Foundation

/// The folder of a demo's store, which goes with the demo; after a death of both demo and guard, with the next demo.
package enum DemoFolder {
  private static let prefix = "mistertop-demo-"
  /// A demo writes every second; what is younger may belong to one whose process cannot be seen from here (a container).
  private static let quietSeconds = 60.0

  /// That of a process.
  package static func url(process: Int32, in parent: URL) -> URL {
    parent.appendingPathComponent(prefix + "\(process)")
  }

  /// Removes the folders of this person whose processes are dead.
  package static func removeStale(in parent: URL, now: Date) {
    let files = FileManager.default
    for name in (try? files.contentsOfDirectory(atPath: parent.path)) ?? [] where name.hasPrefix(prefix) {
      guard let process = Int32(name.dropFirst(prefix.count)), process > 0 else { continue }
      let folder = url(process: process, in: parent)
      guard kill(process, 0) != 0, errno == ESRCH, isOurs(folder), isQuiet(folder, now: now) else { continue }
      // Another demo may be at the same; one that stays takes no harm.
      try? files.removeItem(at: folder)
    }
  }

  /// A folder itself, no link to one.
  private static func isOurs(_ folder: URL) -> Bool {
    var status = stat()
    return lstat(folder.path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == getuid()
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
