/// How files are named on the screen: by their own name, with its folder only where two have the same one.
struct FileNames {
  private var counts: [String: Int] = [:]

  /// - Parameter paths: all files that are read.
  init(_ paths: [String]) {
    for path in paths { counts[Self.own(path), default: 0] += 1 }
  }

  /// The name of one of them.
  func short(_ path: String) -> String {
    let own = Self.own(path)
    guard counts[own, default: 0] > 1 else { return own }
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
