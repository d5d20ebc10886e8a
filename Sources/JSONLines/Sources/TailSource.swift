/// Something that can be followed.
package enum TailSource: Hashable, Sendable {
  case file(String)
  /// All `*.jsonl` in a folder; those that appear later too.
  case folder(String)
  case standardInput
}

/// One followed file, or standard input.
package struct TailMember: Hashable, Sendable {
  /// Its place in the set; never given to another one.
  package let index: Int
  /// Path as given; `-` for standard input.
  package let path: String

  package init(index: Int, path: String) {
    self.index = index
    self.path = path
  }
}
