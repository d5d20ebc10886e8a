import Platform

/// How files are named on the screen: by their own name, with its folder only where two have the same one.
package struct FileNames {
  private let paths: [String]

  /// - Parameter paths: all files that are read.
  package init(_ paths: [String]) {
    self.paths = paths
  }

  /// The name of one of them.
  ///
  /// There may be thousands, and few are named: of the others only the ends are looked at.
  package func short(_ path: String) -> String {
    let own = Self.own(path)
    // The list may name the file in another way than its reader does: only two entries are two files.
    var alike = 0
    for other in paths where Self.ends(other, with: own) {
      alike += 1
      guard alike < 2 else { return PathParts.end(of: path, names: 2) }
    }
    return own
  }

  /// True if the last part of a path is this name.
  private static func ends(_ path: String, with own: String) -> Bool {
    // Without the views of strings: with thousands of files this is a good part of a frame.
    withBytes(of: path) { all in
      withBytes(of: own) { end in
        let start = all.count - end.count
        return start >= 0 && (start == 0 || all[start - 1] == UInt8(ascii: "/"))
          && all[start...].elementsEqual(end)
      }
    }
  }

  private static func withBytes(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
    text.utf8.withContiguousStorageIfAvailable(body) ?? Array(text.utf8).withUnsafeBufferPointer(body)
  }

  private static func own(_ path: String) -> String {
    if path == "-" { return "standard input" }
    return PathParts.end(of: path)
  }
}
