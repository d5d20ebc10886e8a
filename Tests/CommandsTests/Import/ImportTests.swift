import Commands
import Foundation
import JSONLines
import MisterMetricsCore
import Platform
import TelemetryCore
import TestSupport
import Testing

@Suite("import")
struct ImportTests {
  private let fixture: ImportFixture

  init() throws {
    fixture = try ImportFixture()
  }

  @Test("payloads of a folder are recorded in the order of their names, and the summary tells what they are")
  func folder() async throws {
    try fixture.write(ImportFixture.metrics(day: 31), to: "in/b.json")
    try fixture.write(ImportFixture.metrics(day: 30), to: "in/a/day.json")
    try fixture.write(ImportFixture.crash, to: "in/c.JSON")
    try fixture.write("no payload", to: "in/notes.txt")
    try fixture.write(ImportFixture.metrics(day: 29), to: "in/.hidden.json")
    try fixture.write(ImportFixture.metrics(day: 28), to: "in/.hidden/day.json")
    #expect(await fixture.run("in") == .success)
    #expect(
      fixture.text == """
        3 payloads in 3 files: 2 of metrics, 1 of diagnostics (1 crash)
          recorded   3, as 12 entries in store.jsonl
          versions   9.1 (2), 9.0 (1)
          days       2025-03-29 to 2025-03-31; 2 without a time zone, read as Europe/Berlin

        """)
    let entries = try await fixture.entries()
    #expect(
      entries.map { "\($0.timestamp.ISO8601Format()) \($0.metric.name)" } == [
        "2025-03-30T21:59:00Z payload", "2025-03-30T21:59:00Z cpuMetrics.cumulativeCPUTime",
        "2025-03-30T21:59:00Z applicationLaunchMetrics.histogrammedTimeToFirstDraw",
        "2025-03-30T21:59:00Z payload.json",
        "2025-03-31T21:59:00Z payload", "2025-03-31T21:59:00Z cpuMetrics.cumulativeCPUTime",
        "2025-03-31T21:59:00Z applicationLaunchMetrics.histogrammedTimeToFirstDraw",
        "2025-03-31T21:59:00Z payload.json",
        "2025-03-29T08:00:00Z payload", "2025-03-29T08:00:00Z crashDiagnostics",
        "2025-03-29T08:00:00Z crashDiagnostics.callStackTree", "2025-03-29T08:00:00Z payload.json",
      ])
    let launch = try entries[2].decode(PayloadHistogram.self)
    #expect(launch.bins == [.init(start: 820, end: 829, count: 4)])
    let document = try entries[0].decode(PayloadDocument.self)
    #expect(document.source.hasPrefix("day.json\(launch.source)") && launch.appVersion == nil)
  }

  @Test("a file without any figure or diagnostic is refused with its keys, and the others are recorded")
  func bare() async throws {
    try fixture.write(ImportFixture.metrics(), to: "in/a.json")
    try fixture.write(#"{"appVersion":"1.0","applicationLaunchMetrics":{}}"#, to: "in/b.json")
    #expect(await fixture.run("in") == .failed)
    #expect(
      fixture.problems.contains {
        $0.contains("appVersion, applicationLaunchMetrics: no figure and no diagnostic")
      })
    #expect(fixture.text.contains("  recorded   1,"))
  }

  @Test("what was imported before, or comes twice in whatever form, adds nothing")
  func duplicates() async throws {
    try fixture.write(ImportFixture.metrics(), to: "in/a.json")
    try fixture.write("[\(ImportFixture.metrics(pretty: true))]", to: "in/b.json")
    try fixture.write(
      "{\"payload\":\(ImportFixture.metrics())}\n" + ImportFixture.metrics(), to: "in/c.ndjson")
    #expect(await fixture.run("in") == .success)
    #expect(fixture.text.contains("  recorded   1, as 4 entries in store.jsonl\n"))
    #expect(fixture.text.contains("  skipped    3 repeated\n"))
    let before = try Data(contentsOf: URL(fileURLWithPath: fixture.store))
    #expect(await fixture.run("in") == .success)
    #expect(
      fixture.text.contains(
        "  recorded   nothing\n  skipped    1 already in the store, 3 repeated\n"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.store)) == before)
  }

  @Test("what an import that was killed left of a payload is completed, wherever it was cut")
  func completion() async throws {
    try fixture.write(ImportFixture.metrics(day: 30), to: "in/a.json")
    try fixture.write(ImportFixture.metrics(day: 31), to: "in/b.json")
    #expect(await fixture.run("in") == .success)
    let whole = try String(contentsOfFile: fixture.store, encoding: .utf8)
    let lines = whole.split(separator: "\n")
    for kept in 0..<lines.count {
      let torn = lines.prefix(kept).map { $0 + "\n" }.joined() + lines[kept].prefix(40)
      try Data(torn.utf8).write(to: URL(fileURLWithPath: fixture.store))
      #expect(await fixture.run("in") == .success)
      let again = try await fixture.entries()
      #expect(again.count == lines.count)
      #expect(Set(again.map { "\($0.timestamp) \($0.metric.name)" }).count == lines.count)
    }
    #expect(fixture.text.contains("  completed  1 that the store had in part\n"))
  }

  @Test("a store of before payloads and diagnostics were recorded themselves is completed")
  func olderStore() async throws {
    try fixture.write(ImportFixture.metrics(), to: "in/a.json")
    try fixture.write(ImportFixture.crash, to: "in/b.json")
    #expect(await fixture.run("in") == .success)
    let lines = try String(contentsOfFile: fixture.store, encoding: .utf8).split(separator: "\n")
    let later = ["\"PayloadDocument\"", "\"PayloadDiagnostic\"", "\"PayloadOriginal\""]
    let older = lines.filter { line in !later.contains { line.contains($0) } }
    #expect(older.count == 3)
    try Data(older.map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: fixture.store))
    #expect(await fixture.run("in") == .success)
    #expect(fixture.text.contains("  completed  2 that the store had in part\n"))
    #expect(
      try await fixture.entries().suffix(5).map(\.metric.name) == [
        "payload", "payload.json", "payload", "crashDiagnostics.callStackTree", "payload.json",
      ])
    let before = try await fixture.entries()
    #expect(await fixture.run("in") == .success)
    #expect(try await fixture.entries() == before)
  }

  @Test("rotated files of the store count, and so do names that need escapes")
  func rotated() async throws {
    try fixture.write(ImportFixture.metrics(), to: "in/a \"b\" \u{1}.json")
    #expect(await fixture.run("in") == .success)
    try FileManager.default.moveItem(atPath: fixture.store, toPath: fixture.store + ".1")
    #expect(await fixture.run("in") == .success)
    #expect(!FileManager.default.fileExists(atPath: fixture.store))
  }

  @Test(
    "what a rotated file holds is not recorded again, whatever its name and packed or not",
    arguments: ["store.jsonl.1", "store.jsonl-2026-11-20", "store.1.jsonl", "store.jsonl.old"], [false, true])
  func rotatedElsewhere(_ name: String, isPacked: Bool) async throws {
    try fixture.write(ImportFixture.metrics(day: 30), to: "in/a.json")
    #expect(await fixture.run("in") == .success)
    try fixture.rotate(to: name, isPacked: isPacked)
    try fixture.write(ImportFixture.metrics(day: 31), to: "in/b.json")
    #expect(await fixture.run("in") == .success)
    #expect(fixture.text.contains("  skipped    1 already in the store\n"))
    #expect(try String(contentsOfFile: fixture.store, encoding: .utf8).count { $0 == "\n" } == 4)
  }

  @Test("what was being recorded when the store was rotated and packed is completed")
  func completionOfPacked() async throws {
    try fixture.write(ImportFixture.metrics(), to: "in/a.json")
    #expect(await fixture.run("in") == .success)
    let lines = try String(contentsOfFile: fixture.store, encoding: .utf8).split(separator: "\n")
    try fixture.write(lines.prefix(2).map { $0 + "\n" }.joined(), to: "store.jsonl")
    try fixture.rotate(to: "store.jsonl.1", isPacked: true)
    // As while it is being packed: the same lines twice.
    try fixture.write(lines.prefix(2).map { $0 + "\n" }.joined(), to: "store.jsonl.1")
    #expect(await fixture.run("in") == .success)
    #expect(fixture.text.contains("  completed  1 that the store had in part\n"))
    #expect(try await fixture.entries().count == 4)
  }

  @Test("what is missing of a rotated file is told, and its payloads count as new")
  func damagedRotated() async throws {
    try fixture.write(ImportFixture.metrics(), to: "in/a.json")
    #expect(await fixture.run("in") == .success)
    let packed = try fixture.rotate(to: "store.jsonl.1", isPacked: true)
    try packed.prefix(12).write(to: fixture.folder.url.appendingPathComponent("store.jsonl.1.gz"))
    try fixture.write("no gzip", to: "store.jsonl.2.gz")
    #expect(await fixture.run("in") == .failed)
    #expect(fixture.text.contains("  errors     in 2 files, listed above\n"))
    #expect(
      Set(fixture.problems) == [
        "mistertop import: store.jsonl.1.gz: is damaged or cut off at byte 12 of the compressed data; what was "
          + "unpacked before it is read, 0 bytes of it proven by a checksum; payloads that cannot be found in it "
          + "count as new",
        "mistertop import: store.jsonl.2.gz: is not a gzip file; it was read as it is; payloads that cannot be found "
          + "in it count as new",
      ])
    #expect(try await fixture.entries().count == 4)
  }

  @Test(
    "nothing is recorded where a rotated file may not be read, for it may hold the payloads",
    .enabled(if: geteuid() != 0))
  func unreadableRotated() async throws {
    try fixture.write(ImportFixture.metrics(), to: "in/a.json")
    #expect(await fixture.run("in") == .success)
    try fixture.rotate(to: "store.jsonl-2026-11-20", isPacked: true)
    try #require(chmod(fixture.folder.path("store.jsonl-2026-11-20.gz"), 0) == 0)
    #expect(await fixture.run("in") == .failed)
    #expect(
      fixture.problems == [
        "mistertop import: store.jsonl-2026-11-20.gz: permission denied; nothing was recorded: it may hold the "
          + "payloads already"
      ])
    #expect(!Posix.isTaken(fixture.store))
  }

  @Test("a rehearsal tells the same and writes nothing")
  func rehearsal() async throws {
    try fixture.write(ImportFixture.metrics(), to: "in/a.json")
    #expect(await fixture.run("in", isDryRun: true) == .success)
    #expect(fixture.text.contains("  to record  1, as 4 entries in store.jsonl\n"))
    #expect(!FileManager.default.fileExists(atPath: fixture.store))
  }

  @Test("what cannot be read is told with its place, all else is recorded, and the end is a failure")
  func errors() async throws {
    try fixture.write("{\n  \"appVersion\": \"1\",\n", to: "in/broken.json")
    try fixture.write("{\"name\":1}", to: "in/other.json")
    try fixture.write("", to: "in/empty.json")
    try fixture.write("\u{0}\u{1}\u{2}\u{FFFD}", to: "in/binary.json")
    try fixture.write(String(repeating: "no\n", count: 9), to: "in/text.ndjson")
    try fixture.write(ImportFixture.metrics(), to: "in/fine.json")
    #expect(await fixture.run("in", "in/none.json") == .failed)
    #expect(fixture.text.contains("  recorded   1, as 4 entries"))
    #expect(
      fixture.problems == [
        "mistertop import: in/none.json: no such file",
        "mistertop import: in/binary.json: line 1, column 1 (byte 0): a value was expected",
        "mistertop import: in/broken.json: line 3, column 1 (byte 23): the JSON ends too early",
        "mistertop import: in/empty.json: line 1: nothing to read",
        "mistertop import: in/other.json: line 1: name: no key of a payload",
        "mistertop import: in/text.ndjson: line 1, column 1 (byte 0): a value was expected",
      ])
  }

  @Test("a folder without payload files says so, and a metrics file is told apart")
  func nothing() async throws {
    #expect(await fixture.run("in") == .failed)
    #expect(
      fixture.problems == [
        "mistertop import: in: contains no file ending with .json, .jsonl, .ndjson or .gz"
      ])
    try await MetricFileStore(file: URL(fileURLWithPath: fixture.folder.path("in/app.jsonl")))
      .record(Metric<Int>(name: "payload"), value: 1)
    #expect(await fixture.run("in") == .failed)
    #expect(
      fixture.problems.last == "mistertop import: in/app.jsonl: is a metrics file already and needs no import"
    )
  }

  @Test("links are followed, no folder twice, and a link to nothing is told")
  func links() async throws {
    try fixture.write(ImportFixture.metrics(), to: "in/deep/a.json")
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: fixture.folder.path("in/deep/loop"), withDestinationPath: fixture.folder.path("in"))
    try files.createSymbolicLink(
      atPath: fixture.folder.path("in/other.json"), withDestinationPath: fixture.folder.path("in/deep/a.json")
    )
    try files.createSymbolicLink(
      atPath: fixture.folder.path("in/nothing.json"), withDestinationPath: fixture.folder.path("gone"))
    try files.createSymbolicLink(
      atPath: fixture.folder.path("in/self.json"), withDestinationPath: fixture.folder.path("in/self.json"))
    #expect(await fixture.run("in") == .failed)
    #expect(fixture.text.hasPrefix("1 payload in 2 files: 1 of metrics\n"))
    #expect(fixture.text.contains("1 repeated"))
    #expect(fixture.problems.count == 2)
    #expect(fixture.problems.first == "mistertop import: in/nothing.json: no such file")
  }

  @Test("the store is not read as one of its own payload files")
  func storeAmongInputs() async throws {
    try fixture.write(ImportFixture.metrics(), to: "in/a.json")
    let store = fixture.folder.path("in/store.jsonl")
    #expect(await fixture.run("in", store: store) == .success)
    #expect(await fixture.run("in", store: store) == .success)
    #expect(fixture.problems.isEmpty)
    #expect(await fixture.run("in/store.jsonl", store: store) == .failed)
    #expect(
      fixture.problems == ["mistertop import: in/store.jsonl: is the store itself, so it cannot be imported"])
    #expect(try await fixture.entries(store).count == 4)
  }

  @Test("a store that is a folder or a FIFO, or in no folder, is refused in clear words")
  func stores() async throws {
    try fixture.write(ImportFixture.metrics(), to: "in/a.json")
    mkfifo(fixture.folder.path("fifo"), 0o600)
    for store in ["in", "fifo"] {
      #expect(await fixture.run("in", store: fixture.folder.path(store)) == .failed)
      #expect(
        fixture.problems.last
          == "mistertop import: \(store): is not a regular file, so nothing can be recorded in it")
    }
    #expect(await fixture.run("in", store: fixture.folder.path("in/a.json/x.jsonl")) == .failed)
    #expect(
      fixture.problems.last?.hasPrefix("mistertop import: in/a.json/x.jsonl: fileUnavailable: ") == true)
    #expect(fixture.output.all.isEmpty)
  }

  @Test("a store that holds something else is refused as it is, before anything is read")
  func foreignStores() async throws {
    try fixture.write(ImportFixture.metrics(), to: "in/a.json")
    let packed = try #require(Data(base64Encoded: ImportFixture.packedCrash))
    let texts = [
      ImportFixture.metrics(day: 12), ImportFixture.metrics(pretty: true), "notes\n", "{\n", "[]",
      "{\"metric\":1}\n",
      String(repeating: "no sample\n", count: 10_000),
    ]
    for content in texts.map({ Data($0.utf8) }) + [packed] {
      let url = URL(fileURLWithPath: fixture.store)
      try content.write(to: url)
      #expect(await fixture.run("in", "in/none.json") == .failed)
      #expect(
        fixture.problems.last
          == "mistertop import: store.jsonl: is not a metrics file; nothing was recorded in it")
      #expect(try Data(contentsOf: url) == content)
    }
  }

  @Test("a store is one whose first lines were rejected, or torn, or that is empty")
  func damagedStores() async throws {
    try fixture.write(ImportFixture.metrics(), to: "in/a.json")
    #expect(await fixture.run("in") == .success)
    let lines = try String(contentsOfFile: fixture.store, encoding: .utf8)
    let sample = String(lines.prefix { $0 != "\n" })
    for text in [
      "", "\n\n", "\0\0\0", "{\"me", "{\"metric\":{\"na", "{\"metric\":{\"name\n", "no sample\n" + lines,
      String(repeating: "no sample\n", count: 1_000) + sample + "\n",
    ] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: fixture.store))
      #expect(await fixture.run("in") == .success)
      #expect(try await fixture.entries().count == 4)
    }
  }

  @Test("an import waits for another one into the same store, by whatever name, and adds what that has not")
  func twoAtOnce() async throws {
    try fixture.write(ImportFixture.metrics(), to: "in/a.json")
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder.path("link"), withDestinationPath: fixture.store)
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    let input = ends[0]
    async let first = fixture.run("-", input: input)
    // The first one has the lock when its file is there and cannot be locked.
    let lock = PathParts.sibling(of: fixture.store) { ".\($0).importing" }
    func isTaken() -> Bool {
      let descriptor = open(lock, O_RDONLY)
      guard descriptor >= 0 else { return false }
      defer { close(descriptor) }
      return flock(descriptor, LOCK_EX | LOCK_NB) != 0
    }
    while !isTaken() { try await Task.sleep(for: .milliseconds(2)) }
    let waiting = "mistertop import: link: waiting for another import into this store"
    async let second = fixture.run("in", store: fixture.folder.path("link"))
    while !fixture.problems.contains(waiting) { try await Task.sleep(for: .milliseconds(2)) }
    let stop = WakeSignal()
    stop.raise()
    #expect(await fixture.run("in", stop: stop) == .interrupted)
    #expect(fixture.problems.last == "mistertop import: stopped: nothing was recorded")
    #expect(await fixture.run("in", isDryRun: true) == .success)
    let bytes = Array(ImportFixture.metrics().utf8)
    _ = Foundation.write(ends[1], bytes, bytes.count)
    close(ends[1])
    #expect(await first == .success)
    #expect(await second == .success)
    close(ends[0])
    #expect(try await fixture.entries().count == 4)
    #expect(fixture.text.contains("  skipped    1 already in the store\n"))
    #expect(fixture.problems.count { $0 == waiting } == 1)
    #expect(!Posix.isTaken(lock), "it goes with the import")
  }

  @Test("an import does not wait for whoever could only read the store", .timeLimit(.minutes(1)))
  func heldByReader() async throws {
    try fixture.write(ImportFixture.metrics(), to: "in/a.json")
    let lock = PathParts.sibling(of: fixture.store) { ".\($0).importing" }
    for owner in geteuid() == 0 ? [geteuid(), 65534] : [geteuid()] {
      // A leftover of a killed import of an older version, and somebody else's file.
      try Data().write(to: URL(fileURLWithPath: lock))
      try #require(chmod(lock, 0o644) == 0 && chown(lock, owner, gid_t.max) == 0)
      let reader = try Posix.open(lock)
      defer { Posix.close(reader) }
      #expect(flock(reader, LOCK_SH) == 0)
      #expect(await fixture.run("in") == .success)
    }
    #expect(fixture.problems.isEmpty && !Posix.isTaken(lock))
  }

  @Test("without a place for its lock an import goes on")
  func withoutLock() async throws {
    try fixture.write(ImportFixture.metrics(), to: "in/a.json")
    try fixture.write("no folder", to: "state")
    #expect(await fixture.run("in") == .success)
    #expect(fixture.problems.isEmpty)
  }

  @Test("standard input and packed files are read, a damaged one as far as it is proven")
  func packed() async throws {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    let bytes = Array(ImportFixture.metrics().utf8)
    _ = Foundation.write(ends[1], bytes, bytes.count)
    close(ends[1])
    #expect(await fixture.run("-", input: ends[0]) == .success)
    close(ends[0])
    #expect(try await fixture.entries().count == 4)
    let member = Data(base64Encoded: ImportFixture.packedCrash) ?? Data()
    try member.write(to: fixture.folder.url.appendingPathComponent("in/a.json.gz"))
    try (member + member.prefix(60)).write(to: fixture.folder.url.appendingPathComponent("in/b.gz"))
    try member.prefix(50).write(to: fixture.folder.url.appendingPathComponent("in/c.gz"))
    #expect(await fixture.run("in") == .failed)
    #expect(fixture.text.contains("1 payload in 3 files: 1 of diagnostics (1 crash)\n"))
    #expect(fixture.text.contains("1 repeated"))
    #expect(
      fixture.problems == [
        "mistertop import: in/b.gz: is damaged or truncated at byte \(member.count + 60) of the compressed file; "
          + "the part before that was read",
        "mistertop import: in/c.gz: is damaged or truncated at byte 50 of the compressed file",
      ])
  }

  @Test("who stops it gets whole payloads, and the next import goes on")
  func stop() async throws {
    for day in 10..<30 { try fixture.write(ImportFixture.metrics(day: day), to: "in/\(day).json") }
    let stop = WakeSignal()
    stop.raise()
    #expect(await fixture.run("in", stop: stop) == .interrupted)
    #expect(fixture.problems == ["mistertop import: stopped: the payloads recorded so far are complete"])
    #expect(await fixture.run("in") == .success)
    #expect(try await fixture.entries().count == 80)
  }

  @Test("who stops it while the store is read has nothing recorded", arguments: [false, true])
  func stopBefore(isPacked: Bool) async throws {
    try fixture.write(ImportFixture.metrics(day: 30), to: "in/a.json")
    #expect(await fixture.run("in") == .success)
    try fixture.rotate(to: "store.jsonl.1", isPacked: isPacked)
    let stop = WakeSignal()
    stop.raise()
    #expect(await fixture.run("in", stop: stop) == .interrupted)
    #expect(fixture.problems == ["mistertop import: stopped: nothing was recorded"])
    #expect(!FileManager.default.fileExists(atPath: fixture.store))
  }

  @Test("payloads without any time are recorded under the time of their file")
  func withoutTime() async throws {
    let path = try fixture.write("{\"callStacks\":[]}", to: "in/stacks.json")
    let time = Date(timeIntervalSinceReferenceDate: 700_000_000)
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
    #expect(await fixture.run("in") == .success)
    #expect(try await fixture.entries().map(\.timestamp) == [time, time, time, time])
    #expect(fixture.text.contains("  no time    1, recorded under the time of the file\n"))
  }

  @Test("nothing that a payload says reaches the terminal as it is")
  func hostile() async throws {
    try fixture.write(ImportFixture.metrics(version: "\\u001b[2J\\u009b31m"), to: "in/a\u{1B}[2J.json")
    try fixture.write("{", to: "in/b\u{1B}[2J.json")
    #expect(await fixture.run("in") == .failed)
    #expect(
      !(fixture.text + fixture.problems.joined()).unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" }
    )
  }
}
