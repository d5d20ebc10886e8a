import Foundation
import History
import Platform
import TestSupport
import Testing

@Suite struct HistoryNamesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func path(_ name: String) -> String { PathParts.join(folder.url.path, name) }

  /// Makes empty files; what is found of some paths, by its own name.
  private func found(of paths: [String], among names: [String]) -> [PathKey] {
    for name in names { #expect(FileManager.default.createFile(atPath: path(name), contents: nil)) }
    return HistoryNames().files(of: paths).map { PathKey(PathParts($0.path).name) }
  }

  @Test func `a folder's files are all there, whatever their names`() {
    let names = ["\u{E9}.jsonl", "e\u{301}.jsonl", "a\u{600}.jsonl", "\u{301}x.jsonl"]
    let found = found(of: [folder.url.path], among: names)
    #expect(found == names.sortedByBytes().map { PathKey($0) })
  }

  @Test func `two spellings of a name are two files, each with its own rotated ones`() {
    let (one, two) = ("\u{E9}.jsonl", "e\u{301}.jsonl")
    let found = found(of: [one, two, one].map(path), among: [one, two, two + ".1"])
    #expect(found == [one, two + ".1", two].map { PathKey($0) })
  }

  @Test(
    "rotated files are found, packed ones too",
    arguments: ["\u{301}x.jsonl", "a\u{600}.jsonl", "e\u{301}.jsonl"])
  func rotated(_ name: String) {
    let found = found(of: [path(name)], among: [name, name + ".1.gz"])
    #expect(found == [name + ".1.gz", name].map { PathKey($0) })
  }

  @Test func `a rotated file that is there packed too is taken once, as it is`() {
    let found = found(
      of: [path("a.jsonl")], among: ["a.jsonl", "a.jsonl.1", "a.jsonl.1.gz", "a.jsonl.2.gz"])
    #expect(Set(found) == Set(["a.jsonl.2.gz", "a.jsonl.1", "a.jsonl"].map { PathKey($0) }))
    #expect(found.last == PathKey("a.jsonl"))
  }

  @Test func `a file that several names lead to is taken once`() throws {
    #expect(FileManager.default.createFile(atPath: path("a.jsonl"), contents: nil))
    try FileManager.default.createSymbolicLink(
      atPath: path("soft.jsonl"), withDestinationPath: "a.jsonl")
    try FileManager.default.linkItem(atPath: path("a.jsonl"), toPath: path("hard.jsonl"))
    let paths = ["a.jsonl", "./a.jsonl", "soft.jsonl", "hard.jsonl"].map(path)
    #expect(found(of: paths, among: []) == [PathKey("a.jsonl")])
    #expect(found(of: [folder.url.path], among: []) == [PathKey("a.jsonl")])
  }

  @Test func `a rotated file that is named too keeps its place in time`() {
    let names = ["a.jsonl", "a.jsonl.1", "a.jsonl.2"]
    let found = found(of: ["a.jsonl.1", "b.jsonl", "a.jsonl"].map(path), among: names.reversed())
    #expect(found == ["b.jsonl", "a.jsonl.2", "a.jsonl.1", "a.jsonl"].map { PathKey($0) })
  }

  @Test func `files that are not there yet stay apart`() {
    #expect(found(of: ["a.jsonl", "b.jsonl"].map(path), among: []).count == 2)
  }
}
