import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

@Suite("Files of a folder")
struct FolderFilesTests {
  static let cases: [(name: String, text: String, reason: FolderFiles.Reason?)] = [
    ("a.jsonl", "", nil), ("text.jsonl", "no record\n", nil),
    ("a.ndjson", "{\"a\":1}\n", nil), ("A.LOG", "{\"a\":1}\n", nil), ("empty.log", "", nil),
    ("spaced.log", "\n\n  { \"a\": 1 }\n", nil), ("nul.log", "\0\0\0", nil),
    ("prefix.log", "shop-1  | starting\nshop-1  | {\"a\":1}\n", nil),
    ("cri.log", "2026-11-26T07:51:35Z stdout F {\"a\":1}\n", nil),
    ("pairs.log", "level=info ts=1795454102 msg=a\n", nil),
    ("access.log", "::1 - - [26/Nov/2026:08:51:35 +0100] \"GET / HTTP/1.1\" 200 5\n", nil),
    ("bom.log", "\u{FEFF}{\"a\":1}\n", nil), ("sequence.json", "\u{1E}{\"a\":1}\n", nil),
    ("plain.log", "127.0.0.1 - - [26/Nov/2026] \"GET / HTTP/1.1\" 200\n", .noRecords),
    ("k6.json", "{\"type\":\"Metric\",\"data\":{}}\n{\"type\":\"Point\"}\n", nil),
    ("array.json", "[\n  {\"a\":1},\n  {\"a\":2}\n]\n", nil), ("one.json", "{\"a\":1}", nil),
    ("comma.json", "{\"a\":1},\n{\"a\":2},\n", nil),
    ("long.json", "{\"a\":\"\(String(repeating: "x", count: 20_000))\"}\n", nil),
    ("settings.json", "{\n  \"a\": 1,\n  \"b\": {\"c\": 2}\n}\n", .noRecords),
    ("numbers.json", "[1, 2, 3]\n", .noRecords), ("words.json", "\"a\"\n", .noRecords),
    ("payload.json", "{\"timeStampBegin\":\"2026-11-26\",\"metaData\":{}}", .payload),
    ("notes.txt", "{\"a\":1}\n", .name),
  ]

  @Test("are taken by the ends of their names and by their beginnings", arguments: cases)
  func rule(_ name: String, _ text: String, _ reason: FolderFiles.Reason?) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(text, to: name)
    let listing = try FolderFiles().list(folder.url.path)
    #expect(listing.taken == (reason == nil ? [name] : []))
    #expect(listing.leftOut == (reason.map { [FolderFiles.LeftOut(name: name, reason: $0)] } ?? []))
  }

  @Test func `Hidden files and rotated ones of those taken are not told of, folders are`() throws {
    let folder = try TemporaryFolder()
    for name in ["app.log", "app.log.1", "app.log.2.gz", "app.log-20261126", ".hidden.txt", "other.log.1"] {
      _ = try folder.write("{\"a\":1}\n", to: name)
    }
    try FileManager.default.createDirectory(atPath: folder.path("sub.log"), withIntermediateDirectories: true)
    let listing = try FolderFiles().list(folder.url.path)
    #expect(listing.taken == ["app.log"])
    let left: [FolderFiles.LeftOut] = [
      .init(name: "other.log.1", reason: .name), .init(name: "sub.log", reason: .folder),
    ]
    #expect(listing.leftOut == left)
  }

  @Test func `A file that was left out is taken once it has records, or another takes its name`() throws {
    let folder = try TemporaryFolder()
    let files = FolderFiles()
    _ = try folder.write("starting\n", to: "a.log")
    #expect(try files.list(folder.url.path).taken == [])
    _ = try folder.write("starting\n{\"a\":1}\n", to: "a.log")
    #expect(try files.list(folder.url.path).taken == ["a.log"])
    _ = try folder.write(String(repeating: "plain text\n", count: 2000), to: "b.log")
    #expect(try files.list(folder.url.path).taken == ["a.log"])
    try FileManager.default.removeItem(atPath: folder.path("b.log"))
    _ = try folder.write("{\"a\":1}\n", to: "b.log")
    #expect(try files.list(folder.url.path).taken == ["a.log", "b.log"])
  }

  @Test("a log that begins with plain text is followed once it has records", arguments: [true, false])
  func later(isAlone: Bool) {
    let files = MemoryFileSystem.withLogs()
    let line = "{\"a\":1}"
    if !isAlone { files.append(line + "\n", to: "/logs/other.log") }
    files.append("starting\n", to: "/logs/app.log")
    let tail = MemoryTail([.folder("/logs")], in: files)
    #expect(tail.set.leftOut.map(\.files) == [[.init(name: "app.log", reason: .noRecords)]])
    files.append(line + "\n", to: "/logs/app.log")
    tail.pass(5)
    if !isAlone { tail.look() }
    #expect(tail.set.leftOut.map(\.files) == [[]])
    #expect(tail.lines.suffix(2) == ["starting", line])
    let before = tail.looks
    tail.pass(1000)
    #expect(tail.looks == before)
  }

  @Test("are followed, and so are new ones", arguments: RealTail.Watching.allCases)
  func followed(_ watching: RealTail.Watching) throws {
    let tail = try RealTail(watching)
    tail.write(2, to: tail.folder + "/one.log")
    tail.start([.folder(tail.folder)])
    tail.write(2, to: tail.folder + "/two.ndjson")
    tail.settle()
    tail.write(2, to: tail.folder + "/three.json")
    tail.write(2, to: tail.folder + "/one.log")
    tail.settle()
    tail.write(2, to: tail.folder + "/four.txt")
    tail.settle()
    #expect(tail.lines.sorted() == tail.written.dropLast(2).sorted())
  }
}
