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

  @Test func `a folder's files come with their rotated ones, and those of others stay out`() {
    let found = found(
      of: [folder.url.path],
      among: ["b.jsonl", "a.jsonl", "a.jsonl.1", "a.jsonl.2.gz", "c.jsonl.1", "a.jsonl.1.gz"])
    #expect(found.last == PathKey("b.jsonl") && found.dropLast().last == PathKey("a.jsonl"))
    #expect(Set(found) == Set(["a.jsonl.2.gz", "a.jsonl.1", "a.jsonl", "b.jsonl"].map { PathKey($0) }))
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

  /// Operands, and what is expected of them, oldest first.
  struct Named: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let operands: [String]
    /// The files that are there, from the oldest on; links are made to `a.jsonl`.
    let files: [String]
    var links: [String] = []
    let expected: [String]
  }

  private static let many = (1...70).reversed().map { "a.jsonl.\($0)" }

  @Test(
    "what is named is found in the order of time",
    arguments: [
      Named(
        testDescription: "a link before its file", operands: ["lnk", "a.jsonl"],
        files: ["a.jsonl.1", "a.jsonl"],
        links: ["lnk"], expected: ["a.jsonl.1", "a.jsonl"]),
      Named(
        testDescription: "a link and a rotated file before the file",
        operands: ["a.jsonl.1", "lnk", "a.jsonl"],
        files: ["a.jsonl.2", "a.jsonl.1", "a.jsonl"], links: ["lnk"],
        expected: ["a.jsonl.2", "a.jsonl.1", "a.jsonl"]),
      Named(
        testDescription: "two links to a file", operands: ["lnk", "other"], files: ["a.jsonl"],
        links: ["lnk", "other"], expected: ["lnk"]),
      Named(
        testDescription: "a file and its packed twin", operands: ["a.jsonl", "a.jsonl.1.gz", "a.jsonl.1"],
        files: ["a.jsonl.1.gz", "a.jsonl.1", "a.jsonl"], expected: ["a.jsonl.1", "a.jsonl"]),
      Named(
        testDescription: "a packed file alone", operands: ["a.jsonl", "a.jsonl.1.gz"],
        files: ["a.jsonl.1.gz", "a.jsonl"], expected: ["a.jsonl.1.gz", "a.jsonl"]),
      Named(
        testDescription: "more than are looked for, all named", operands: ["a.jsonl"] + many.reversed(),
        files: many + ["a.jsonl"], expected: many + ["a.jsonl"]),
      Named(
        testDescription: "one of those that are too many", operands: ["a.jsonl", "a.jsonl.69"],
        files: many + ["a.jsonl"], expected: ["a.jsonl.69"] + many.suffix(64) + ["a.jsonl"]),
      Named(
        testDescription: "one of those that are too many by its packed twin",
        operands: ["a.jsonl", "a.jsonl.70.gz"], files: ["a.jsonl.70.gz"] + many + ["a.jsonl"],
        expected: ["a.jsonl.70"] + many.suffix(64) + ["a.jsonl"]),
      Named(
        testDescription: "a rotated file that is missing", operands: ["a.jsonl.2", "a.jsonl"],
        files: ["a.jsonl.1", "a.jsonl"], expected: ["a.jsonl.1", "a.jsonl", "a.jsonl.2"]),
    ])
  func named(_ named: Named) throws {
    for link in named.links {
      try FileManager.default.createSymbolicLink(atPath: path(link), withDestinationPath: "a.jsonl")
    }
    #expect(found(of: named.operands.map(path), among: named.files) == named.expected.map { PathKey($0) })
  }

  @Test func `files that are not there yet stay apart`() {
    #expect(found(of: ["a.jsonl", "b.jsonl"].map(path), among: []).count == 2)
  }
}
