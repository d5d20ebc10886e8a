import Platform
import Testing

@Suite("the names of files")
struct PathKeyTests {
  /// The same letters in other bytes.
  private static let twins = ["\u{E9}.jsonl", "e\u{301}.jsonl"]

  @Test("of other bytes are other keys, though they are equal strings")
  func twins() {
    #expect(Self.twins[0] == Self.twins[1])
    let keys = Self.twins.map { PathKey($0) }
    #expect(keys[0] != keys[1] && Set(keys).count == 2)
    #expect(keys.sorted().map(\.text.utf8.count) == [9, 8])
    #expect(Self.twins.sortedByBytes().map(\.utf8.count) == [9, 8])
    #expect(Set(Self.twins.map { PathParts("\($0)/a") }).count == 2)
    #expect(Set(Self.twins.map { PathParts("a/\($0)") }).count == 2)
    #expect(PathKey("a") == "a")
  }

  @Test(
    "begin and end by bytes, whatever stands on a dot",
    arguments: [
      ("a.gz", "a"), (".gz", ""), ("a\u{600}.gz", "a\u{600}"), ("\u{301}.gz", "\u{301}"),
      ("a.gz\u{301}", nil),
      ("gz", nil), ("", nil),
    ])
  func ends(_ name: String, _ plain: String?) {
    #expect(name.hasByteSuffix(".gz") == (plain != nil))
    #expect(name.droppingByteSuffix(".gz").map { PathKey($0) } == plain.map { PathKey($0) })
  }

  @Test func `Beginnings are of bytes`() {
    #expect(".\u{301}a".hasBytePrefix(".") && "a".hasBytePrefix("") && !"".hasBytePrefix("."))
    #expect(!Self.twins[0].hasBytePrefix(Self.twins[1]))
  }

  @Test(
    "are the last parts of paths",
    arguments: [
      ("a/b/c", "c", "b/c"), ("a/b/", "b", "a/b"), ("a", "a", "a"), ("/", "/", "/"), ("", "", ""),
      ("a//b", "b", "a/b"), ("a/\u{301}x", "\u{301}x", "a/\u{301}x"),
    ])
  func ends(_ path: String, _ one: String, _ two: String) {
    #expect(PathKey(PathParts.end(of: path)) == PathKey(one))
    #expect(PathKey(PathParts.end(of: path, names: 2)) == PathKey(two))
    #expect(PathParts.hasFolder(path) == path.utf8.contains(UInt8(ascii: "/")))
  }
}
