/// How files are named on the screen: by their own name, with its folder only where two have the same one.
struct FileNames {
  private let paths: [String]

  /// - Parameter paths: all files that are read.
  init(_ paths: [String]) {
    self.paths = paths
  }

  /// The name of one of them.
  ///
  /// There may be thousands, and few are named: of the others only the ends are looked at.
  func short(_ path: String) -> String {
    let own = Self.own(path)
    let isShared = { (other: String) in
      var rest = other.utf8[...]
      guard other != path, rest.count >= own.utf8.count, rest.suffix(own.utf8.count).elementsEqual(own.utf8)
      else { return false }
      rest.removeLast(own.utf8.count)
      return rest.isEmpty || rest.last == UInt8(ascii: "/")
    }
    guard paths.contains(where: isShared) else { return own }
    return path.split(separator: "/").suffix(2).joined(separator: "/")
  }

  private static func own(_ path: String) -> String {
    if path == "-" { return "standard input" }
    guard path.utf8.last != UInt8(ascii: "/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      return path.split(separator: "/").last.map(String.init) ?? path
    }
    return String(path[path.utf8.index(after: slash)...])
  }
}
