/// Something that can be followed.
package enum TailSource: Hashable, Sendable {
  case file(String)
  /// All `*.jsonl` in a folder; those that appear later too.
  case folder(String)
  case standardInput

  /// What a person means by an argument: `-` is standard input, a folder is all files in it.
  package init(argument: String, fileSystem: any TailFileSystem = PosixFileSystem()) {
    if argument == "-" {
      self = .standardInput
    } else if let status = try? fileSystem.status(ofPath: argument), status.kind == .directory {
      self = .folder(argument)
    } else {
      self = .file(argument)
    }
  }
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
