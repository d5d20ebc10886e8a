import Platform

/// File names for the screen: the bare name, with its folder only where two files share a name.
package struct FileNames {
  private let paths: [String]

  /// - Parameter paths: All files that are read.
  package init(_ paths: [String]) {
    self.paths = paths
  }

  /// The displayed name of one of the files.
  ///
  /// There may be thousands of files, few of which are displayed: of the others only the path suffixes are compared.
  package func short(_ path: String) -> String {
    let own = Self.own(path)
    // The list may spell the path differently from the file's reader: only two matching entries mean two files.
    var alike = 0
    for other in paths where Self.ends(other, with: own) {
      alike += 1
      guard alike < 2 else { return PathParts.end(of: path, names: 2) }
    }
    return own
  }

  /// True if the last path component equals a name.
  private static func ends(_ path: String, with own: String) -> Bool {
    // On raw bytes, without string views: with thousands of files the comparison is a good part of a frame.
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
