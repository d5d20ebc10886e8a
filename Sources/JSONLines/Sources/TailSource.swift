/// A source that can be followed.
package enum TailSource: Hashable, Sendable {
  case file(String)
  /// All files of records in a folder (``FolderFiles``), including later ones.
  case folder(String)
  case standardInput
}

/// One followed file, or standard input.
package struct TailMember: Hashable, Sendable {
  /// Its index in the set; never reused.
  package let index: Int
  /// Path as given; `-` for standard input.
  package let path: String

  package init(index: Int, path: String) {
    self.index = index
    self.path = path
  }
}
