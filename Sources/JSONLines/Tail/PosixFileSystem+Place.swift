#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension PosixFileSystem {
  /// The absolute path without symbolic links, for what is not there yet too.
  package func place(of path: String) -> String {
    var path = path
    // A link to nothing is one that `realpath` gives up on; as many as the system itself follows.
    for _ in 0..<40 {
      if let resolved = try? resolved(path) { return resolved }
      guard let target = target(ofLink: path) else { break }
      path = target.hasPrefix("/") ? target : PathParts.join(PathParts(path).directory, target)
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

  /// The name of a directory's entry by an absolute path: other spellings give the same, a link of that name stays one.
  package func entry(_ path: String) -> String {
    let parts = PathParts(path)
    return PathParts.join(place(of: parts.directory), parts.name)
  }

  private func target(ofLink path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }
}
