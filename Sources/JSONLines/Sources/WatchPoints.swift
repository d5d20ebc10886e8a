import Essentials
import Platform

/// The directories in which a change can make a path refer to another file.
struct WatchPoints {
  /// Directories with the relevant name in each; `nil` if all names are relevant.
  private(set) var names: [(directory: String, name: String?)] = []
  /// Directories whose own move or deletion matters.
  private(set) var directories: [String] = []
  private var linksLeft = 16

  init(path: String, isFolder: Bool) {
    if isFolder { names.append((path, nil)) }
    collect(path)
  }

  private mutating func collect(_ path: String) {
    let parts = PathParts(path)
    names.append((parts.directory, parts.name))
    if let target = link(at: path) {
      collect(PathParts.isAbsolute(target) ? target : PathParts.join(parts.directory, target))
    }
    collectAncestors(of: parts.directory)
  }

  /// Watches each ancestor for its own move or deletion; links and missing directories are watched in their parents.
  private mutating func collectAncestors(of directory: String) {
    guard directory != "/", directory != "." else { return }
    directories.append(directory)
    if exists(directory) {
      if link(at: directory, counted: false) != nil { return collect(directory) }
      collectAncestors(of: PathParts(directory).directory)
    } else {
      collect(directory)
    }
  }

  private mutating func link(at path: String, counted: Bool = true) -> String? {
    guard linksLeft > 0, let target = Posix.target(ofLink: path) else { return nil }
    if counted { linksLeft -= 1 }
    return target
  }

  private func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0
  }
}
