import Essentials

extension Posix {
  /// Renames a file over another.
  package static func rename(_ source: String, to target: String) throws(FileFailure) {
    guard systemRename(source, target) == 0 else { throw FileFailure(.rename(source, to: target)) }
  }

  /// Removes a name.
  package static func unlink(_ path: String) {
    _ = systemUnlink(path)
  }

  /// Removes a name; a missing one counts as removed.
  package static func remove(
    _ path: String, with call: (String) -> Int32 = FileOperations.system.remove
  ) throws(FileFailure) {
    guard call(path) != 0, errno != ENOENT else { return }
    throw FileFailure(.remove(path))
  }

  /// True if a name is in use, even by a broken link.
  package static func isTaken(_ path: String) -> Bool { status(ofName: path) != nil }

  /// The status of a name itself, even of a link; `nil` if it does not exist.
  package static func status(ofName path: String) -> FileStatus? {
    var status = stat()
    return lstat(path, &status) == 0 ? FileStatus(status) : nil
  }

  /// Opens a new file without a name, which disappears when it is closed.
  package static func openUnnamed(in folder: String) throws(FileFailure) -> Int32 {
    var name = Array(PathParts.join(folder, "mistertop-XXXXXX").utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw .last }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = name.withUnsafeBufferPointer { $0.baseAddress.map(systemUnlink) }
    return descriptor
  }

  /// Creates the folder of a path and its parents.
  ///
  /// - Returns: The created folders, outermost first.
  @discardableResult
  package static func createFolder(of path: String, permissions: UInt32 = 0o777) throws(FileFailure)
    -> [String]
  {
    var missing: [String] = []
    var folder = PathParts(path).directory
    while status(at: folder) == nil, folder != PathParts(folder).directory {
      missing.insert(folder, at: 0)
      folder = PathParts(folder).directory
    }
    for folder in missing {
      // Another process may create it at the same time.
      guard mkdir(folder, mode_t(truncatingIfNeeded: permissions)) != 0, errno != EEXIST else { continue }
      throw FileFailure(.createFolder(of: path))
    }
    return missing
  }

  /// Makes the entries of a path's folder (new, renamed, removed names) durable.
  package static func syncFolder(
    of path: String, with call: (Int32) -> Int32 = FileOperations.system.syncFolder
  ) throws(FileFailure) {
    let folder = PathParts(path).directory
    let descriptor: Int32
    do { descriptor = try open(folder) } catch {
      throw FileFailure(.openFolder(folder), number: error.number)
    }
    defer { close(descriptor) }
    do { try sync(descriptor, path: folder, with: call) } catch {
      throw FileFailure(.syncFolder(folder), number: error.number)
    }
  }

  /// Names in a folder, in any order; a name that is not valid UTF-8 is repaired (``PathParts/isRepaired(_:)``).
  package static func names(in folder: String) throws(FileFailure) -> [String] {
    guard let stream = opendir(folder) else { throw .last }
    return names(in: stream)
  }

