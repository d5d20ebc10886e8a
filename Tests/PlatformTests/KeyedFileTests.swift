import Foundation
import Platform
import TestSupport
import Testing

@Suite("values by name in a file")
struct KeyedFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("a damaged file is kept when it is replaced", arguments: ["", "{", #"{"a":7}"#])
  func damaged(content: String) throws {
    for kept in ["file.damaged", "file.damaged-2"] {
      let path = try folder.write(content, to: "file")
      let values = KeyedFile<String>(path: path)
      if case .damaged = values.unreadable {
      } else {
        Issue.record("\(String(describing: values.unreadable))")
      }
      try values.update { $0["a"] = "b" }
      #expect(try String(contentsOfFile: folder.path(kept), encoding: .utf8) == content)
      try values.update { $0["a"] = "c" }
      #expect(KeyedFile<String>(path: path).value("a") == "c")
    }
    #expect(try Posix.names(in: folder.url.path).sorted() == ["file", "file.damaged", "file.damaged-2"])
  }

  @Test("what is no file is replaced, and nothing of it kept")
  func noFile() throws {
    let path = folder.path("file")
    for make in [{ symlink("file", path) }, { mkfifo(path, 0o600) }, { symlink("none", path) }] {
      #expect(make() == 0)
      try KeyedFile<String>(path: path).update { $0["a"] = "b" }
      #expect(try Posix.names(in: folder.url.path) == ["file"])
      #expect(KeyedFile<String>(path: path).value("a") == "b")
      try Posix.remove(path)
    }
  }

  @Test(
    "a file that the system does not let be read is not replaced before it does",
    .enabled(if: UnreadableFile.exists))
  func refused() throws {
    let path = folder.path("file")
    try UnreadableFile.put(at: path)
    let values = KeyedFile<String>(path: path)
    let failure = #expect(throws: FileFailure.denied) { try values.update { $0["a"] = "b" } }
    #expect(failure?.message == "cannot open \(path): Permission denied")
    #expect(try Posix.names(in: folder.url.path) == ["file"])
    try Posix.remove(path)
    _ = try folder.write(#"{"before":"1"}"#, to: "file")
    try values.update { $0["a"] = "b" }
    #expect(values.value("before") == "1")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == #"{"a":"b","before":"1"}"#)
  }
}
