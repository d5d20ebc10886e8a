import Foundation
import Platform
import TestSupport
import Testing

@testable import JSONLines

@Suite("The names of rotated files")
struct FolderListingsTests {
  private static let originals = ["a.jsonl", "a", "a-b.jsonl", ".a", "b.1.jsonl", "ä.jsonl", "a.1"]
  private static let names =
    originals
    + originals.flatMap { original in
      ["1", "12", "2026-11-21", "old", "x", "1x"].flatMap { ["\(original).\($0)", "\(original)-\($0)"] }
    } + ["a.1.jsonl", "a-2.jsonl", "ab.1.jsonl", "a.jsonl.1.gz", "a-b.3.jsonl", "ä.4.jsonl"]

  @Test("are those that a listing of the whole folder has, also when it has changed")
  func listing() throws {
    let folder = try TemporaryFolder()
    let (cached, plain) = (PosixFileSystem(), FolderListings())
    for part in [Self.names.prefix(20), Self.names.dropFirst(20)] {
      for name in part { _ = try folder.write("", to: name) }
      for original in Self.originals {
        let expected = try Posix.names(in: folder.url.path).filter { RotatedName.isRotated($0, of: original) }
        #expect(try cached.rotated(original, in: folder.url.path).sorted() == expected.sorted())
        #expect(try plain.rotated(original, in: folder.url.path).sorted() == expected.sorted())
      }
    }
  }

  @Test("lead back to all that they may have been")
  func back() {
    for name in Self.names {
      let found = RotatedName.originals(of: name)
      #expect(found.allSatisfy { RotatedName.isRotated(name, of: $0) })
      for original in Self.originals where RotatedName.isRotated(name, of: original) {
        #expect(found.contains(original), "\(name) of \(original)")
      }
    }
  }
}