  /// Names in an open folder, which is then closed.
  static func names(in stream: DirectoryStream) -> [String] {
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) {
          String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// The path with every symbolic link resolved.
  package static func realPath(_ path: String) throws(FileFailure) -> String {
    guard let resolved = realpath(path, nil) else { throw .last }
    defer { free(resolved) }
    // A repaired name would be another name.
    guard let path = String(validatingCString: resolved) else {
      throw FileFailure(.follow(path), number: EILSEQ)
    }
    return path
  }

  /// The current folder; `.` if it was removed.
  package static var workingFolder: String { (try? realPath(".")) ?? "." }

  /// The path with every symbolic link resolved, or the path itself if it does not exist yet.
  package static func resolved(_ path: String) -> String {
    (try? realPath(path)) ?? path
  }

  /// The absolute path without symbolic links, even if nothing exists there yet.
  package static func place(of path: String) -> String {
    var path = path
    // `realpath` fails for a broken link. The system itself follows this many links.
    for _ in 0..<40 {
      if let resolved = try? realPath(path) { return resolved }
      guard let target = target(ofLink: path) else { break }
      path = PathParts.isAbsolute(target) ? target : PathParts.join(PathParts(path).directory, target)
    }
    let parts = PathParts(path)
    guard parts.directory != path else { return path }
    let directory = place(of: parts.directory)
    switch parts.name {
    case "", ".": return directory
    case "..": return PathParts(directory).directory
    default: return PathParts.join(directory, parts.name)
    }
  }

  /// The entry at the end of a path, as an absolute path: all spellings yield the same one; a link of that name is
  /// kept.
  package static func entry(_ path: String) -> String {
    let parts = PathParts(path)
    let directory = place(of: parts.directory)
    // The targets of `/proc/PID/root` and similar links are misleading.
    let isSame = status(at: parts.directory).map { $0.identity == status(at: directory)?.identity } ?? true
    return PathParts.join(isSame ? directory : parts.directory, parts.name)
  }

  /// As ``place(of:)``, unless a link at the path itself belongs to another account other than root.
  ///
  /// Linux does the same in shared folders (`protected_symlinks`); this does it in every folder. Even a link to its
  /// owner's own file is refused: the owner can redirect it between the check and the opening. The caller must not
  /// follow a link when opening the result, because one may have appeared.
  ///
  /// - Throws: `EACCES` for another link, `EILSEQ` for one to a name that is not valid UTF-8.
  package static func trustedPlace(of path: String) throws(FileFailure) -> String {
    var path = path
    for _ in 0..<40 {
      guard let link = link(at: path) else { return path }
      guard [0, geteuid()].contains(link.owner) else { throw FileFailure(.follow(path), number: EACCES) }
      guard let target = link.target else { throw FileFailure(.follow(path), number: EILSEQ) }
      path = PathParts.isAbsolute(target) ? target : PathParts.join(PathParts(path).directory, target)
    }
    throw FileFailure(.follow(path), number: ELOOP)
  }

  /// The absolute path of the entry that a trusted link leads to.
  ///
  /// Missing folders keep their names: a broken link among them may belong to anyone.
  ///
  /// - Throws: `EACCES` for a link of another account.
  package static func trustedEntry(of path: String) throws(FileFailure) -> String {
    let place = try trustedPlace(of: path)
    return status(at: PathParts(place).directory) == nil ? place : entry(place)
  }

  /// The owner and target of a link, read from the same link; `nil` if it is not a link.
  private static func link(at path: String) -> (owner: UInt32, target: String?)? {
    #if os(Linux)
      guard let descriptor = try? open(path, flags: OpenFolder.entering | O_NOFOLLOW) else { return nil }
      defer { close(descriptor) }
      var link = stat()
      guard fstat(descriptor, &link) == 0, link.st_mode & S_IFMT == S_IFLNK else { return nil }
      return (link.st_uid, target { readlinkat(descriptor, "", $0, $1) })
    #else
      // A link cannot be changed, only replaced.
      guard let link = status(ofName: path), readlink(path, nil, 0) >= 0 else { return nil }
      let target = target(ofLink: path)
      return status(ofName: path)?.identity == link.identity ? (link.owner, target) : nil
    #endif
  }

  /// The target of a symbolic link, as stored; `nil` if it is not a link, or its target is not valid UTF-8.
  package static func target(ofLink path: String) -> String? { target { readlink(path, $0, $1) } }

  private static func target(_ read: (UnsafeMutablePointer<CChar>, Int) -> Int) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = read(start, buffer.count)
      guard count > 0 else { return nil }
      return String(validating: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
  }
}

/// A path split at its last slash.
///
/// Split by bytes, as the system does: a slash with a combining mark is a different `Character`, but still a slash.
package struct PathParts: Hashable, Sendable {
  /// `.` if the path has no slash.
  package let directory: String
  package let name: String

  package init(_ path: String) {
    let bytes = path.utf8
    guard let slash = bytes.lastIndex(of: Self.slash) else {
      (directory, name) = (".", path)
      return
    }
    directory = slash == bytes.startIndex ? "/" : String(path[..<slash])
    name = String(path[bytes.index(after: slash)...])
  }

  package static func == (left: PathParts, right: PathParts) -> Bool {
    PathKey(left.directory) == PathKey(right.directory) && PathKey(left.name) == PathKey(right.name)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(PathKey(directory))
    hasher.combine(PathKey(name))
  }

  package static func join(_ directory: String, _ name: String) -> String {
    directory.utf8.last == slash ? directory + name : directory + "/" + name
  }

  /// Another name in the folder of a path.
  package static func sibling(of path: String, _ rename: (String) -> String) -> String {
    let parts = PathParts(path)
    return hasFolder(path) ? join(parts.directory, rename(parts.name)) : rename(parts.name)
  }

  /// The last names of a path, without trailing slashes; the path itself if it has no name.
  package static func end(of path: String, names count: Int = 1) -> String {
    let names = path.utf8.split(separator: slash).suffix(count)
    return names.isEmpty ? path : names.map { String(Substring($0)) }.joined(separator: "/")
  }

  /// True if a path has a slash, and so is more than a name.
  package static func hasFolder(_ path: String) -> Bool { path.utf8.contains(slash) }

  /// True if a name was not valid UTF-8 in its folder; no `String` can refer to such a file.
  package static func isRepaired(_ path: String) -> Bool { path.unicodeScalars.contains("\u{FFFD}") }

  /// True if a path starts at the root.
  package static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

  private static let slash = UInt8(ascii: "/")
}

// Inside `Posix`, the plain names would refer to its own functions.
private func systemRename(_ source: String, _ target: String) -> Int32 { rename(source, target) }
private func systemUnlink(_ path: UnsafePointer<CChar>) -> Int32 { unlink(path) }

#if canImport(Darwin)
  typealias DirectoryStream = UnsafeMutablePointer<DIR>
#else
  typealias DirectoryStream = OpaquePointer
#endif
